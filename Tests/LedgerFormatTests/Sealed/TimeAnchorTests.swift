import LedgerCore
import Testing

@testable import LedgerFormat

/// About when events were made.
@Suite struct `Anchors of times` {
  private func time(_ milliseconds: Int64) -> LedgerTime { LedgerTime(unchecked: milliseconds) }

  private func anchors(_ events: [(UInt64, Int64)]) -> TimeAnchors {
    var builder = TimeAnchorBuilder()
    for (sequence, milliseconds) in events { builder.note(sequence, time(milliseconds)) }
    return builder.anchors
  }

  /// In the first step and the last one there are not all events.
  @Test func `guess times that pass evenly to the step`() {
    let events = (1...100_000 as ClosedRange<UInt64>).map { ($0, 5000 + 7 * Int64($0)) }
    let anchors = anchors(events)
    for (sequence, time) in events.dropFirst(256).dropLast(256) {
      #expect(abs(anchors.guess(sequence) - time) <= 7, "event \(sequence)")
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `are the same in whatever order events are noted`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let step = UInt64.random(in: 1...100_000, using: &generator)
    let events = (0..<2000 as Range<UInt64>).map { number in
      (
        1 + number * step + UInt64.random(in: 0..<step, using: &generator),
        Int64.random(in: -1_000_000...1_000_000, using: &generator)
      )
    }
    #expect(anchors(events.shuffled(using: &generator)) == anchors(events))
    #expect(anchors(events.reversed()) == anchors(events))
  }

  @Test func `are few, however far apart events are`() {
    let last = UInt64(Int64.max) - 1
    for events in [[1, last], [last, 1], [1, 1 << 20, 1 << 40, last], [last]] as [[UInt64]] {
      let anchors = anchors(events.map { ($0, 1000) })
      #expect(anchors.times.count <= 4098)
      for sequence in events + [2, 1 << 62, .max] { #expect(anchors.guess(sequence) == 1000) }
    }
  }

  @Test func `span events that are not there`() {
    let anchors = anchors([(1, 0), (100_000, 100_000)])
    #expect(abs(anchors.guess(50_000) - 50_000) <= 256)
  }

  @Test func `are 1970 where there are none, and never overflow`() {
    #expect(TimeAnchors().guess(5) == 0)
    let (oldest, newest) = (LedgerTime.earliest.milliseconds, LedgerTime.latest.milliseconds)
    for bits in 0...TimeAnchors.stepBitsMax {
      let anchors = TimeAnchors(stepBits: bits, firstStep: 1, times: [newest, oldest, newest])
      let step: UInt64 = 1 << UInt64(bits)
      for sequence in [0, step, step + step / 3, 2 * step - 1, 2 * step, UInt64.max] {
        #expect((oldest...newest).contains(anchors.guess(sequence)))
      }
    }
  }

  /// What the anchors are for.
  @Test func `make times of a long history small`() throws {
    var generator = SeededGenerator(seed: 7)
    var builder = TimeAnchorBuilder()
    var now: Int64 = 1_700_000_000_000
    var times: [Int64] = []
    for sequence in 0..<50_000 as Range<UInt64> {
      now += Int64.random(in: 1...2000, using: &generator)
      times.append(now)
      builder.note(sequence + 1, time(now))
    }
    let anchors = builder.anchors
    let off = times.enumerated().map { abs($0.element - anchors.guess(UInt64($0.offset) + 1)) }
    #expect(off.sorted()[off.count / 2] < 8000)
    // Two bytes hold the difference, with its sign.
    #expect(off.count { $0 >= 1 << 15 } < off.count / 100)
  }
}
