import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `Cutting a stream into lines` {
  /// The lines as "number:text", a refused one as its sentence.
  private func lines(_ stream: [UInt8], chunk: Int, lineBytesMax: Int = 1000) -> [String] {
    var splitter = LineSplitter(lineBytesMax: lineBytesMax)
    var result: [String] = []
    func drain() {
      while true {
        do {
          guard let line = try splitter.next() else { return }
          result.append("\(line.number):\(String(decoding: line.bytes, as: UTF8.self))")
        } catch {
          result.append(error.sentence)
        }
      }
    }
    var rest = stream[...]
    while !rest.isEmpty {
      splitter.append(rest.prefix(chunk))
      rest = rest.dropFirst(chunk)
      drain()
    }
    splitter.finish()
    drain()
    drain()
    return result
  }

  private func expectLines(
    _ stream: String, _ expected: [String], lineBytesMax: Int = 1000,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for chunk in 1...max(1, stream.utf8.count) {
      #expect(
        lines(Array(stream.utf8), chunk: chunk, lineBytesMax: lineBytesMax) == expected,
        "chunks of \(chunk)", sourceLocation: sourceLocation)
    }
  }

  @Test func `lines are the same however the stream is chunked`() {
    expectLines("one\ntwo\nthree\n", ["1:one", "2:two", "3:three"])
  }

  @Test func `a missing last newline is fine`() { expectLines("one\ntwo", ["1:one", "2:two"]) }

  @Test func `an empty stream has no lines`() {
    expectLines("", [])
    expectLines("\n", [])
    expectLines("\u{feff}", [])
    expectLines("\u{feff}\r\n", [])
  }

  @Test func `a carriage return before the newline is dropped`() {
    expectLines("one\r\ntwo\r\n\r\nfour\r", ["1:one", "2:two", "4:four"])
  }

  @Test func `empty and blank lines count and are not given out`() {
    expectLines("\n\none\n \t \n\r\ntwo\n\n", ["3:one", "6:two"])
  }

  @Test func `a byte-order mark is dropped at the start only`() {
    expectLines("\u{feff}one\n\u{feff}two\n", ["1:one", "2:\u{feff}two"])
  }

  @Test func `half a byte-order mark is no mark`() {
    for half in [[0xef], [0xef, 0xbb], [0xef, 0xbb, 0x0a]] as [[UInt8]] {
      for chunk in 1...3 {
        #expect(lines(half, chunk: chunk).count == 1, "\(half)")
      }
    }
  }

  @Test func `a line that is too long is refused and the next one is read`() {
    let long = String(repeating: "x", count: 11)
    let sentence = "line 2: the line is longer than 10 bytes, which is the most"
    let most = String(repeating: "y", count: 10)
    expectLines("a\n\(long)\n\(most)\nb", ["1:a", sentence, "3:\(most)", "4:b"], lineBytesMax: 10)
    expectLines("a\n\(long)\(long)\(long)\n\nb\n", ["1:a", sentence, "4:b"], lineBytesMax: 10)
    expectLines("a\n\(long)\(long)", ["1:a", sentence], lineBytesMax: 10)
  }

  @Test func `NUL bytes are left to the reader of the line`() {
    expectLines("a\u{0}\n\u{0}\n", ["1:a\u{0}", "2:\u{0}"])
  }

  @Test func `lines keep their bytes when more is appended`() throws {
    var splitter = LineSplitter()
    splitter.append(jsonBytes("one\ntwo"))
    let first = try #require(try splitter.next())
    let none = try splitter.next()
    #expect(none?.number == nil)
    splitter.append(jsonBytes("\nthree\n"))
    let second = try #require(try splitter.next())
    #expect(String(decoding: first.bytes, as: UTF8.self) == "one")
    #expect(String(decoding: second.bytes, as: UTF8.self) == "two")
  }
}
