import LedgerCore
import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

#if canImport(Glibc)
  import Glibc
#endif

/// Writers of one process whose appends end when the test says so.
@Suite struct `Writers that share an append` {
  @Test func `are taken along in order, all who wait`() {
    let stage = Stage()
    let first = stage.come(1)
    #expect(stage.begun() == [1])
    let others = (2...9).map { stage.come($0) }
    stage.end()
    #expect(first.wait() == nil)
    #expect(stage.begun() == Array(2...9))
    // Whoever comes now is too late for it, and waits for the next.
    let late = stage.come(10)
    stage.end()
    #expect(others.allSatisfy { $0.wait() == nil })
    #expect(stage.begun() == [10])
    stage.end()
    #expect(late.wait() == nil)
  }

  @Test func `fail together with their append, or with one that they build on`() {
    let stage = Stage()
    let first = stage.come(1)
    #expect(stage.begun() == [1])
    let group = [2, 3].map { stage.come($0) }
    stage.end()
    #expect(first.wait() == nil)
    #expect(stage.begun() == [2, 3])
    let onTop = stage.come(4)
    stage.end(LedgerError(.io, "the disk is gone"))
    for writer in group + [onTop] { #expect(writer.wait()?.sentence == "the disk is gone") }
    #expect(stage.commit.epoch == 1)
    // It had its turn before it could know.
    #expect(stage.come(5, madeIn: 0).wait()?.code == .io)
    let next = stage.come(6, madeIn: 1)
    #expect(stage.begun() == [6])
    stage.end()
    #expect(next.wait() == nil)
  }

  @Test func `wait for those who were acknowledged a moment ago, as many as came back before`() {
    let stage = Stage(.stopped)
    stage.acknowledgeTwoInTurn()
    // 3 is alone so far; 2 was acknowledged just now, and comes back as 1 did.
    let back = stage.come(4)
    #expect(stage.begun() == [3, 4])
    stage.end()
    #expect(back.wait() == nil)
  }

  @Test func `do not wait for long for those who do not come`() {
    let stage = Stage(.running)
    stage.acknowledgeTwoInTurn()
    #expect(stage.begun() == [3])
    stage.end()
  }

  #if canImport(Glibc)
    @Test func `sleep while others come and go`() {
      let stage = Stage()
      _ = stage.come(1)
      #expect(stage.begun() == [1])
      _ = stage.come(2)
      let sleeper = stage.come(3)
      for number in 4...400 { stage.queue(number) }
      stage.end()
      #expect(stage.begun() == Array(2...400))
      stage.end()
      #expect(sleeper.wait() == nil)
      // Once for its own append, and a few times for a mutex that was taken just then.
      #expect(stage.switches.withLock { $0[3] ?? 0 } < 20)
    }
  #endif
}

@Suite struct `Writers who come back` {
  /// A round: an append of some writers, of whom some come back soon after.
  private func round(
    _ returning: inout ReturningWriters, _ count: Int, back: Int, at time: Double,
    lasting duration: Double = 0.001, waiting: Int = 0
  ) {
    returning.noteAppend(of: count, lasting: duration, until: time, waiting: waiting)
    for _ in 0..<back { returning.noteArrival(at: time + 0.0005) }
  }

  @Test func `are not waited for by a single writer`() {
    var returning = ReturningWriters()
    for number in 1...50 {
      round(&returning, 1, back: 1, at: Double(number))
      #expect(!returning.areAwaited(with: 1, at: Double(number)))
    }
  }

  @Test func `are waited for, all of them, and no longer than an append takes`() {
    var returning = ReturningWriters()
    round(&returning, 16, back: 16, at: 1)
    round(&returning, 16, back: 0, at: 2)
    #expect(returning.areAwaited(with: 15, at: 2.0009))
    #expect(!returning.areAwaited(with: 16, at: 2))
    #expect(!returning.areAwaited(with: 15, at: 2.001))
    // They did not come back: nobody is waited for any more.
    round(&returning, 3, back: 0, at: 3)
    #expect(!returning.areAwaited(with: 1, at: 3))
  }

  @Test func `are waited for together with those who wait already`() {
    var returning = ReturningWriters()
    round(&returning, 4, back: 2, at: 1)
    round(&returning, 8, back: 0, at: 2, waiting: 5)
    #expect(returning.areAwaited(with: 8, at: 2))
    #expect(!returning.areAwaited(with: 9, at: 2))
  }

