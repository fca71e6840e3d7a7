import LedgerCore
import LedgerTestSupport
import Testing

@testable import TaskLedger

@Suite struct `The turn of a writer` {
  private let mutex = SleepMutex()
  private let turn = Turn()

  private func take() { mutex.locked { turn.take(under: mutex) } }

  private func pass() {
    let next = mutex.locked { turn.pass() }
    next?.wake()
  }

  private func waitUntil(_ count: Int) {
    while mutex.locked({ turn.waitingCount }) < count { pause(milliseconds: 1) }
  }

  @Test func `comes in the order in which they wait for it`() {
    let order = Guarded<[Int]>([])
    take()
    inParallel(7) { number in
      if number < 6 {
        waitUntil(number)
        take()
        order.withLock { $0.append(number) }
        pass()
      } else {
        waitUntil(6)
        pass()
      }
    }
    #expect(order.withLock { $0 } == [0, 1, 2, 3, 4, 5])
  }

  @Test func `belongs to one at a time`() {
    let inside = Guarded(0)
    let most = Guarded(0)
    inParallel(8) { _ in
      for _ in 0..<200 {
        take()
        let now = inside.withLock { inside in
          inside += 1
          return inside
        }
        most.withLock { $0 = max($0, now) }
        inside.withLock { $0 -= 1 }
        pass()
      }
    }
    #expect(most.withLock { $0 } == 1)
    #expect(mutex.locked { turn.waitingCount } == 0)
  }

  @Test func `is not taken before one who waits more than a few times`() {
    let isServed = Guarded(false)
    let taken = Guarded(0)
    take()
    inParallel(2) { number in
      if number == 0 {
        take()
        isServed.withLock { $0 = true }
        pass()
      } else {
        waitUntil(1)
        while !isServed.withLock({ $0 }) {
          pass()
          take()
          taken.withLock { $0 += 1 }
        }
        pass()
      }
    }
    // The last time it waited itself until the other was through.
    #expect(taken.withLock { $0 } <= Turn.passesMax + 1)
  }
}
