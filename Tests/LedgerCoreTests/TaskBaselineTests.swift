import LedgerCore
import Testing

/// What is left of a task's history adds up to the same, now and with whatever comes later.
@Suite struct `A baseline of a task` {
  private func baseline(_ events: [Event]) -> TaskBaseline {
    var baseline = TaskBaseline()
    for event in events { baseline.fold(event) }
    baseline.reduce()
    return baseline
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `adds up to the same as all its events, stamps and unset fields too`(seed: UInt64) {
    var random = RandomEvents(
      seed: seed, names: seed % 4 == 0 ? RandomEvents.manyNames : RandomEvents.fewNames)
    let before = random.events(Int(seed * 7) % 90 + 1)
    let after = random.events(30)
    let kept = baseline(before).events
    #expect(TaskState(kept) == TaskState(before), "seed \(seed)")
    // Whatever comes later, older than what was folded or newer.
    for event in after {
      #expect(TaskState(kept + [event]) == TaskState(before + [event]), "seed \(seed)")
    }
    #expect(TaskState(kept + after) == TaskState(before + after), "seed \(seed)")
    #expect(baseline(kept + after).events == baseline(before + after).events, "seed \(seed)")
    #expect(kept.map(\.sequence) == kept.map(\.sequence).sorted())
  }

  @Test func `of a long history takes no more than what still counts`() {
    var random = RandomEvents(seed: 3)
    var baseline = TaskBaseline()
    var most = 0
    for _ in 0..<5000 {
      baseline.fold(random.next(kinds: [.upsert, .update, .toggle]))
      most = max(most, baseline.events.count)
    }
    #expect(most < 400)
    baseline.reduce()
    #expect(baseline.events.count <= baseline.state.fields.count + 4)
  }

  @Test func `keeps who set a value and when, and nothing of why`() {
    var random = RandomEvents(seed: 5)
    var events = random.events(20, kinds: [.upsert, .update])
    for index in events.indices { events[index].message = "secret \(index)" }
    for event in baseline(events).events {
      let original = events[Int(event.sequence) - 1]
      #expect(event.author == original.author && event.stamp == original.stamp)
      #expect(event.message == nil && event.endsTransaction)
      #expect(event.changes.allSatisfy(original.changes.contains))
    }
  }
}
