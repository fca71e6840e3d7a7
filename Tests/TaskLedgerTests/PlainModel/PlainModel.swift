/// A second, deliberately plain model of what a ledger means; it knows no module of the product.
///
/// It holds events in their order of arrival and nothing that follows from them. Every question is
/// answered by sorting the events of a task by stamp and folding them. It knows no files, no
/// snapshots, no late-event shortcuts: where it and the product differ, one of them is wrong.
struct PlainModel: Sendable {
  /// Who makes the events of this ledger.
  let replica: PlainText
  /// Event n is at n - 1.
  private(set) var events: [PlainEvent] = []
  /// Which of them are of a task: only so that a question about one task need not scan all.
  private var positions: [PlainText: [Int]] = [:]
  /// The largest count of an event that this replica made.
  private(set) var ownCount = 0

  init(replica: PlainText = "replica-m") { self.replica = replica }

  /// A ledger that these events reached in this order, evicts included. Each is its own transaction.
  init(replica: PlainText = "replica-m", arriving events: [PlainEvent]) {
    self.init(replica: replica)
    for event in events { arrive(event) }
  }

  /// Takes events of another ledger: those not known yet, and no evicts, for they never travel.
  mutating func receive(_ foreign: [PlainEvent]) {
    let known = Set(events.map(\.stamp))
    for event in foreign where event.kind != .evict && !known.contains(event.stamp) {
      arrive(event)
    }
  }

  private mutating func arrive(_ event: PlainEvent) {
    var event = event
    event.sequence = events.count + 1
    event.transaction = event.sequence
    append(event)
  }

  mutating func append(_ event: PlainEvent) {
    precondition(event.sequence == events.count + 1)
    positions[event.task, default: []].append(events.count)
    events.append(event)
    if event.stamp.replica == replica { ownCount = max(ownCount, event.stamp.count) }
  }

  /// Forgets the events of a transaction that was refused.
  mutating func rollBack(to count: Int, ownCount: Int) {
    for event in events[count...].reversed() { positions[event.task]!.removeLast() }
    events.removeSubrange(count...)
    self.ownCount = ownCount
  }

  /// The events of one task in the order of arrival.
  func events(of id: PlainText) -> [PlainEvent] { (positions[id] ?? []).map { events[$0] } }

  /// Every id that an event names, in the order of bytes.
  var ids: [PlainText] { positions.filter { !$0.value.isEmpty }.keys.sorted() }

  /// The stamp of a new event.
  ///
  /// Without a given time it is not earlier than any event that is there. Where the newest is
  /// another replica's, whose bytes may sort above ours, that takes one millisecond more.
  func nextStamp(time: Int64?, now: Int64) -> PlainStamp {
    PlainStamp(time: time ?? defaultTime(now: now), replica: replica, count: ownCount + 1)
  }

  private func defaultTime(now: Int64) -> Int64 {
    guard let newest = events.map(\.stamp).max() else { return now }
    return max(now, newest.replica == replica ? newest.time : newest.time + 1)
  }
}
