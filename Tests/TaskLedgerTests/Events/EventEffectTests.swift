import LedgerCore
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// What `ledger watch` shows.
@Suite struct `What an event did to its task` {
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `is what the log says, of each event of a random history`(seed: UInt64) throws {
    let bench = try TestLedger(sealEvents: 7)
    let ledger = try bench.open()
    for step in RandomStream(seed: seed).prefix(40) {
      bench.clock.advance(milliseconds: 5)
      for command in step.commands {
        // Whatever is refused is none of the log's.
        _ = try? ledger.transaction { _ = try $0.perform(command.read(author: "ann")) }
      }
    }
    let events = try LedgerCheck.allEvents(of: ledger)
    let follower = EventFollower(ledger, after: 0)
    for event in events {
      #expect(try follower.nextOnThread(beforeWaiting: { false }) == event)
      let effect = try #require(try follower.effectOfLast())
      let entry = try ledger.audit(event.task).first { $0.sequence == event.sequence }
      var state = TaskState(events.filter { $0.task == event.task && $0.sequence < event.sequence })
      #expect(effect.entry == entry, "seed \(seed), event \(event.sequence)")
      #expect(effect.before == state.item(event.task), "seed \(seed), event \(event.sequence)")
      state.fold(event)
      #expect(effect.after == state.item(event.task), "seed \(seed), event \(event.sequence)")
    }
    #expect(events.count > 20)
  }

  @Test func `is known though the event is folded away before anybody asks`() throws {
    let bench = try TestLedger(sealEvents: 4)
    let ledger = try bench.open()
    for number in 1...9 { try ledger.upsert(TaskItem(id: "milk", body: "\(number)")) }
    let follower = EventFollower(ledger, after: 1)
    #expect(try follower.nextOnThread()?.sequence == 2)
    let other = try bench.open()
    try other.sealNow()
    #expect(try other.compact(.fold(before: .sequence(9))).plan.horizon == 9)
    _ = try ledger.task("milk")
    let effect = try #require(try follower.effectOfLast())
    #expect(effect.entry.sequence == 2 && effect.before?.body == "1" && effect.after?.body == "2")
  }

  @Test func `is asked for no longer by who is told to end, however much is left`() throws {
    let ledger = try TestLedger().open()
    for number in 1...3 { try ledger.upsert(TaskItem(id: "milk", body: "\(number)")) }
    let follower = EventFollower(ledger, after: 0)
    #expect(try follower.nextOnThread()?.sequence == 1)
    follower.stop()
    #expect(try follower.nextOnThread() == nil)
  }
}
