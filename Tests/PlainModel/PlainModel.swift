/// A second, deliberately plain model of what a ledger means; it knows no module of the product.
///
/// It holds events in their order of arrival and nothing that follows from them. Every question is
/// answered by sorting the events of a task by stamp and folding them. It knows no files, no
/// snapshots, no late-event shortcuts: where it and the product differ, one of them is wrong.
package struct PlainModel: Sendable {
  /// Who makes the events of this ledger.
  package private(set) var replica: PlainText
  /// Event n is at n - 1.
  package private(set) var events: [PlainEvent] = []
  /// Which of them are of a task: only so that a question about one task need not scan all.
  private var positions: [PlainText: [Int]] = [:]
  /// The largest count of an event that this replica made.
  package private(set) var ownCount = 0

  package init(replica: PlainText = "replica-m") { self.replica = replica }

  /// From now on another copy of the ledger goes on with it, which has made no event yet.
  package mutating func become(replica: PlainText) {
    self.replica = replica
    ownCount = 0
  }

  /// A ledger that these events reached in this order, evicts included. Each is its own transaction.
  package init(replica: PlainText = "replica-m", arriving events: [PlainEvent]) {
    self.init(replica: replica)
    for event in events { arrive(event) }
  }

  /// Takes events of another ledger: those not known yet, and no evicts, for they never travel.
  package mutating func receive(_ foreign: [PlainEvent]) {
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

  package mutating func append(_ event: PlainEvent) {
    precondition(event.sequence == events.count + 1)
    positions[event.task, default: []].append(events.count)
    events.append(event)
    if event.stamp.replica == replica { ownCount = max(ownCount, event.stamp.count) }
  }

  /// Forgets the events of a transaction that was refused.
  package mutating func rollBack(to count: Int, ownCount: Int) {
    for event in events[count...].reversed() { positions[event.task]!.removeLast() }
    events.removeSubrange(count...)
    self.ownCount = ownCount
  }

  /// The events of one task in the order of arrival.
  package func events(of id: PlainText) -> [PlainEvent] { (positions[id] ?? []).map { events[$0] } }

  /// Every id that an event names, in the order of bytes.
  package var ids: [PlainText] { positions.filter { !$0.value.isEmpty }.keys.sorted() }

  /// The stamp of a new event.
  ///
  /// Without a given time it is not earlier than any event that is there. Where the newest is
  /// another replica's, whose bytes may sort above ours, that takes one millisecond more.
  package func nextStamp(time: Int64?, now: Int64) -> PlainStamp {
    PlainStamp(time: time ?? defaultTime(now: now), replica: replica, count: ownCount + 1)
  }

  private func defaultTime(now: Int64) -> Int64 {
    guard let newest = events.map(\.stamp).max() else { return now }
    return max(now, newest.replica == replica ? newest.time : newest.time + 1)
  }
}
