import LedgerCore
import Testing

@testable import LedgerCommands

@Suite struct `Columns on a terminal` {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("naïve", 5), ("e\u{301}", 1), ("東京", 4), ("🌱", 2), ("👩‍👩‍👧", 2), ("❤️", 2),
    ("ﾊﾝｶｸ", 4), ("한글", 4), ("…", 1), ("○✓✗", 3), ("Ａ", 2), ("かﾞ", 3), ("か\u{3099}", 2),
    ("\u{1112}\u{1161}\u{11ab}", 2), ("🇩🇪", 2), ("कि", 2), ("กำ", 2), ("ก็", 1),
  ]) func `are counted as a person sees them`(_ text: String, _ columns: Int) {
    #expect(TextColumns.count(text) == columns)
  }

  @Test func `a cut text fits and says that it is cut`() {
    #expect(TextColumns.cut("Get milk", to: 8) == "Get milk")
    #expect(TextColumns.cut("Get milk", to: 7) == "Get mi…")
    #expect(TextColumns.cut("東京東京", to: 4) == "東…")
    #expect(TextColumns.cut("東京", to: 3) == "東…")
    #expect(TextColumns.cut("abc", to: 1) == "…")
    #expect(TextColumns.cut("abc", to: 0) == "")
    #expect(TextColumns.cut("abc", to: -3) == "")
  }

  @Test func `no cut is ever wider than asked`() {
    let text = "a東e\u{301}🌱b ❤️ c한"
    for columns in 0...TextColumns.count(text) {
      #expect(TextColumns.count(TextColumns.cut(text, to: columns)) <= columns)
    }
  }

  @Test func `wrapped lines keep every word`() {
    let text = "she cannot stand the other one, and we have guests"
    for columns in 8...60 {
      let lines = TextColumns.wrap(text, to: columns)
      #expect(lines.allSatisfy { TextColumns.count($0) <= columns })
      #expect(lines.joined(separator: " ") == text)
    }
  }

  @Test func `a word longer than a line is cut where the line ends`() {
    #expect(TextColumns.wrap("abcdefghijkl", to: 8) == ["abcdefgh", "ijkl"])
    #expect(TextColumns.wrap("a bcdefghijkl", to: 8) == ["a", "bcdefghi", "jkl"])
    #expect(TextColumns.wrap("", to: 8) == [""])
    #expect(TextColumns.wrap("  a", to: 8) == ["  a"])
  }

  @Test func `numbers have commas between thousands`() {
    #expect(
      [0, 12, 999, 1000, 1_234_567, -1000].map { NumberText.grouped($0) }
        == ["0", "12", "999", "1,000", "1,234,567", "-1,000"])
  }
}

@Suite struct `Short ids` {
  private func short(_ ids: String...) throws -> [String] {
    ShortIDs.make(try ids.map { (id) throws(LedgerError) in try TaskID(id) })
  }

  @Test func `a UUID is as short as it can be told from the others`() throws {
    #expect(
      try short(
        "5f0c9a34-0000-4000-8000-000000000000", "5f0c9a35-0000-4000-8000-000000000000",
        "5f0c9a35-1000-4000-8000-000000000000") == ["5f0c9a34", "5f0c9a35-0", "5f0c9a35-1"])
  }

  @Test func `it is told from other ids, too`() throws {
    let id = "5f0c9a34-0000-4000-8000-000000000000"
    #expect(
      try short("5f0c9a34-00", id, "5f0c9a34") == ["5f0c9a34-00", "5f0c9a34-000", "5f0c9a34"])
  }

  @Test func `other ids stay whole`() throws {
    let upper = "5F0C9A34-0000-4000-8000-000000000000"
    #expect(try short("groceries/milk-and-bread-and-butter", upper, "a").last == "a")
    #expect(try short(upper) == [upper])
  }

  @Test func `a list with one id twice is no trouble`() throws {
    let id = "5f0c9a34-0000-4000-8000-000000000000"
    #expect(try short(id, id) == [id, id])
  }
}
