import LedgerCore
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
    let least = 10 + 2 + 9
    for line in lines { #expect(TextColumns.count(line) <= max(columns, least)) }
    if columns >= 40 {
      #expect(TextColumns.count(lines[0]) == columns)
      #expect(lines[1].hasSuffix("1  ▏"))
      #expect(lines[2].hasSuffix(" 0"))
    }
  }

  /// A ledger with an event on each of many days, by many authors.
  private func world(days: Int64, authors: Int64) throws -> TestWorld {
    let world = try TestWorld()
    world.run("init")
    let start = try LedgerTime("2020-01-15").milliseconds
    let lines = try (0..<days).map { day in
      let time = try LedgerTime(milliseconds: start + day * 86_400_000)
      let author = "author \(day % authors)"
      return "{\"kind\":\"upsert\",\"time\":\"\(time)\",\"author\":\"\(author)\"}\n"
    }
    world.input = Array(lines.joined().utf8)
    #expect(world.run("apply", "-").exit == 0)
    return world
  }

  private func rows(_ world: TestWorld) -> (authors: [Substring], dates: [Substring]) {
    let output = world.run("replay", "--projection", "activity").output
    let parts = output.split(separator: "\n", omittingEmptySubsequences: false)
      .split(separator: "").map(Array.init)
    return (parts[1], parts[2])
  }

  @Test func `gather many authors in a row and many days by months`() throws {
    let world = try world(days: 63, authors: 30)
    world.terminalColumns = 60
    let shown = rows(world)
    #expect(shown.authors.count == 20)
    #expect(shown.authors.last?.hasPrefix("11 others ") == true)
    #expect(shown.dates.map { $0.prefix(12) } == ["2020-01  17 ", "2020-02  29 ", "2020-03  17 "])
    world.terminalColumns = nil
    let plain = world.run("replay", "--projection", "activity").output.split(separator: "\n")
    #expect(plain.count == 30 + 63 && plain.last == "day\t2020-03-17\t1")
  }

  @Test func `gather very many days by years`() throws {
    let world = try world(days: 2000, authors: 1)
    world.terminalColumns = 60
    #expect(rows(world).dates.map { $0.prefix(9) }.first == "2020  352")
    #expect(rows(world).dates.count == 6)
  }

  @Test func `of nothing are nothing`() {
    #expect(BarChart([], columns: 80).lines == [])
    #expect(BarChart([("a", 0)], columns: 80).lines == ["a  0"])
  }
}
