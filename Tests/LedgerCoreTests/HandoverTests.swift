import LedgerCore
import Testing

@Suite struct `What one thread hands over to another` {
  @Test func `comes in order, and to an end`() {
    let handover = Handover<Int>(most: 2)
    #expect(
      DetachedThread.start {
        for number in 0..<1000 { _ = handover.pass(number) }
        handover.end()
      })
    var taken: [Int] = []
    while let number = handover.take() { taken.append(number) }
    #expect(taken == Array(0..<1000))
    #expect(handover.take() == nil)
  }

  @Test func `never waits in greater number than was said`() {
    let handover = Handover<Int>(most: 3)
    let passed = Guarded(0)
    #expect(
      DetachedThread.start {
        for number in 0..<200 {
          _ = handover.pass(number)
          passed.withLock { $0 = number + 1 }
        }
        handover.end()
      })
    var taken = 0
    while handover.take() != nil {
      taken += 1
      #expect(passed.withLock { $0 } <= taken + 3)
    }
    #expect(taken == 200)
  }

  @Test func `is refused once nobody takes any more`() {
    let handover = Handover<Int>(most: 1)
    let isRefused = Awaited<Bool>()
    #expect(
      DetachedThread.start {
        var number = 0
        while handover.pass(number) { number += 1 }
        isRefused.leave(true)
      })
    #expect(handover.take() == 0)
    handover.abandon()
    #expect(isRefused.wait())
  }
}
