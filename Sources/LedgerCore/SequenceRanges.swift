/// A set of sequence numbers, as ranges.
///
/// Invariants: the ranges ascend, and between two of them at least one number is missing.
public struct SequenceRanges: Hashable, Sendable {
  /// The ranges, in order.
  public private(set) var ranges: [ClosedRange<UInt64>] = []

  /// Makes an empty set.
  public init() {}

  /// Makes a set of the numbers of one range.
  public init(_ range: ClosedRange<UInt64>) { ranges = [range] }

  /// Makes a set of ranges in any order; they may overlap.
  public init(_ ranges: some Sequence<ClosedRange<UInt64>>) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(range) }
  }

  /// Makes a set of numbers that ascend.
  public init(ascending numbers: some Sequence<UInt64>) {
    for number in numbers { append(number...number) }
  }

  /// Whether there is no number.
  public var isEmpty: Bool { ranges.isEmpty }

  /// How many numbers there are.
  public var count: UInt64 {
    ranges.reduce(0) { sum, range in
      let (more, overflow) = sum.addingReportingOverflow(range.upperBound - range.lowerBound)
      return overflow || more == .max ? .max : more + 1
    }
  }

  /// Whether a number is there.
  public func contains(_ number: UInt64) -> Bool {
    let place = ranges.prefixCount { $0.upperBound < number }
    return place < ranges.count && ranges[place].contains(number)
  }

  /// Adds a range that does not begin before the last one.
  private mutating func append(_ range: ClosedRange<UInt64>) {
    guard let last = ranges.last, last.upperBound == .max || last.upperBound + 1 >= range.lowerBound
    else { return ranges.append(range) }
    ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
  }

  /// Adds all numbers of another set.
  public mutating func formUnion(_ other: SequenceRanges) {
    guard !other.isEmpty else { return }
    self = isEmpty ? other : SequenceRanges(ranges + other.ranges)
  }

  /// The numbers of a range that are not here.
  public func missing(in range: ClosedRange<UInt64>) -> SequenceRanges {
    var missing = SequenceRanges()
    var next = range.lowerBound
    for known in ranges where known.upperBound >= next {
      guard known.lowerBound <= range.upperBound else { break }
      if known.lowerBound > next { missing.append(next...known.lowerBound - 1) }
      guard known.upperBound < range.upperBound else { return missing }
      next = known.upperBound + 1
    }
    missing.append(next...range.upperBound)
    return missing
  }

  /// Those that are not among others.
  public func without(_ others: SequenceRanges) -> SequenceRanges {
    guard !others.isEmpty else { return self }
    return SequenceRanges(ranges.flatMap { others.missing(in: $0).ranges })
  }

  /// The numbers that are in a range, too.
  public func clamped(to range: ClosedRange<UInt64>) -> SequenceRanges {
    SequenceRanges(ranges.filter { $0.overlaps(range) }.map { $0.clamped(to: range) })
  }

  /// The numbers that are in another set, too.
  package func intersection(_ other: SequenceRanges) -> SequenceRanges {
    SequenceRanges(other.ranges.flatMap { clamped(to: $0).ranges })
  }

  /// What messages call the events with these numbers: "event 5", "events 1 to 4".
  package var eventsText: String { "\(count == 1 ? "event" : "events") \(text())" }

  /// The ranges for people: "5, 7 to 9"; of many the first few.
  public func text(atMost most: Int = 4) -> String {
    let shown = ranges.prefix(most).map { range in
      range.lowerBound == range.upperBound
        ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
    }
    let rest = ranges.count - shown.count
    let text = shown.joined(separator: ", ")
    return rest > 0 ? "\(text) and \(rest) further ranges" : text
  }
}
