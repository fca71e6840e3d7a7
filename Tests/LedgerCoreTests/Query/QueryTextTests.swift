import Testing

@testable import LedgerCore

struct `The text of a query` {
  @Test(
    arguments: [
      ("  isDeleted==true", "isDeleted"), ("a&&b||c", "a && b || c"),
      ("a && (b || c)", "a && (b || c)"),
      ("(a && b) && (c && d)", "a && b && c && d"), ("a || (b || (c || d))", "a || b || c || d"),
      ("!(a || b)", "!(a || b)"), ("!!(!a)", "!a"), ("!(a == 1)", "!(a == 1)"),
      ("!(a in [1])", "!(a in [1])"),
      ("!contains(a, 1)", "!contains(a, 1)"), ("2 >= n", "n <= 2"), ("1 == 1.0", "true"),
      ("1 > 'a'", "false"),
      ("'a' in [1]", "false"), ("regex('milk', 'i')", "true"), ("a.b['c d'].e", "a.b[\"c d\"].e"),
      ("['a.b'] == 1", "a.b == 1"), (".a", "a"), ("['in'] in ['x']", "[\"in\"] in [\"x\"]"),
      ("a.in", "a.in"),
      ("a == .['x y'] && a == b.c", "a == .[\"x y\"] && a == b.c"),
      ("a == ['x y']", "a == [\"x y\"]"),
      ("2 in ['a']", "false"), ("due-date == null", "due-date == null"),
      (
        "gr\u{f6}\u{df}e == 'it\\'s \"\\u0041\\ud83d\\ude00'",
        "gr\u{f6}\u{df}e == \"it's \\\"A\u{1F600}\""
      ),
      ("n == -1.50e1", "n == -15"), ("n == 1e21", "n == 1e+21"),
      ("n == -9223372036854775808", "n == -9223372036854775808"),
      ("['2024']", "[\"2024\"]"), ("a == true", "a"),
      ("true == a", "a"), ("a != true", "a != true"), ("a\n&&\tb", "a && b"),
      ("contains('abc', x)", "contains(\"abc\", x)"),
      ("x in 'abc'", "contains(\"abc\", x)"), ("regex(body, '\\\\d+')", "regex(body, \"\\\\d+\")"),
    ] as [(String, String)])
  func `prints in one form`(text: String, printed: String) throws {
    let query = try Query(text)
    #expect(query.description.utf8.elementsEqual(printed.utf8), "\(query)")
    #expect(try Query(printed) == query)
  }

  @Test func `takes arguments as values`() throws {
    let list: [String: Value?] = ["list": [1, "x\" || true"], "p": 2, "none": nil]
    let query = try Query("a in $list && n >= $p && due == $none && b == [$p, $p]", list)
    #expect(
      query.description == #"a in [1,"x\" || true"] && n >= 2 && due == null && b == [2,2]"#)
    #expect(try Query(query.description) == query)
    #expect(try Query("$yes || x", ["yes": true]).description == "true || x")
    #expect(try Query("n == $d", ["d": .double(3)]) == Query("n == 3"))
  }

