import Testing

@testable import LedgerCommands

struct `Bar charts` {
  @Test(arguments: [1, 10, 20, 40, 80, 200])
  func `fit the width and show whatever is not nothing`(columns: Int) {
    let rows: [BarChart.Row] = [
      ("ann", 1_000_000), ("日本語の名前がとても長い人", 1), ("none", 0), ("half", 500_000),
    ]
    let lines = BarChart(rows, columns: columns).lines
    #expect(lines.count == rows.count)
    // Label and number are shown whatever the width.
    let least = 8 + 2 + 9
    for line in lines { #expect(TextColumns.count(line) <= max(columns, least)) }
    if columns >= 40 {
      #expect(TextColumns.count(lines[0]) == columns)
      #expect(lines[1].hasSuffix("1  ▏"))
      #expect(lines[2].hasSuffix(" 0"))
    }
  }

  @Test func `of nothing are nothing`() {
    #expect(BarChart([], columns: 80).lines == [])
    #expect(BarChart([("a", 0)], columns: 80).lines == ["a  0"])
  }
}
