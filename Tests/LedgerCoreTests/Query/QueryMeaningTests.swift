import LedgerCore
import Testing

struct `What a query means` {
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `agrees with a plain evaluator of JSON documents`(seed: UInt64) throws {
    var make = RandomQueries(seed: seed)
    let tasks = (0..<20).map { _ in make.task() }
    let documents = try tasks.map { try JSONDocument($0.json) }
    for _ in 0..<40 {
      let plain = make.query(depth: 4)
      let query = try Query(plain.text)
      for (task, document) in zip(tasks, documents) {
        let expected = plain.holds(document)
        #expect(query.matches(task) == expected, "\(plain.text) asked \(task.json)")
      }
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `is kept when it is printed and read again`(seed: UInt64) throws {
    var make = RandomQueries(seed: seed)
    for _ in 0..<100 {
      let query = try Query(make.query(depth: 5).text)
      let again = try Query(query.description)
      #expect(again == query, "\(query)")
      #expect(again.hashValue == query.hashValue)
      #expect(again.description.utf8.elementsEqual(query.description.utf8))
    }
  }

  private static let task = {
    var task = TaskItem(id: "2026-12-01", body: "Get caf\u{e9}")
    task["n"] = 2
    task["half"] = .double(0.5)
    task["due"] = "2026-12-01T01:00:00+01:00"
    task["word"] = "later"
    task["tags"] = ["home", "2026-12-01"]
    task["place.room"] = "kitchen"
    task["yes"] = true
    return task
  }()

  @Test(arguments: [
    // Absent fields, and objects.
    "!isDeleted", "isCompleted == false", "none == null", "none != 2", "!(none < 2)",
    "!(none >= 2)",
    "!(null <= null)", "!none", "place != null", "!(place == place)", "!place", "!(place < \"z\")",
    "place.room == \"kitchen\"", "place.none == null", "n.below == null", "!(n == null)",
    // Numbers and other types.
    "n == 2.0", "n > 1.5", "n >= half", "2 == n", "1 < n", "n != \"2\"", "!(n < \"3\")",
    "!(n > true)", "yes",
    "yes == true", "yes > false", "!(yes == 1)",
    // Texts by bytes.
    "body == \"Get caf\\u00e9\"", "body != \"Get cafe\\u0301\"", "!contains(body, \"e\\u0301\")",
    "ends_with(body, '\u{e9}')", "contains(body, '')", "starts_with(body, \"Get \")",
    "body > \"Ge\"",
    "\"caf\" in body", "body in [1, 'Get caf\u{e9}']",
    // Dates.
    "due == \"2026-12-01\"", "due < '2026-12-01t00:00:00.001z'",
    "due >= \"2026-11-30T19:00:00-05:00\"",
    "due > '2026-12'", "due < 'x'", "due in ['2026-12-01']",
    "contains(tags, \"2026-12-01T00:00:00Z\")",
    "!contains(due, '00:00:00Z')", "due != \"2026-12-01T00:00:00\"", "due != '2026-12-32'",
    "_id == '2026-12-01'", "_id != '2026-12-01T00:00:00Z'", "!(_id in ['2026-12-01T00:00:00Z'])",
    "_id != due",
    // Arrays.
    "'home' in tags", "!contains(tags, 'hom')", "tags == ['home', '2026-12-01T00:00:00Z']",
    "tags > ['home']",
    "tags < ['home', 'x']", "!starts_with(tags, 'home')", "2 in [1, 2]", "!(null in tags)",
    // Patterns.
    "regex(body, 'caf\u{e9}$')", "regex(due, '^\\\\d{4}-')", "!regex(n, '2')", "!regex(none, '')",
    // Joining.
    "true || false && false", "!(true && false)", "!!yes", "(((yes)))", "false || yes && n == 2",
  ])
  func `is as the article says`(text: String) throws {
    #expect(try Query(text).matches(Self.task), "\(text)")
    #expect(try !Query("!(\(text))").matches(Self.task), "\(text)")
  }

  @Test func `long lists are searched as short ones are`() throws {
    let rest = (100..<120).map { "\($0)" }.joined(separator: ", ")
    for value in ["2", "2.0", "'x', 2"] {
      #expect(try Query("n in [\(rest), \(value)]").matches(Self.task))
    }
    #expect(try !Query("n in [\(rest), '2', true]").matches(Self.task))
    #expect(try Query("due in [\(rest), '2026-12-01']").matches(Self.task))
    #expect(try !Query("_id in [\(rest), '2026-12-01T00:00:00Z']").matches(Self.task))
    #expect(try Query("_id in [\(rest), '2026-12-01']").matches(Self.task))
    #expect(try !Query("none in [\(rest)]").matches(Self.task))
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `long texts are searched as short ones are`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let whole = String((0..<60).map { _ in Bool.random(using: &random) ? "a" : "b" })
      let task = TaskItem(body: String(repeating: "ab", count: 10) + whole)
      let start = Int.random(in: 0..<20, using: &random)
      var part = Array(task.body.utf8)[start..<(start + Int.random(in: 15...40, using: &random))]
      if Bool.random(using: &random) { part[part.startIndex + 14] ^= 3 }
      let text = String(decoding: part, as: UTF8.self)
      let places = task.body.utf8.indices
      let expected = places.contains { task.body.utf8[$0...].starts(with: text.utf8) }
      #expect(Field("body").contains(text).matches(task) == expected, "\(text) in \(task.body)")
    }
  }

  @Test func `a part that almost fits everywhere is searched in bounded time`() {
    let task = TaskItem(body: String(repeating: "a", count: 300_000))
    let part = String(repeating: "a", count: 100_000)
    // Compared at each place it would take twenty thousand million steps.
    #expect(Field("body").contains(part + "b").matches(task) == false)
    #expect(Field("body").contains(part).matches(task) == true)
  }

  @Test func `mentions fields, those above and below included`() throws {
    let query = try Query("a.b == 1 || contains(c, isDeleted) && regex(d, 'x')")
    for name in ["a", "a.b", "a.b.c", "c", "isDeleted", "d"] {
      #expect(query.mentions(try FieldName(name)), "\(name)")
    }
    for name in ["a.c", "ab", "b", "isCompleted"] {
      #expect(!query.mentions(try FieldName(name)), "\(name)")
    }
  }

  @Test func `names the only tasks that it can find`() throws {
    let expected: [String: [TaskID]?] = [
      "_id == 'a'": ["a"], "'a' == _id": ["a"], "_id in ['b', 'a', 'b', 7, '']": ["a", "b"],
      "isDeleted && _id == 'a' && x": ["a"], "_id == 7": [], "(x || y) && _id in []": [],
      "_id == 'a' || x": nil, "!(_id == 'a')": nil, "_id != 'a'": nil, "_id > 'a'": nil, "x": nil,
      "!(x && _id == 'a')": nil, "(x || _id == 'a') && y": nil, "contains(_id, 'a')": nil,
    ]
    for (text, ids) in expected { #expect(try Query(text).onlyIDs == ids, "\(text)") }
  }
}