  @Test(
    arguments: [
      ("", 1, "nothing"), ("   ", 4, "nothing"), ("a = 1", 3, "=="), ("a & b", 3, "&&"),
      ("a | b", 3, "||"),
      ("a &&", 5, "the end"), ("(a", 3, "expected )"), ("a)", 2, "found \")\""),
      ("!a == 1", 4, "two things"),
      ("a < b < c", 7, "second comparison"), ("a == 'x", 6, "closing quote"),
      ("'x'", 1, "text alone"),
      ("null", 1, "null alone"), ("a b", 3, "\"b\""), ("a..b", 3, "found \".\""),
      ("a.'b'", 3, "a text"),
      ("a == 1x", 6, "goes on as a name"), ("a == 01", 6, "leading zero"),
      ("a == 1.", 6, "after the point"),
      ("a == 1e", 6, "after the e"), ("a == 9223372036854775808", 6, "beyond 64 bits"),
      ("a == -1e400", 6, "range of a double"), ("a == '\\d'", 7, "no escape"),
      ("a == '\\u12'", 7, "four digits"),
      ("a == '\\ud800'", 7, "four digits"), ("a == [1 2]", 9, "a comma or ]"),
      ("a == [null]", 7, "found null in"),
      ("a == [x]", 7, "no value"), ("[1] == a", 2, "name of a field"),
      ("['a', 'b'] == a", 5, "expected ]"),
      ("['']", 1, "expected 1 to 256"), ("['a..b'] == 1", 1, "empty segment"),
      ("a == in", 6, "found in"),
      ("kontains(a, 1)", 1, "no function"), ("contains(a)", 11, "a comma"),
      ("contains(a, 1", 14, "expected )"),
      ("regex(a, b)", 10, "no text for the pattern"), ("regex(a, 'x(')", 12, "no ) for this ("),
      ("regex(a, '\\u00e9\\\\1')", 17, "not supported"), ("$p", 1, "no value for $p"),
      ("a == $", 6, "without a name"),
      ("\u{e9}e\u{301}\u{1F600} == 1", 3, "no meaning"), ("a == \u{1}", 6, "no meaning"),
      ("a == 1 and b", 8, "\"and\""), ("\u{e9} == 'e\u{301}' x", 10, "\"x\""),
    ] as [(String, Int, String)])
  func `is refused at a column`(text: String, column: Int, part: String) throws {
    do {
      let query = try Query(text)
      Issue.record("\(text) was read as \(query)")
    } catch {
      #expect(error.code == .invalid)
      #expect(error.column == column, "\(text): \(error)")
      #expect(error.sentence.contains("at column \(column)"))
      #expect(error.description.contains(part), "\(text): \(error)")
    }
  }

