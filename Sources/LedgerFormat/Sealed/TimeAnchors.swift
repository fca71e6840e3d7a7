import LedgerCore

/// About when the events of a run were made: times at regular steps of sequence numbers. Between two of them time is taken to pass
/// evenly, so that an event has to say no more than by how much it differs from that.
///
/// Anchors are guesses: whatever they say, an event and they together give its time.
package struct TimeAnchors: Hashable, Sendable {
  /// From one anchor to the next there are 2 to that power sequence numbers; no more than `stepBitsMax`.
  private(set) var stepBits: UInt8 = 0
  /// The first anchor is that of this times the step.
  private(set) var firstStep: UInt64 = 0
  /// In Unix milliseconds.
  private(set) var times: [Int64] = []

  static let stepBitsMax: UInt8 = 62
  /// So that no few bytes ask for much memory.
  static let countMax = 1 << 16
  /// Time is divided into no more parts than 2 to that power between two anchors: then nothing overflows.
  private static let fractionBits: UInt8 = 14

  package init() {}

  init(stepBits: UInt8, firstStep: UInt64, times: [Int64]) {
    (self.stepBits, self.firstStep, self.times) = (stepBits, firstStep, times)
  }

  /// About when an event was made; where there are no anchors, 1970.
  func guess(_ sequence: UInt64) -> Int64 {
    guard let first = times.first else { return 0 }
    let step = sequence >> UInt64(stepBits)
    guard step >= firstStep else { return first }
    let place = Int(clamping: step - firstStep)
    guard place < times.count - 1 else { return times[times.count - 1] }
    let (from, to) = (times[place], times[place + 1])
    let coarse = UInt64(max(stepBits, Self.fractionBits) - Self.fractionBits)
    let passed = Int64(sequence & (1 << UInt64(stepBits) - 1)) >> coarse
    return from + ((to - from) * passed) >> (Int64(stepBits) - Int64(coarse))
  }

  /// The sequence number of each and its time.
  var all: [(sequence: UInt64, time: LedgerTime)] {
    times.enumerated().map { place, time in
      ((firstStep + UInt64(place)) << UInt64(stepBits), LedgerTime(unchecked: time))
    }
  }
}

extension [UInt8] {
  mutating func append(anchors: TimeAnchors) {
    append(anchors.stepBits)
    append(varint: anchors.firstStep)
    append(varint: UInt64(anchors.times.count))
    var last: Int64 = 0
    for time in anchors.times {
      append(zigzag: time - last)
      last = time
    }
  }
}

extension ByteReader {
  mutating func anchors() throws(LedgerError) -> TimeAnchors {
    let stepBits = try u8()
    let firstStep = try varint()
    let count = try count()
    guard count <= TimeAnchors.countMax else { throw fail("there are \(count) anchors of times") }
    // The last one belongs to a sequence number of no more than 2^63.
    let lastStepMax: UInt64 =
      stepBits <= TimeAnchors.stepBitsMax ? 1 << (63 - UInt64(stepBits)) : 0
    guard firstStep <= lastStepMax, UInt64(count) <= lastStepMax - firstStep + 1,
      lastStepMax > 0
    else { throw fail("the anchors of times are at impossible places") }
    var times: [Int64] = []
    times.reserveCapacity(count)
    for _ in 0..<count { times.append(try time(relativeTo: times.last ?? 0).milliseconds) }
    return TimeAnchors(stepBits: stepBits, firstStep: firstStep, times: times)
  }
}
