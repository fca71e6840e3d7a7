import LedgerCore
import Testing

@testable import LedgerCommands

@Suite struct `A line that is put together` {
  private static func text(isStyled: Bool = false, _ build: (inout LineWriter) -> Void) -> String {
    var line = LineWriter(isStyled: isStyled)
    line.add("> ")
    build(&line)
    return String(decoding: line.bytes, as: UTF8.self)
  }

  @Test(
    arguments: [
      "Get milk", "", "Käse \"fein\" \\ 日本語 🥛", "two\nlines\t", "\u{1b}[31mred",
      "a\u{202e}b\u{200b}c",
      true, -7, 2.5, ["home", "a\u{2028}b", []],
    ] as [Value])
  func `shows a value as a text of its own does`(value: Value) {
    #expect(Self.text { $0.add(quoted: value) } == "> " + ValueText.quoted(value))
  }

  @Test func `has styles only where the stream has them`() {
    func build(_ line: inout LineWriter) {
      line.add("a", .red)
      line.add("", .bold)
      line.styled(.dim) { $0.add(7, paddedTo: 3) }
    }
    #expect(Self.text(build) == "> a  7")
    #expect(Self.text(isStyled: true, build) == "> \u{1b}[31ma\u{1b}[0m\u{1b}[2m  7\u{1b}[0m")
  }

  @Test func `has numbers and times in full`() throws {
    let time = try LedgerTime("0007-02-03T04:05:06.078Z")
    let line = Self.text {
      $0.add(UInt64.max, paddedTo: 6)
      $0.add(time)
    }
    #expect(line == "> 184467440737095516150007-02-03T04:05:06.078Z")
  }
}