  @Test func `arguments that are not right are refused`() {
    for (arguments, part): ([String: Value?], String) in [
      (["p": 1, "q": 2], "\"q\" is not used"), (["p": .double(.nan)], "not finite"),
      (["p": .text(String(repeating: "x", count: 2 << 20))], "bytes of JSON"),
      (["P": 1], "no value for $p"),
      (["p": 1, "e\u{301}": 1], "is not used"), (["p": 1, "": 1], "is not used"),
    ] {
      do {
        _ = try Query("a == $p", arguments)
        Issue.record("\(arguments.keys) was taken")
      } catch {
        #expect(error.code == .invalid)
        #expect(error.sentence.contains(part), "\(error)")
      }
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `is read or refused, whatever it is`(seed: UInt64) throws {
    var make = RandomQueries(seed: seed)
    for _ in 0..<300 {
      var scalars = Array(make.query(depth: 3).text.unicodeScalars)
      for _ in 0..<Int.random(in: 1...3, using: &make.random) {
        let place = Int.random(in: 0...scalars.count, using: &make.random)
        let piece = make.pick([
          "&", "\"", "[", ")", "\\", "\u{301}", "!", "$", "1e", ".", "in ", "\u{0}", ", ",
        ])
        scalars.insert(contentsOf: Array(piece.unicodeScalars), at: place)
        if Bool.random(using: &make.random) { scalars.removeFirst(min(scalars.count, place)) }
      }
      let text = String(String.UnicodeScalarView(scalars))
      do {
        let query = try Query(text)
        #expect(try Query(query.description) == query, "\(text)")
      } catch {
        #expect(error.code == .invalid)
        #expect((1...(text.count + 1)).contains(error.column ?? 0), "\(text): \(error)")
      }
    }
  }

  @Test func `misspelled functions are told apart`() {
    for (text, hint) in [
      ("contians(a, 1)", "`contains`"), ("startsWith(a, 1)", "`starts_with`"),
      ("regexp(a, 1)", "`regex`"),
      ("length(a)", "the functions are"),
    ] {
      do {
        _ = try Query(text)
        Issue.record("\(text) was taken")
      } catch {
        #expect(error.hint?.contains(hint) == true, "\(error)")
      }
    }
  }
}

struct `The size of a query` {
  /// Not arguments of a test, which would print them.
  private static let excesses: [(name: String, text: String)] = [
    ("brackets", String(repeating: "(", count: 100_000) + "a"),
    ("65 brackets", String(repeating: "(", count: 65) + "a"),
    ("array brackets", "a == " + String(repeating: "[", count: 100_000)),
    ("negated brackets", String(repeating: "!(", count: 50_000) + "a"),
    ("conditions", String(repeating: "a && ", count: 5000) + "a"),
    ("elements", "a in [" + String(repeating: "1,", count: 5000) + "1]"),
    ("a name", String(repeating: "a", count: 10 << 20)),
    ("a text", "a == '" + String(repeating: "x", count: 10 << 20) + "'"),
    ("an open text", "a == '" + String(repeating: "x", count: 200_000)),
    ("backslashes", "a == '" + String(repeating: "\\", count: 100_001)),
    ("segments", String(repeating: "a.", count: 100_000) + "a"),
    ("33 segments", String(repeating: "a.", count: 32) + "a"),
    ("a pattern", "regex(a, '" + String(repeating: "x", count: 1001) + "')"),
    ("calls", String(repeating: "f(", count: 100_000)),
    ("digits", "a == -" + String(repeating: "9", count: 200_000)),
    ("an argument's name", "a == $" + String(repeating: "p", count: 200_000)),
  ]

  @Test(arguments: excesses.indices) func `is bounded`(index: Int) {
    let (name, text) = Self.excesses[index]
    do {
      _ = try Query(text)
      Issue.record("\(name) were taken")
    } catch {
      #expect(error.code == .invalid)
      #expect(error.description.utf8.count < 1000, "\(name)")
    }
  }

  @Test func `may be that of the limits`() throws {
    #expect(
      try Query(String(repeating: "(", count: 64) + "a" + String(repeating: ")", count: 64))
        == Query("a"))
    #expect(try Query(String(repeating: "!", count: 20_001) + "a") == Query("!a"))
    let many = try Query(String(repeating: "a && ", count: 4095) + "a")
    #expect(try Query(many.description) == many)
    #expect(many.matches(TaskItem()) == false)
    let long = String(repeating: "x", count: 250_000)
    #expect(try Query("body == '\(long)'").matches(TaskItem(body: long)))
  }

  @Test func `of one built by a program may be any`() {
    // In place: an operator would copy what was built so far.
    var query = Field("a") == 1
    for number in 0..<50_000 {
      if number % 2 == 0 { query.and(Field("b").query) } else { query.or(Field("c").query) }
      query.negate()
    }
    let same = query
    query.negate()
    #expect((query == same) == false)
    query.negate()
    #expect((query == same) == true)
    #expect(query.hashValue == same.hashValue)
    #expect(query.description.utf8.count > 250_000)
    _ = query.matches(TaskItem())
    #expect(query.mentions(.isDeleted) == false)
    query = .nothing
  }
}

struct `Building a query in Swift` {
  @Test func `gives the value that its text gives`() throws {
    let (name, number, day) = ("ann", 3, try LedgerTime("2026-12-01"))
    let pattern = try TextPattern("(?i)milk")
    let pairs: [(Query, String)] = [
      (Field("priority") >= 2 && !Field("isDeleted"), "priority >= 2 && !isDeleted"),
      (!Field("a"), "!a"), (Field("a") && Field("b") || Field("c"), "a && b || c"),
      (Field("a") == "x" || Field("b") != true, "a == 'x' || b != true"),
      (Field("owner") == name, "owner == 'ann'"),
      (Field("n") < number, "n < 3"), (Field("n") <= 2.5, "n <= 2.5"),
      (Field("n") > Field("m.x"), "n > m.x"),
      (Field("due") < day, "due < '2026-12-01T00:00:00.000Z'"),
      (Field("due").isNull, "due == null"),
      (!Field("due").isNull, "!(due == null)"), (Field("_id") == TaskID("milk"), "_id == 'milk'"),
      (Field("tags").contains("home"), "contains(tags, 'home')"),
      (Field("body").starts(with: "Get"), "starts_with(body, 'Get')"),
      (Field("body").ends(with: Field("x")), "ends_with(body, x)"),
      (Field("n").isIn([1, 2, "x"]), "n in [1, 2, 'x']"),
      (Field("body").matches(pattern), "regex(body, '(?i)milk')"), (.everything, "true"),
      (.nothing, "false"),
      (Field("n") == Double.nan, "n == null"),
      (Field("n") < Double.infinity, "n < 1.7976931348623157e308"),
      (Field("list") == Value.array([1, 2]), "list == [1, 2]"), (Field("a") == true, "a"),
      (
        (Field("a") == 1 && Field("b") == 2) && (Field("c") == 3 && Field("d") == 4),
        "a == 1 && b == 2 && c == 3 && d == 4"
      ),
      (
        !(Field("a") == 1 || Field("b") == 2 && !(Field("c") > 3)),
        "!(a == 1 || b == 2 && !(c > 3))"
      ),
      (Field(try FieldName("odd key")) == 1 && (try Field(name)), "['odd key'] == 1 && ann"),
    ]
    for (query, text) in pairs {
      #expect(try Query(text) == query, "\(query)")
      #expect(try Query(query.description) == query, "\(query)")
    }
  }

