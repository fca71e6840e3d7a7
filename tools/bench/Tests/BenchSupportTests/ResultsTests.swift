import BenchSupport
import Testing

@Suite struct `Results that are kept` {
  private func line(_ row: String, _ ratio: Spread, commit: String = "abc") -> ResultLine {
    ResultLine(
      commit: commit, date: "2026-11-30T12:00:00Z", machine: "A machine, 2 cores", row: row,
      count: 1000, rounds: 3, ratio: ratio, ledger: "ledger replay: 9.00 M/s",
      other: "SQLite: 2.00 M/s", isBetterLower: row.hasPrefix("growth"))
  }

  private func spread(_ minimum: Double, _ median: Double, _ maximum: Double) -> Spread {
    Spread(median: median, minimum: minimum, maximum: maximum)
  }

  @Test func `read as they were written`() throws {
    let line = line("replay", spread(3.9, 4.5, 5.25))
    let bytes = Array(line.json.utf8)
    #expect(try bytes.withUnsafeBufferPointer { try ResultLine($0) } == line)
    let cut = Array(line.json.replacing("\"ratio_min\"", with: "\"other_min\"").utf8)
    #expect(throws: BenchError.self) { try cut.withUnsafeBufferPointer { try ResultLine($0) } }
  }

  @Test func `show a slip only where no round was as good as before`() {
    let before = spread(4, 4.5, 5)
    func slips(_ row: String, _ now: Spread) -> Bool {
      !ResultsPage([line(row, before), line(row, now, commit: "def")]).slips.isEmpty
    }
    #expect(slips("replay", spread(3, 3.5, 3.9)))
    #expect(!slips("replay", spread(3, 3.5, 4.1)))
    #expect(!slips("replay", spread(6, 7, 8)))
    #expect(slips("growth-replay", spread(6, 7, 8)))
    #expect(!slips("growth-replay", spread(1, 2, 3)))
  }

  @Test func `are shown with the run before`() {
    let page = ResultsPage([
      line("replay", spread(4, 4, 4)), line("cores", spread(1, 1, 1)),
      line("replay", spread(6, 6, 6), commit: "def"),
    ]).markdown
    #expect(
      page.contains("| replay | 1,000 | 6.00 [6.00, 6.00] | 4.00 [4.00, 4.00], abc | +50 % |"))
    #expect(page.contains("| cores | 1,000 | 1.00 [1.00, 1.00] | – | – |"))
    #expect(page.split(separator: "\n").count { $0.hasPrefix("| replay") } == 1)
  }

  @Test func `of growth have the exponent of the counts`() throws {
    let squares = [10, 100, 1000].map { (count: $0, value: 3 * Double($0) * Double($0)) }
    #expect(abs(try #require(growthExponent(of: squares)) - 2) < 1e-9)
    let flat = [10, 100, 1000].map { (count: $0, value: 7.0) }
    #expect(abs(try #require(growthExponent(of: flat))) < 1e-9)
    #expect(growthExponent(of: [(10, 1)]) == nil)
    #expect(growthExponent(of: [(10, 1), (100, 0)]) == nil)
  }
}
