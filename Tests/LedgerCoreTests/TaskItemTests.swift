import LedgerCore
import Testing

/// A task as a value: what setting a field does, and what is shown.
struct TaskItemTests {
  /// A task with fields given in this order.
  private func item(_ fields: KeyValuePairs<String, Value?>) -> TaskItem {
    var item = TaskItem(id: "milk")
    for (name, value) in fields { item[name] = value }
    return item
  }

  private func listed(_ item: TaskItem) -> String {
    item.fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
  }

  @Test func `the fields that were given are there and no others`() {
    #expect(listed(TaskItem(id: "milk")) == "")
    #expect(
      listed(TaskItem(id: "milk", body: "", isCompleted: false, isDeleted: true))
        == #"body="" isCompleted=false isDeleted=true"#)
  }

  @Test func `absent standard fields read as their defaults`() {
    let item = TaskItem(id: "milk")
    #expect(item.body == "")
    #expect(!item.isCompleted)
    #expect(!item.isDeleted)
    #expect(item["body"] == nil)
  }

  @Test func `properties and names reach the same fields`() {
    var item = TaskItem(id: "milk")
    item.body = "Get milk"
    item.isCompleted = true
    item["isDeleted"] = true
    #expect(item["body"] == "Get milk")
    #expect(item["isCompleted"] == true)
    #expect(item.isDeleted)
  }

  @Test func `fields stay sorted by the bytes of their names`() {
    let item = item([
      "z": 1, "caf\u{e9}": 2, "a.b": 3, "a-b": 4, "Z": 5, "cafe\u{301}": 6, "a.b": 7,
    ])
    #expect(listed(item) == "Z=5 a-b=4 a.b=7 cafe\u{301}=6 caf\u{e9}=2 z=1")
  }

  @Test func `setting a field removes its prefixes and extensions`() {
    #expect(listed(item(["a": 1, "a.b.c": 2])) == "a.b.c=2")
    #expect(listed(item(["a.b": 1, "a.b.c": 2])) == "a.b.c=2")
    #expect(listed(item(["a.b": 1, "a.c.d": 2, "a-b": 3, "ab": 4, "a": 5])) == "a=5 a-b=3 ab=4")
    #expect(listed(item(["a.b.c": 1, "a.bc": 2, "a.b-c": 3, "a.b": 4])) == "a.b=4 a.b-c=3 a.bc=2")
  }

  @Test func `setting nil removes the field and its extensions but not its prefixes`() {
    #expect(listed(item(["a": 1, "a.b": nil])) == "a=1")
    #expect(listed(item(["a.b": 1, "a.c.d": 2, "ab": 3, "a": nil])) == "ab=3")
    #expect(listed(item(["a": 1, "b": 2, "a": nil])) == "b=2")
    #expect(listed(item(["a": nil])) == "")
  }

  @Test func `two Unicode forms of a name are two fields`() {
    let item = item(["caf\u{e9}": 1, "cafe\u{301}.x": 2])
    #expect(item.fields.count == 2)
    #expect(item["caf\u{e9}"] == 1)
    #expect(item["cafe\u{301}"] == nil)
  }

  /// The rule without the shortcuts: everything that collides goes.
  private func set(_ name: String, _ value: Value?, in fields: inout [(name: String, value: Value)])
  {
    fields.removeAll { field in
      let (old, new) = (segments(field.name), segments(name))
      return old.starts(with: new) || (value != nil && new.starts(with: old))
    }
    if let value { fields.append((name, value)) }
    fields.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private func segments(_ name: String) -> [[UInt8]] {
    name.utf8.split(separator: 0x2e, omittingEmptySubsequences: false).map(Array.init)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `any sequence of settings follows the rule`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var item = TaskItem(id: "milk")
    var expected: [(name: String, value: Value)] = []
    let names = [
      "a", "a.b", "a.b.c", "a.c", "a-", "a-.b", "a/", "b", "b.a", "", ".", ".a", "a..b", "a.",
    ]
    for step in 0..<300 {
      let name = try #require(names.randomElement(using: &generator))
      let value: Value? = Int.random(in: 0..<4, using: &generator) == 0 ? nil : .int(Int64(step))
      item[name] = value
      set(name, value, in: &expected)
      #expect(listed(item) == listed(TaskItem(id: "milk", sortedFields: expected)))
      for name in names {
        #expect(item[name] == expected.first { $0.name.utf8.elementsEqual(name.utf8) }?.value)
      }
    }
  }

  @Test func `a document always shows its id and the three standard fields`() {
    #expect(
      TaskItem(id: "milk").json
        == #"{"_id":"milk","body":"","isCompleted":false,"isDeleted":false}"#)
    var milk = TaskItem(id: "milk", body: "Get \"milk\"", isCompleted: true)
    milk["tags.home"] = true
    milk["priority"] = 2.0
    milk["Z"] = [1, 0.5]
    #expect(
      milk.json
        == #"{"Z":[1,0.5],"_id":"milk","body":"Get \"milk\"","isCompleted":true,"isDeleted":false,"priority":2,"tags":{"home":true}}"#
    )
    #expect(milk.description == milk.json)
  }

  @Test func `tasks are equal when they show the same document`() {
    #expect(TaskItem(id: "milk") == TaskItem(id: "milk", body: "", isCompleted: false))
    #expect(item(["n": 1]) == item(["n": .double(1)]))
    #expect(item(["n": 1]) != item(["n": 2]))
    #expect(item(["n": 1]) != item([:]))
    #expect(TaskItem(id: "milk") != TaskItem(id: "honey"))
    #expect(item(["n": "caf\u{e9}"]) != item(["n": "cafe\u{301}"]))
    #expect(TaskItem(id: "caf\u{e9}") != TaskItem(id: "cafe\u{301}"))
  }

  @Test(arguments: [
    ("", #"{"":1,"_id":"milk","body":"","isCompleted":false,"isDeleted":false}"#),
    (".", #"{"":{"":1},"_id":"milk","body":"","isCompleted":false,"isDeleted":false}"#),
    ("a..b", #"{"_id":"milk","a":{"":{"b":1}},"body":"","isCompleted":false,"isDeleted":false}"#),
    ("_id", #"{"_id":"milk","body":"","isCompleted":false,"isDeleted":false}"#),
    ("_id.x", #"{"_id":"milk","body":"","isCompleted":false,"isDeleted":false}"#),
    ("body.x", #"{"_id":"milk","body":"","isCompleted":false,"isDeleted":false}"#),
    ("body", #"{"_id":"milk","body":1,"isCompleted":false,"isDeleted":false}"#),
  ])
  func `a task with a field that a ledger refuses is still shown`(name: String, json: String) {
    #expect(item([name: 1]).json == json)
  }

  @Test(.timeLimit(.minutes(15)))
  func `a name of a million segments does no harm`() {
    let name = String(repeating: ".", count: 1_000_000)
    var item = item(["a": 1])
    item[name] = 2
    #expect(item.fields.count == 2)
    #expect(item.json.utf8.count > 1_000_000)
  }

  @Test(.timeLimit(.minutes(15)))
  func `a task of 100,000 fields is built and shown in reasonable time`() {
    var generator = SeededGenerator(seed: 1)
    var item = TaskItem(id: "milk")
    for number in (0..<100_000).shuffled(using: &generator) { item["f\(number).x"] = 1 }
    #expect(item.fields.count == 100_000)
    #expect(item.json.utf8.count > 1_000_000)
  }
}