  @Test func `leaves the operators of Bool and Int alone`() {
    let (yes, number) = (true, 2)
    #expect(yes && number >= 2 && !(number < 1) || number == 3)
  }
}

struct `The order of a list` {
  @Test(arguments: [
    ("due", ["due"]), ("due:desc", ["-due"]),
    ("priority:desc,due:asc,_id", ["-priority", "due", "_id"]), ("due:last,x", ["due last", "x"]),
    ("a b.c", ["a b.c"]), ("x:y:asc", ["x:y"]), ("[\"a,b\"]:desc,c", ["-a,b", "c"]),
    ("['a.b'].c", ["a.b.c"]),
    ("[\"x\\\",:desc\"]", ["x\",:desc"]),
  ])
  func `is read from text`(text: String, expected: [String]) throws {
    let keys = try TaskSort(text).keys.map {
      ($0.descending ? "-" : "") + $0.field.text + ($0.missingLast ? " last" : "")
    }
    #expect(keys == expected)
  }

  @Test func `has what is missing first, or last where that is wanted`() throws {
    var tasks = ["none", "below", "two", "one"].map { TaskItem(id: $0) }
    tasks[1]["due.x"] = 1
    tasks[2]["due"] = 2
    tasks[3]["due"] = 1
    func order(_ sort: TaskSort) -> [String] {
      tasks.sorted { TaskPlace($0, in: sort) < TaskPlace($1, in: sort) }.map(\.id.text)
    }
    #expect(order("due") == ["below", "none", "one", "two"])
    #expect(order("due:desc") == ["two", "one", "below", "none"])
    #expect(order("due:last") == ["one", "two", "below", "none"])
    #expect(
      order([.init("due", descending: true, missingLast: true)]) == ["two", "one", "below", "none"])
  }

  @Test(arguments: [
    "", "a,", ",a", "a:down", "a:", "a..b", "[\"a\"", "[a]", "[\"a\"]x", "[\"a,b", "a:desc,b:DESC",
  ])
  func `is refused where it is none`(text: String) {
    #expect(throws: LedgerError.self) { _ = try TaskSort(text) }
  }
}
