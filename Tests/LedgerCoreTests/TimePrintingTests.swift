import LedgerCore
import Testing

/// Times are printed in UTC with three decimals and Z.
struct TimePrintingTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (1_796_040_000_123, "2026-11-30T12:00:00.123Z"),
    (951_782_400_007, "2000-02-29T00:00:00.007Z"),
    (LedgerTime.earliest.milliseconds, "0000-01-01T00:00:00.000Z"),
    (LedgerTime.latest.milliseconds, "9999-12-31T23:59:59.999Z"),
  ])
  func `a time is printed with three decimals and Z`(milliseconds: Int64, text: String) throws {
    #expect(try LedgerTime(milliseconds: milliseconds).description == text)
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `what is printed reads back as the same time`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let range = LedgerTime.earliest.milliseconds...LedgerTime.latest.milliseconds
    for _ in 0..<5000 {
      let time = try LedgerTime(milliseconds: Int64.random(in: range, using: &generator))
      #expect(try LedgerTime(time.description) == time)
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `printed times sort as the times do`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let range = LedgerTime.earliest.milliseconds...LedgerTime.latest.milliseconds
    let times = try (0..<500).map { _ in
      try LedgerTime(milliseconds: Int64.random(in: range, using: &generator))
    }
    #expect(times.sorted().map(\.description) == times.map(\.description).sorted())
  }
}
