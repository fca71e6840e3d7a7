import LedgerCore
import Testing

@Suite struct `Ranges of sequence numbers` {
  private func random(_ generator: inout SeededGenerator) -> Set<UInt64> {
    Set(
      (0..<Int.random(in: 0...30, using: &generator)).map { _ in
        UInt64.random(in: 1...40, using: &generator)
      })
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `are the set of their numbers`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let (some, others) = (random(&generator), random(&generator))
    let ranges = SequenceRanges(ascending: some.sorted())
    #expect(ranges.count == UInt64(some.count))
    #expect(Set(ranges.ranges.flatMap { $0 }) == some)
    #expect((0...42).allSatisfy { ranges.contains($0) == some.contains($0) })
    #expect(
      zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy {
        $0.upperBound + 1 < $1.lowerBound
      })
    #expect(SequenceRanges(some.shuffled(using: &generator).map { $0...$0 }) == ranges)
    var union = ranges
    union.formUnion(SequenceRanges(ascending: others.sorted()))
    #expect(union == SequenceRanges(ascending: some.union(others).sorted()))
    let first = UInt64.random(in: 0...40, using: &generator)
    let bounds = first...UInt64.random(in: first...41, using: &generator)
    #expect(
      ranges.missing(in: bounds) == SequenceRanges(ascending: bounds.filter { !some.contains($0) }))
    #expect(ranges.clamped(to: bounds) == SequenceRanges(ascending: bounds.filter(some.contains)))
  }

  @Test func `reach to the largest number`() {
    let all = SequenceRanges(0...UInt64.max)
    #expect(all.count == .max && all.contains(.max))
    #expect(all.missing(in: 5...UInt64.max).isEmpty)
    #expect(SequenceRanges(1...3).missing(in: 3...UInt64.max).ranges == [4...UInt64.max])
  }

  @Test func `read as people write them`() {
    #expect(SequenceRanges([5...5, 7...9]).text() == "5, 7 to 9")
    #expect(
      SequenceRanges([1...1, 3...3, 5...5, 7...8]).text(atMost: 2) == "1, 3 and 2 further ranges")
  }
}