  @Test func `are waited for two milliseconds at most, however slow the disk is`() {
    var returning = ReturningWriters()
    round(&returning, 2, back: 2, at: 1, lasting: 5)
    round(&returning, 2, back: 0, at: 10, lasting: 5)
    #expect(returning.areAwaited(with: 1, at: 10.0019))
    #expect(!returning.areAwaited(with: 1, at: 10.0021))
  }

  @Test func `count no more than were acknowledged`() {
    var returning = ReturningWriters()
    round(&returning, 1, back: 30, at: 1)
    round(&returning, 1, back: 0, at: 2)
    #expect(!returning.areAwaited(with: 1, at: 2))
  }
}

/// Appends that wait for the test, and who waits for them.
private final class Stage: Sendable {
  let commit: GroupCommit
  /// How often the thread of each writer was put to sleep while it waited.
  let switches = Guarded<[Int: Int]>([:])
  private let numbers = Guarded<[ObjectIdentifier: Int]>([:])
  private let beginnings = Handover<[Int]>(most: 100)
  private let ends = Handover<LedgerError?>(most: 100)
  /// Seconds that have passed by the clock of the test.
  private let passed = Guarded(0.0)

  enum Clock {
    /// Each append takes a millisecond, and nothing else any time. It is five seconds ahead: who waits for it is not woken by itself.
    case stopped
    case running
    /// Nobody is waited for.
    case none
  }

  init(_ clock: Clock = .none) {
    let start = monotonicSeconds() + 5
    commit = GroupCommit { [passed] in
      switch clock {
      case .stopped: start + passed.withLock { $0 }
      case .running: monotonicSeconds()
      case .none: 0
      }
    }
  }

  /// Queues a writer's transactions.
  @discardableResult
  func queue(_ number: Int, madeIn epoch: Int = 0) -> GroupCommit.Queued {
    let queued = GroupCommit.Queued([], touched: nil)
    numbers.withLock { $0[ObjectIdentifier(queued)] = number }
    commit.queue(queued, madeIn: epoch)
    return queued
  }

  /// A writer queues its transactions and waits, on a thread of its own.
  ///
  /// - Returns: its error, once it has its answer; nil when it was acknowledged.
  func come(_ number: Int, madeIn epoch: Int = 0) -> Awaited<LedgerError?> {
    let queued = queue(number, madeIn: epoch)
    let answer = Awaited<LedgerError?>()
    let isStarted = DetachedThread.start { [self] in
      let before = Self.switchesOfThread
      var failure: LedgerError?
      do throws(LedgerError) {
        try commit.wait(for: queued, append: append)
      } catch {
        failure = error
      }
      let count = Self.switchesOfThread - before
      switches.withLock { $0[number] = count }
      answer.leave(failure)
    }
    #expect(isStarted)
    return answer
  }

  private func append(_ group: [GroupCommit.Queued]) throws(LedgerError) {
    let members = numbers.withLock { numbers in group.map { numbers[ObjectIdentifier($0)] ?? 0 } }
    _ = beginnings.pass(members)
    if let end = ends.take(), let failure = end { throw failure }
  }

  /// Waits until an append begins; who is in it.
  func begun() -> [Int] { beginnings.take() ?? [] }

  /// Has the append that is under way end.
  func end(_ failure: LedgerError? = nil) {
    passed.withLock { $0 += 0.001 }
    _ = ends.pass(failure)
  }

  /// One writer is acknowledged and comes back at once; so is another. What the first came back with waits.
  func acknowledgeTwoInTurn() {
    let first = come(1)
    #expect(begun() == [1])
    let second = come(2)
    end()
    #expect(first.wait() == nil)
    #expect(begun() == [2])
    _ = come(3)
    pause(milliseconds: 3)
    end()
    #expect(second.wait() == nil)
  }

  private static var switchesOfThread: Int {
    #if canImport(Glibc)
      var usage = rusage()
      // RUSAGE_THREAD, a macro that Swift does not see.
      getrusage(1, &usage)
      return usage.ru_nvcsw
    #else
      return 0
    #endif
  }
}
