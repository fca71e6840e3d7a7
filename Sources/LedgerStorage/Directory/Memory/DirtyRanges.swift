/// Which bytes of a file were written since its last sync.
///
/// - The ranges are sorted, do not touch each other, and none is empty.
struct DirtyRanges: Sendable, Equatable {
  private(set) var ranges: [Range<Int>] = []

  var isEmpty: Bool { ranges.isEmpty }

  /// Adds a range, joined with those that it overlaps or touches.
  mutating func insert(_ range: Range<Int>) {
    if range.isEmpty { return }
    let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.count
    let last = ranges[first...].firstIndex { $0.lowerBound > range.upperBound } ?? ranges.count
    var joined = range
    if first < last {
      let lower = min(range.lowerBound, ranges[first].lowerBound)
      joined = lower..<max(range.upperBound, ranges[last - 1].upperBound)
    }
    ranges.replaceSubrange(first..<last, with: [joined])
  }

  /// Whether any byte of a range was written.
  func overlaps(_ range: Range<Int>) -> Bool {
    let next = ranges.first { $0.upperBound > range.lowerBound }
    return next.map { $0.lowerBound < range.upperBound } ?? false
  }

  /// Forgets what lies at or after a position: the file was cut there.
  mutating func cut(at end: Int) {
    while let last = ranges.last, last.upperBound > end {
      ranges.removeLast()
      if last.lowerBound < end { ranges.append(last.lowerBound..<end) }
    }
  }

  mutating func removeAll() { ranges.removeAll() }
}
