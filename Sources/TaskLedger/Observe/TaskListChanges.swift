/// What leads from one list of tasks to another, in the shape that list views ask for.
///
/// Of the old list, take out what is at `deletions` and at the `from` of the moves; into what is left, put, in ascending order of
/// the new indexes, what the new list has at `insertions` and at the `to` of the moves; then show again what is at `updates`. The
/// result is the new list.
///
/// ```swift
/// tableView.performBatchUpdates {
///   tableView.deleteRows(at: paths(changes.deletions), with: .automatic)
///   tableView.insertRows(at: paths(changes.insertions), with: .automatic)
///   for move in changes.moves { tableView.moveRow(at: path(move.from), to: path(move.to)) }
/// }
/// tableView.reconfigureRows(at: paths(changes.updates))
/// ```
public struct TaskListChanges: Hashable, Sendable {
  /// A task that stands elsewhere among the others than before.
  public struct Move: Hashable, Sendable {
    /// Its index in the old list.
    public var from: Int
    /// Its index in the new list.
    public var to: Int

    /// Makes a move.
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// Indexes in the old list of what is no longer there, ascending.
  public var deletions: [Int] = []
  /// Indexes in the new list of what was not there, ascending.
  public var insertions: [Int] = []
  /// Indexes in the new list of tasks that were there and read differently now, moved ones included, ascending.
  public var updates: [Int] = []
  /// Tasks that stand elsewhere, in order of their new indexes.
  public var moves: [Move] = []

  /// No change.
  public init() {}

  /// Whether the two lists are the same.
  public var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && updates.isEmpty && moves.isEmpty
  }
}
