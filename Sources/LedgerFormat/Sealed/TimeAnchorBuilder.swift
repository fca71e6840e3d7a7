import LedgerCore

/// Finds the anchors of times of events that are passed by once, in any order.
///
/// Invariants:
/// - `newest` has the newest time of the events of each step, from `firstStep` on;
/// - there are at most `stepsMax`: steps become longer as the range of sequence numbers grows.
package struct TimeAnchorBuilder {
  /// No step is shorter: who reads the events of one task decodes all anchors of the run.
  private static let stepBitsMin: UInt8 = 8
  private static let stepsMax: UInt64 = 4097
  private static let none = Int64.min

  private var stepBits = stepBitsMin
  private var firstStep: UInt64 = 0
  private var newest: [Int64] = []
  private var oldest = Int64.max

  package init() {}

  /// Notes an event.
  package mutating func note(_ sequence: UInt64, _ time: LedgerTime) {
    let time = time.milliseconds
    if newest.isEmpty { firstStep = sequence >> UInt64(stepBits) }
    makeRoom(for: sequence)
    let place = Int(sequence >> UInt64(stepBits) - firstStep)
    newest[place] = max(newest[place], time)
    oldest = min(oldest, time)
  }

  /// Notes what a run has, where its events themselves are not looked at.
  package mutating func note(_ run: SealedRun, zstd: Zstd) throws(LedgerError) {
    note(run.footer.firstSequence, run.footer.oldest.time)
    note(run.footer.lastSequence, run.footer.newest.time)
    for anchor in try run.clocks(zstd: zstd).anchors.all { note(anchor.sequence, anchor.time) }
  }

  private mutating func makeRoom(for sequence: UInt64) {
    var step = sequence >> UInt64(stepBits)
    while max(step + 1, firstStep + UInt64(newest.count)) - min(step, firstStep) > Self.stepsMax {
      lengthenSteps()
      step = sequence >> UInt64(stepBits)
    }
    if step < firstStep {
      newest.insert(
        contentsOf: repeatElement(Self.none, count: Int(firstStep - step)), at: newest.startIndex)
      firstStep = step
    }
    while firstStep + UInt64(newest.count) <= step { newest.append(Self.none) }
  }

  /// Makes one of two steps.
  private mutating func lengthenSteps() {
    var longer: [Int64] = []
    for (place, time) in newest.enumerated() {
      let isSecond = (firstStep + UInt64(place)) & 1 == 1
      if isSecond, let last = longer.popLast() {
        longer.append(max(last, time))
      } else {
        longer.append(time)
      }
    }
    newest = longer
    firstStep >>= 1
    stepBits += 1
  }

  /// An anchor where each step starts and where the last one ends: the newest time of the step before.
  package var anchors: TimeAnchors {
    guard !newest.isEmpty else { return TimeAnchors() }
    var times = [oldest]
    for (place, time) in newest.enumerated() where time != Self.none {
      // In steps without events time is taken to have passed evenly.
      let from = times[times.count - 1]
      let steps = Int64(place + 2 - times.count)
      for step in 1...steps { times.append(from + (time - from) * step / steps) }
    }
    return TimeAnchors(stepBits: stepBits, firstStep: firstStep, times: times)
  }
}
