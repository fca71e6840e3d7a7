import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `Documents read back` {
  private func document(_ json: String) throws -> TaskItem {
    let (id, changes) = try DocumentReader.document(jsonBytes(json))
    let fields = changes.changes.compactMap { change in
      change.value.map { (change.name.text, $0) }
    }
    return TaskItem(id: try #require(id), sortedFields: fields)
  }

  @Test func `keys sort by UTF-16 code units`() throws {
    // RFC 8785, section 3.2.3: U+1F600 is a surrogate pair in UTF-16 and sorts before U+FB33.
    let json =
      #"{"_id":"a","\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}"#
    #expect(
      try document(json).json
        == "{\"\\r\":2,\"1\":4,\"_id\":\"a\",\"body\":\"\",\"isCompleted\":false,\"isDeleted\":false,"
        + "\"\u{80}\":6,\"\u{f6}\":7,\"\u{20ac}\":1,\"\u{1f600}\":5,\"\u{fb33}\":3}")
  }

  @Test func `the sample of RFC 8785 is written so`() throws {
    let json =
      #"{"_id":"a","numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"#
      + #""string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[true,false]}"#
    #expect(
      try document(json).json
        == #"{"_id":"a","body":"","isCompleted":false,"isDeleted":false,"literals":[true,false],"#
        + #""numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#
        + #""string":"€$\u000f\nA'B\"\\\\\"/"}"#)
  }

  @Test func `the canonical JSON of a document gives the same document`() throws {
    for seed in UInt64(0)..<300 {
      var generator = SeededGenerator(seed: seed)
      let item = randomItem(using: &generator)
      let again = try document(item.json)
      #expect(again == item, "seed \(seed)")
      #expect(again.json == item.json, "seed \(seed)")
    }
  }

  private func randomItem(using generator: inout SeededGenerator) -> TaskItem {
    var item = TaskItem(id: .random(using: &generator), body: randomText(using: &generator))
    for _ in 0..<Int.random(in: 0..<8, using: &generator) {
      let segments = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        ["a", "b", "é", "😀", "\u{fb33}", "\n", "_id2"].randomElement(using: &generator) ?? "a"
      }
      item[segments.joined(separator: ".")] = randomValue(depth: 0, using: &generator)
    }
    return item
  }

  private func randomValue(depth: Int, using generator: inout SeededGenerator) -> Value {
    switch Int.random(in: 0..<(depth < 4 ? 6 : 4), using: &generator) {
    case 0: return .bool(Bool.random(using: &generator))
    case 1:
      return .int(
        Int64(bitPattern: generator.next() >> UInt64.random(in: 0..<64, using: &generator)))
    case 2:
      let number = Double.random(in: -1e6..<1e6, using: &generator)
      return Value.integral(number).map(Value.int) ?? .double(number)
    case 3: return .text(randomText(using: &generator))
    default:
      return .array(
        (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
          randomValue(depth: depth + 1, using: &generator)
        })
    }
  }

  private func randomText(using generator: inout SeededGenerator) -> String {
    var scalars = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<20, using: &generator) {
      let bound: UInt32 = [0x80, 0x800, 0xffff, 0x110000].randomElement(using: &generator) ?? 0x80
      if let scalar = Unicode.Scalar(UInt32.random(in: 0..<bound, using: &generator)) {
        scalars.append(scalar)
      }
    }
    return String(scalars)
  }
}
