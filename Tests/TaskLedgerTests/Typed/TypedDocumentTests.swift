import Foundation
import TaskLedger
import Testing

/// Values as apps declare them, written to a ledger and read back.
struct `Typed documents` {
  private let ledger: Ledger
  init() throws { ledger = try Ledger.inMemory(author: "ann") }

  private struct Everything: Codable, Equatable {
    enum Size: String, Codable { case small, large }
    struct Deep: Codable, Equatable {
      struct Deeper: Codable, Equatable { var flag = true }
      var deeper = Deeper()
      var numbers: [Int: Double] = [:]
    }
    var _id = "every"
    var body = "é"
    var flag = true
    var small: Int8 = -128
    var large = Int64.min
    var unsigned: UInt = 7
    var half = 0.5
    var whole = 3.0
    var tenth: Float = 0.1
    var date = Date(timeIntervalSince1970: 1_764_504_000.123)
    var uuid = UUID(uuidString: "5F0C9A34-1D2E-4F3A-8B4C-0123456789AB")
    var url = URL(string: "https://example.org/a?b=c")
    var size = Size.large
    var deep = Deep()
    var matrix = [[1, 2], [], [3]]
    var dates = [Date(timeIntervalSince1970: 0)]
    var marks: Set<String> = ["b", "c", "a"]
    var none: String?
    var value: Value = ["x", 2]
    var other: TaskID = "milk"
  }

  private struct Line: Codable, Equatable {
    var _id: TaskID
    var body: String
  }

  @Test func `are all that are not deleted where no query says otherwise, and are counted so`()
    async throws
  {
    for name in ["a", "b", "c"] { try ledger.upsert(Line(_id: TaskID(name), body: name)) }
    try ledger.delete("b")
    try ledger.toggle("c")
    #expect(try ledger.find(as: Line.self).map(\.body) == ["a", "c"])
    #expect(try ledger.find(as: Line.self, sortedBy: "body:desc", limit: 1).map(\.body) == ["c"])
    #expect(try ledger.find(as: Line.self, .everything).count == 3)
    for try await notes in ledger.observe(as: Line.self) {
      #expect(notes.map(\.body) == ["a", "c"])
      break
    }
    #expect(try ledger.count() == 2)
    #expect(try ledger.count(of: .everything) == 3)
    #expect(try ledger.count(of: "isCompleted && body == $b", ["b": "c"]) == 1)
    #expect(try ledger.at(.sequence(2)).count() == 2)
    #expect(try ledger.transaction { try $0.count(of: Field("isDeleted").query) } == 1)
    let error = #expect(throws: LedgerError.self) { try ledger.count(of: "isDeleted &") }
    #expect(error?.column == 11)
  }

