/// Which neighbouring segments are merged by themselves, by how many events each holds.
///
/// Invariants of what is merged:
/// - it is at least four segments, and no more events than a segment holds;
/// - none of them holds more than a quarter of the events: each time an event is written anew, its segment has become
///   at least four times as large, so that it happens a few times at most;
/// - where that alone would leave more than 32 neighbours that fit into one segment, sixteen of them are merged
///   whatever their sizes.
struct TierPlan {
  /// The most events of a merged segment.
  var eventsMax: UInt64

  private static let segmentsMin = 4
  /// No more are looked at together, so that many segments do not take quadratic time.
  private static let segmentsMax = 256
  private static let growthMin: UInt64 = 4
  private static let neighboursMax = 32
  private static let reliefCount = 16

  /// The segments to merge next, by their places; nil when there are few enough.
  func next(_ eventCounts: [UInt64]) -> Range<Int>? {
    grown(eventCounts) ?? relief(eventCounts)
  }

  /// The most segments that grow enough together; of as many those with fewer events.
  private func grown(_ counts: [UInt64]) -> Range<Int>? {
    var best: (range: Range<Int>, sum: UInt64)?
    for start in counts.indices {
      var sum: UInt64 = 0
      var largest: UInt64 = 0
      for end in start..<min(counts.count, start + Self.segmentsMax) {
        guard counts[end] <= eventsMax - sum else { break }
        sum += counts[end]
        largest = max(largest, counts[end])
        let count = end + 1 - start
        guard count >= Self.segmentsMin, largest <= sum / Self.growthMin else { continue }
        if let best, best.range.count > count || (best.range.count == count && best.sum <= sum) {
          continue
        }
        best = (start..<end + 1, sum)
      }
    }
    return best?.range
  }

  /// Of too many neighbours that fit into one segment, those with the fewest events.
  private func relief(_ counts: [UInt64]) -> Range<Int>? {
    for start in counts.indices where start + Self.neighboursMax < counts.count {
      let crowd = start...start + Self.neighboursMax
      guard sum(counts[crowd]).map({ $0 <= eventsMax }) ?? false else { continue }
      let places = start...crowd.upperBound - Self.reliefCount + 1
      let first = places.min { left, right in
        sum(counts[left..<left + Self.reliefCount]) ?? .max
          < sum(counts[right..<right + Self.reliefCount]) ?? .max
      }
      return first.map { $0..<$0 + Self.reliefCount }
    }
    return nil
  }

  private func sum(_ counts: ArraySlice<UInt64>) -> UInt64? {
    var sum: UInt64 = 0
    for count in counts {
      let (next, overflow) = sum.addingReportingOverflow(count)
      if overflow { return nil }
      sum = next
    }
    return sum
  }
}
