import LedgerCore
import Testing

struct `A history by stamps` {
  /// Events enough for several parts, with many that share a time.
  private func events(_ seed: UInt64, _ count: Int) -> [Event] {
    var random = RandomEvents(seed: seed)
    return random.events(count)
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `gives the state before any stamp, in whatever order events come`(seed: UInt64) {
    let events = events(seed, 600)
    var generator = SeededGenerator(seed: seed)
    var history = StampedHistory([])
    for (index, event) in events.shuffled(using: &generator).enumerated() {
      history.insert(event)
      if index % 97 == 0 {
        #expect(history.brokenInvariants.isEmpty, "seed \(seed), after \(index)")
      }
    }
    #expect(history.brokenInvariants.isEmpty, "seed \(seed)")
    #expect(history.count == events.count)
    for event in events.shuffled(using: &generator).prefix(60) {
      let expected = TaskState(events.filter { $0.stamp < event.stamp })
      #expect(history.state(before: event.stamp) == expected, "seed \(seed), \(event.sequence)")
    }
  }

  @Test func `can be made of events at once and go on`() {
    let events = events(9, 400)
    var history = StampedHistory(Array(events[..<300]))
    for event in events[300...] { history.insert(event) }
    #expect(history.brokenInvariants.isEmpty)
    let last = Stamp(time: .latest, replica: ReplicaID(high: .max, low: .max), count: 1)
    let first = Stamp(time: .earliest, replica: ReplicaID(high: 0, low: 0), count: 0)
    #expect(history.state(before: last) == TaskState(events))
    #expect(history.state(before: first) == TaskState())
    #expect(StampedHistory([]).state(before: last) == TaskState())
  }
}