  @Test func `come back as they went in`() throws {
    var value = Everything()
    value.deep.numbers = [1: 1.5, -2: 2]
    let id = try ledger.upsert(value)
    #expect(id == "every")
    #expect(try ledger.task(id, as: Everything.self) == value)
    #expect(
      try ledger.task(id)?.json == """
        {"_id":"every","body":"é","date":"2025-11-30T12:00:00.123Z","dates":["1970-01-01T00:00:00.000Z"],\
        "deep":{"deeper":{"flag":true},"numbers":{"-2":2,"1":1.5}},"flag":true,"half":0.5,"isCompleted":false,\
        "isDeleted":false,"large":-9223372036854775808,"marks":["a","b","c"],"matrix":[[1,2],[],[3]],"other":"milk",\
        "size":"large","small":-128,"tenth":0.1,"unsigned":7,"url":"https://example.org/a?b=c",\
        "uuid":"5f0c9a34-1d2e-4f3a-8b4c-0123456789ab","value":["x",2],"whole":3}
        """)
    try ledger.upsert(value)
    #expect(try ledger.lastSequence == 1, "the same again changes nothing")
    let plain = try JSONDecoder().decode(
      TaskItem.self, from: JSONEncoder().encode(TaskItem(encoding: value)))
    #expect(plain == (try ledger.task(id)))
    #expect(try ledger.task(id, as: TaskItem.self) == plain)
    #expect(try ledger.upsert(plain, unsettingNil: true) == id)
    #expect(try ledger.lastSequence == 1)
  }

  private struct Dated: Codable {
    var _id = UUID()
    var due: Date?
    var start: LedgerTime?
  }

  @Test func `read dates of both forms and do not write them anew`() throws {
    let id: TaskID = "5f0c9a34-1d2e-4f3a-8b4c-0123456789ab"
    var item = TaskItem(id: id, body: "x")
    item["due"] = "2026-12-24"
    item["start"] = "2026-12-24T01:00:00+01:00"
    try ledger.upsert(item)
    let dated = try #require(try ledger.task(id, as: Dated.self))
    #expect(dated.due == Date(timeIntervalSince1970: 1_798_070_400))
    #expect(dated.start == (try LedgerTime("2026-12-24")))
    try ledger.upsert(dated)
    try ledger.update(id, as: Dated.self) { $0.due = $0.due }
    #expect(try ledger.lastSequence == 1)
    try ledger.update(id, as: Dated.self) { $0.due?.addTimeInterval(0.001) }
    #expect(try ledger.task(id)?["due"] == "2026-12-24T00:00:00.001Z")
    #expect(try ledger.task(id)?["start"] == "2026-12-24T01:00:00+01:00")
  }

  private struct Unnamed: Codable { var body = "new" }
  private struct Misnamed: Codable { var id = "x" }
  private struct Note: Codable {
    var _id = "note"
    var text: String?
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(_id, forKey: ._id)
      try container.encode(text, forKey: .text)
    }
  }

  @Test func `name their task, or make a new one`() throws {
    #expect(try ledger.upsert(Unnamed()) != ledger.upsert(Unnamed()))
    #expect(try problem(Misnamed()).contains("\"id\" and no \"_id\""))
    try ledger.upsert(Note(text: "here"))
    let error = #expect(throws: LedgerError.self) {
      try ledger.update("note", as: Note.self) { $0._id = "other" }
    }
    #expect(error?.sentence.contains("a task keeps its id") == true)
  }

  @Test func `unset with an explicit null`() throws {
    try ledger.upsert(Note(text: "here"))
    try ledger.upsert(Note(text: nil))
    #expect(try ledger.task("note")?["text"] == nil)
    #expect(try ledger.lastSequence == 2)
  }

  private struct Keyed<Key: Hashable & Codable>: Codable {
    var counts: [Key: Int]
    var lists: [[Key: Int]] = []
  }

  @Test func `hold dictionaries whose keys are names, and no others`() throws {
    let id = try ledger.upsert(Keyed(counts: ["milk": 2]))
    #expect(try ledger.task(id)?["counts.milk"] == 2)
    let key = UUID()
    let hint = "whose keys are no names"
    #expect(try problem(Keyed(counts: [key: 1])).contains("\"counts\" is a dictionary \(hint)"))
    #expect(
      try problem(Keyed(counts: [:], lists: [[key: 1]])).contains("\"counts\" is a dictionary"))
  }

  /// The sentence of the error with which a value is refused.
  private func problem(_ value: some Encodable) throws -> String {
    let last = try ledger.lastSequence
    let error = #expect(throws: LedgerError.self) { try ledger.upsert(value) }
    #expect(error?.code == .invalid)
    #expect(try ledger.lastSequence == last)
    return error?.message ?? ""
  }

  private struct Holding<T: Codable>: Codable {
    var _id = "h"
    var field: T
  }
  private struct Pair: Codable { var a = 1 }
  private struct Nothing: Codable {}
  private final class Loop: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(self)
    }
  }

  @Test func `are refused by the name of the field`() throws {
    #expect(try problem(Holding(field: [Pair()])).hasPrefix("the field \"field[0]\" is an object"))
    #expect(try problem(Holding(field: ["k": [Nothing()]])).hasPrefix("the field \"field.k[0]\""))
    #expect(try problem(Holding(field: [[1, nil]])).hasPrefix("the field \"field[0][1]\" is nil"))
    #expect(
      try problem(Holding(field: ["deep": [0.5, .nan]]))
        == "the field \"field.deep[1]\" is nan, expected a finite number")
    #expect(
      try problem(Holding(field: UInt64.max))
        == "the field \"field\" is 18446744073709551615, expected an integer of 64 bits with a sign"
    )
    #expect(
      try problem(Holding(field: Date.distantPast.addingTimeInterval(-1e12)))
        .contains("outside the years"))
    #expect(
      try problem(Holding(field: URL(string: "b", relativeTo: URL(string: "https://a.org/"))))
        .contains("relative"))
    #expect(try problem(Holding(field: ["": 1])).contains("empty segment"))
    #expect(try problem(Holding(field: ["a": 1, "a.b": 2])).contains("exclude each other"))
    #expect(try problem(["body": 1]).contains("\"body\" is an integer, expected text"))
    #expect(try problem(["_id": 1]) == "the field \"_id\" is an integer, expected text")
    #expect(try problem(["_id": ["a": 1]]) == "the field \"_id\" is an object, expected text")
    #expect(try problem("text") == "a task is encoded as text, expected named fields")
    #expect(try problem([1]) == "a task is encoded as an array, expected named fields")
    #expect(try problem(Int?.none) == "a task is encoded as nil, expected named fields")
    #expect(try problem(Loop()).contains("nests too deep"))
    let long = String(repeating: "x", count: Limits.valueBytesMax)
    #expect(try problem(Holding(field: long)).hasPrefix("the field \"field\" is refused"))
  }

  /// The sentence of the error with which a task is refused.
  private func problem<T: Codable>(of value: Value?, as type: T.Type) throws -> String {
    var item = TaskItem(id: "t")
    if let value { item["field"] = value }
    let error = #expect(throws: LedgerError.self) { try item.decoded(as: Holding<T>.self) }
    #expect(error?.code == .invalid)
    let message = error?.message ?? ""
    return message.components(separatedBy: ">: ").last ?? message
  }

  private enum Size: String, Codable { case small, large }

  @Test func `that do not fit say which field, what it is and what was expected`() throws {
    #expect(
      try problem(of: "high", as: Int.self)
        == "the field \"field\" is \"high\", expected an integer")
    #expect(
      try problem(of: 300, as: UInt8.self)
        == "the field \"field\" is 300, expected an integer from 0 to 255")
    #expect(try problem(of: 0.5, as: Int.self).hasSuffix("is 0.5, expected an integer"))
    #expect(
      try problem(of: nil, as: String.self) == "the field \"field\" is missing, expected text")
    #expect(try problem(of: ["a", 2], as: [String].self).hasPrefix("the field \"field[1]\" is 2"))
    #expect(try problem(of: "x", as: [String].self).hasSuffix("expected an array"))
    #expect(try problem(of: "x", as: Pair.self).hasSuffix("expected an object"))
    #expect(try problem(of: nil, as: Pair.self).hasPrefix("the field \"field.a\" is missing"))
    #expect(
      try problem(of: "tiny", as: Size.self)
        .hasPrefix("the field \"field\" is \"tiny\", expected Size"))
    #expect(try problem(of: "soon", as: Date.self).contains("is \"soon\", expected a time"))
    #expect(try problem(of: 5, as: Date.self).contains("is 5, expected a time"))
    #expect(try problem(of: "x", as: UUID.self).contains("is \"x\", expected a UUID"))
    #expect(try problem(of: "", as: URL.self).contains("expected a URL"))
    #expect(try problem(of: "1e40", as: Float.self).contains("expected a number of 32 bits"))
    try ledger.upsert(TaskItem(id: "5F0C9A34-1D2E-4F3A-8B4C-0123456789AB"))
    let error = #expect(throws: LedgerError.self) { try ledger.find(as: Dated.self, .everything) }
    #expect(error?.message.contains("\"_id\" is \"5F0C9A34") == true)
    #expect(error?.message.contains("a UUID in lower case") == true)
  }

  private struct Optionals: Codable, Equatable {
    var body: String?
    var isCompleted: Bool?
    var pair: Holder?
    var labels: [String: Int] = [:]
    struct Holder: Codable, Equatable { var a: Int? }
  }

  @Test func `read as empty what is not there`() throws {
    let empty = try TaskItem(id: "t").decoded(as: Optionals.self)
    #expect(empty == Optionals(body: "", isCompleted: false, pair: nil, labels: [:]))
    var item = TaskItem(id: "t", body: "b")
    item["pair.b"] = 1
    item["labels.x"] = 1
    item["labels-a"] = 2
    let some = try item.decoded(as: Optionals.self)
    #expect(some == Optionals(body: "b", isCompleted: false, pair: .init(), labels: ["x": 1]))
  }

  @Test func `are written at an expected revision only`() throws {
    try ledger.upsert(Note(text: "one"), expecting: 0)
    let revision = try #require(try ledger.revision(of: "note"))
    try ledger.update("note", as: Note.self, expecting: revision) { $0.text = "two" }
    let upsert = #expect(throws: LedgerError.self) {
      try ledger.upsert(Note(text: "three"), expecting: revision)
    }
    let update = #expect(throws: LedgerError.self) {
      try ledger.update("note", as: Note.self, expecting: revision) { $0.text = "four" }
    }
    #expect(upsert?.code == .conflict && update?.code == .conflict)
    #expect(try ledger.task("note")?["text"] == "two")
  }

  @Test func `may have thousands of keys, in any order`() throws {
    var many: [String: [String: Int]] = [:]
    for number in 0..<1500 {
      many["key\(number % 7 == 0 ? "-" : "")\(number)"] = ["a": 1, "-b": 2]
    }
    try ledger.upsert(Holding(field: many))
    #expect(try ledger.task("h", as: Holding<[String: [String: Int]]>.self)?.field == many)
  }

  @Test func `keep the fields that the type does not know`() throws {
    var item = TaskItem(id: "5f0c9a34-1d2e-4f3a-8b4c-0123456789ab", body: "x")
    item["due"] = "2026-12-24"
    item["theirs.deep"] = 1
    try ledger.upsert(item)
    #expect(try ledger.update(item.id, as: Dated.self) { $0.due = nil })
    #expect(try ledger.task(item.id)?.fields.map(\.name) == ["body", "theirs.deep"])
    #expect(throws: LedgerError.self) {
      try ledger.update("5f0c9a34-1d2e-4f3a-8b4c-000000000000", as: Dated.self) { _ in
        Issue.record("there is nothing to change")
      }
    }
  }
}
