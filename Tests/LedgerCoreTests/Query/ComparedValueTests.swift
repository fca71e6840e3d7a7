import LedgerCore
import Testing

struct `Comparing values` {
  /// In ascending order; values of one row are equal.
  private static let rows: [[Value?]] = [
    [nil], [false], [true], [.int(.min), .double(-0x1p63)], [.double(-1.5)], [0, .double(-0.0)],
    [.double(0.5)], [1],
    [9_007_199_254_740_992], [9_007_199_254_740_993], [.int(.max)], [.double(0x1p63)],
    [.double(1e300)],
    ["0000-01-01"], ["2026-11-30T23:59:59.999Z", "2026-11-30T23:59:59.9999Z"],
    ["2026-12-01", "2026-12-01T00:00:00Z", "2026-12-01 01:00:00+01:00"],
    ["2026-12-31T23:59:60Z", "2027-01-01"],
    ["9999-12-31T23:59:59.999Z"], [""], ["0"], ["2026-11-31"], ["2026-12"], ["2026-12-01T00:00:00"],
    ["9999-12-31T23:59:59-01:00"], ["Z"], ["a"], ["aa"], ["e\u{301}"], ["\u{e9}"], ["\u{FB01}"],
    ["\u{1F600}"], [[]],
    [[false]], [[1]], [[1, 2]], [[2], [.double(2)]], [["2026-12-01"], ["2026-12-01T00:00:00Z"]],
    [["a"]], [[[]]],
  ]

  @Test func `sorts every two values, and agrees with comparisons`() {
    let all = Self.rows.enumerated().flatMap { row, values in
      values.map { (row, ComparedValue($0)) }
    }
    for (i, a) in all {
      for (j, b) in all {
        let order = ComparedValue.sortOrder(a, b).signum()
        #expect(order == (i - j).signum(), "\(a) and \(b)")
        #expect((a == b) == (i == j), "\(a) and \(b)")
        if i == j { #expect(a.hashValue == b.hashValue, "\(a) and \(b)") }
        guard let compared = ComparedValue.order(a, b) else { continue }
        let isMixed = if case .instant = a { !isInstant(b) } else { isInstant(b) }
        #expect(isMixed || compared.signum() == order, "\(a) and \(b)")
      }
    }
  }

  private func isInstant(_ value: ComparedValue) -> Bool {
    if case .instant = value { true } else { false }
  }

  @Test func `gives an order to values of one type alone`() {
    let values: [Value?] = [nil, true, 1, "2026-12-01", "a", [1]]
    for (i, a) in values.enumerated() {
      for (j, b) in values.enumerated() {
        let areComparable = (i == j && i > 0) || (Set([i, j]) == [3, 4])
        let order = ComparedValue.order(ComparedValue(a), ComparedValue(b))
        #expect(
          (order != nil) == areComparable, "\(String(describing: a)) \(String(describing: b))")
        for comparison in [Comparison.less, .lessOrEqual, .greater, .greaterOrEqual]
        where !areComparable {
          #expect(!comparison.holds(ComparedValue(a), ComparedValue(b)))
        }
      }
    }
    // A date beside another text goes by its bytes.
    let date = ComparedValue("2026-12-01")
    #expect(Comparison.greater.holds(date, ComparedValue("2026-12")))
    #expect(Comparison.less.holds(date, ComparedValue("2026-12-01T")))
    #expect(!Comparison.equal.holds(date, ComparedValue("2026-12")))
  }

  @Test func `takes an object for something that equals nothing`() {
    for other in [ComparedValue.object, .missing, ComparedValue(1)] {
      #expect(!Comparison.equal.holds(.object, other))
      #expect(!Comparison.equal.holds(other, .object))
      #expect(Comparison.notEqual.holds(.object, other))
      #expect(
        !Comparison.less.holds(.object, other) && !Comparison.lessOrEqual.holds(other, .object))
    }
  }
}
