import LedgerCore

/// The tasks that the latest commits touched, for those who keep lists of them.
///
/// Invariants:
/// - `entries` follow each other without a gap, from `start` to `through`; `ahead` are later ones, behind a gap that somebody has
///   yet to fill;
/// - a task's last item is how it is at the end of its entry or later: whoever takes all entries from where he is, in order, has
///   every task as it is at the end.
struct CommitFeed: Sendable {
  typealias Item = (id: TaskID, item: TaskItem?)

  private struct Entry: Sendable {
    var before: UInt64
    var through: UInt64
    var items: [Item]
  }

  private var entries: [Entry] = []
  private var ahead: [Entry] = []
  private var itemCount = 0
  /// Whoever is not there yet cannot be served.
  private(set) var start: UInt64
  /// The last event that is in.
  private(set) var through: UInt64

  /// With more items than this the older ones go: who is that far behind reads all tasks anew.
  static let itemsMax = 10_000

  init(at sequence: UInt64) {
    start = sequence
    through = sequence
  }

  /// Takes what events after `before` touched, up to `through`.
  mutating func append(_ items: [Item], before: UInt64, through: UInt64) {
    guard through > self.through else { return }
    guard before <= self.through else {
      if ahead.count >= Self.itemsMax { ahead = [] }
      ahead.append(Entry(before: before, through: through, items: items))
      return
    }
    add(Entry(before: self.through, through: through, items: items))
    while let next = ahead.first, next.before <= self.through {
      ahead.removeFirst()
      if next.through > self.through { add(next) }
    }
  }

  private mutating func add(_ entry: Entry) {
    entries.append(entry)
    through = entry.through
    itemCount += max(1, entry.items.count)
    guard itemCount > 2 * Self.itemsMax else { return }
    // Seldom, and many at once.
    var dropped = 0
    while itemCount > Self.itemsMax, dropped < entries.count {
      itemCount -= max(1, entries[dropped].items.count)
      start = entries[dropped].through
      dropped += 1
    }
    entries.removeFirst(dropped)
  }

  /// Goes on from an event without what lies before.
  mutating func restart(at sequence: UInt64) { self = CommitFeed(at: sequence) }

  /// What was touched after an event, in order; nil when that reaches too far back.
  func items(after sequence: UInt64) -> [Item]? {
    guard sequence >= start else { return nil }
    return entries[entries.prefixCount { $0.through <= sequence }...].flatMap(\.items)
  }
}
