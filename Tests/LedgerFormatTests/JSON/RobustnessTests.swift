import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `Damaged lines` {
  static let valid: [String] = [
    #"{"kind":"upsert","task":"123abc","set":{"body":"Get milk","n":{"x":1.5e3,"y":[1,[true],"é"]}}}"#,
    #"{"kind":"update","task":"a😀","set":{"due":null,"priority":-2},"unset":["tags.home","x"]}"#,
    #"{"kind":"toggle","task":"\ud83d\ude00","time":"2026-11-30T12:00:00.123Z","author":"ann"}"#,
    #"{"transaction":"t-1","message":"why\n\u0041","kind":"delete","task":"123abc"}"#,
    #"{"kind":"evict","task":"018bcfe5-78bf-70e6-a4c1-23126ffda722","transaction":9223372036854775807}"#,
  ]

  /// Bytes that matter to a reader of JSON more often than others.
  private static let telling =
    Array("{}[]\",:\\u0019-+.eE \tdtfn".utf8) + [0, 0x0d, 0x80, 0xc3, 0xed, 0xf0, 0xff]

  private func mutate(_ line: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var line = line
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let index = Int.random(in: 0...line.count, using: &generator)
      let byte =
        Bool.random(using: &generator)
        ? Self.telling.randomElement(using: &generator) ?? 0
        : UInt8.random(in: 0...255, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0 where index < line.count: line[index] = byte
      case 1 where index < line.count:
        line[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 2 where index < line.count: line.remove(at: index)
      case 3: line.removeSubrange(index...)
      case 4:
        let end = Int.random(in: index...line.count, using: &generator)
        line.insert(
          contentsOf: line[index..<end], at: Int.random(in: 0...line.count, using: &generator))
      default: line.insert(byte, at: index)
      }
    }
    return line
  }

  @Test(arguments: valid)
  func `the lines to damage are fine`(line: String) throws { _ = try ApplyLine(jsonBytes(line)) }

  @Test func `a damaged line is read or refused, and never more than that`() {
    var parsed = 0
    var refused = 0
    for seed in UInt64(0)..<20_000 {
      var generator = SeededGenerator(seed: seed)
      let line = mutate(Array(Self.valid[Int(seed % 5)].utf8), using: &generator)
      do {
        _ = try ApplyLine(line[...], number: 1)
        parsed += 1
      } catch {
        refused += 1
        #expect(error.code == .badLine, "seed \(seed)")
        #expect(error.sentence.hasPrefix("line 1"), "seed \(seed)")
      }
      _ = TransactionToken.find(in: line[...])
      _ = try? DocumentReader.document(line[...])
    }
    #expect(parsed > 500 && refused > 5000, "\(parsed) parsed, \(refused) refused")
  }

  @Test func `a cut line is refused wherever it is cut`() {
    for line in Self.valid {
      let whole = Array(line.utf8)
      for count in whole.indices {
        let sentence = jsonRefusal(.badLine) { try ApplyLine(whole[..<count]) }
        #expect(!sentence.isEmpty, "\(count) bytes of \(line)")
      }
    }
  }
}
