import LedgerFormat

/// The tasks that exist: rows as they were folded once, and what changed since.
struct LiveTasks: Sendable {
  private let base: FoldedState
  private var changed: [TaskID: TaskItem?] = [:]
  /// The sequence number up to which events are in.
  private(set) var through: UInt64

  init(_ base: FoldedState, through: UInt64) {
    self.base = base
    self.through = through
  }

  /// Whether so many tasks differ from the folded rows that a new fold is cheaper than carrying them along.
  var isWorn: Bool { changed.count > 10_000 }

  mutating func apply(_ items: [CommitFeed.Item], through: UInt64) {
    for (id, item) in items { changed[id] = .some(item) }
    self.through = through
  }

  func item(_ id: TaskID) -> TaskItem? {
    if let item = changed[id] { return item }
    return base.index(of: id).map(base.item(at:))
  }

  /// Calls `body` for every task, in order of ids, until it returns false.
  func forEachTask(_ body: (TaskItem) -> Bool) {
    let newer = changed.sorted { $0.key < $1.key }
    var next = 0
    for index in 0..<base.count {
      let id = base.id(at: index)
      while next < newer.count, newer[next].key < id {
        if let item = newer[next].value, !body(item) { return }
        next += 1
      }
      if next < newer.count, newer[next].key == id { continue }
      if !body(base.item(at: index)) { return }
    }
    for entry in newer[next...] {
      if let item = entry.value, !body(item) { return }
    }
  }
}
