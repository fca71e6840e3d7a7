extension RandomStream {
  package static let names: [PlainText] = [
    "a", "a.b", "a.b.c", "a.bc", "a", "a.b", "a.b.c", "tags", "tags.x", "tags.y", "n",
    // Two names to the ledger, one to Unicode; and two whose UTF-16 order is not their byte order.
    "tags.\u{E9}", "tags.e\u{301}", "\u{1F600}", "\u{FB01}", "a b", "\"q\"\u{1}", "a._id",
  ]

  private static let standardNames: [PlainText] = ["body", "isCompleted", "isDeleted"]

  package static let values: [PlainJSON] = [
    .int(1), .double(1.0), .int(0), .double(-0.0), .int(2), .double(2.5), .double(1e300),
    .double(1e21), .double(.leastNonzeroMagnitude), .double(0.000001), .double(1e-7), .double(1e3),
    .int(9_007_199_254_740_993), .double(9_007_199_254_740_992), .int(.max), .int(.min),
    .double(9_223_372_036_854_775_808), .double(-9_223_372_036_854_775_808),
    .bool(true), .bool(false), .text(""), .text("1"), .text("true"),
    .text("caf\u{E9}"), .text("cafe\u{301}"), .text("\u{1F9D1}\u{200D}\u{1F33E} \u{202E}x"),
    .text("\"quotes\" \\ / and \u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F}\u{7F}\u{85}\u{2028}"),
    .array([]), .array([.int(1)]), .array([.double(1.0)]), .array([.array([.text("x"), true])]),
    .array([.int(1), .double(-0.0), .text("\u{E9}"), .bool(false), .double(0.1)]),
    nestedArray(depth: PlainJSON.arrayDepthMax),
  ]

  /// An array in an array in an array …
  package static func nestedArray(depth: Int) -> PlainJSON {
    (1..<depth).reduce(.array([])) { array, _ in .array([array]) }
  }

  private static let bodies: [PlainJSON] = [
    .text(""), .text("Get milk"), .text("Get oat milk"), .text("\u{E9}"), .text("e\u{301}"),
  ]

  package mutating func addFields(to command: inout PlainCommand) {
    for _ in 0..<random.pick([0, 1, 1, 1, 2, 2, 3, 5]) {
      let name: PlainText =
        random.chance(35) ? random.pick(Self.standardNames) : random.pick(Self.names)
      // A command that names fields that collide is refused; mostly, but not always, avoid that.
      let named = command.set.map(\.key) + command.unset
      let isTaken = named.contains { $0 == name || $0.collides(with: name) }
      if isTaken && !random.chance(3) { continue }
      // Never one key twice in one object: what a reader makes of the rest of such a line, its
      // transaction for one, is not defined.
      if random.chance(15) || command.set.contains(where: { $0.key == name }) {
        command.unset.append(name)
      } else {
        command.set.append(PlainMember(name, value(for: name)))
      }
    }
  }

  private mutating func value(for name: PlainText) -> PlainJSON {
    if random.chance(10) { return .null }
    switch name {
    case "body": return random.pick(Self.bodies)
    case "isCompleted", "isDeleted": return .bool(random.chance(50))
    case "a", "tags", "a.b":
      guard random.chance(25) else { return random.pick(Self.values) }
      return random.pick([
        .object([]),
        .object([PlainMember("b", random.pick(Self.values))]),
        .object([PlainMember("b", .object([])), PlainMember("c", random.pick(Self.values))]),
        .object([PlainMember("b.c", random.pick(Self.values)), PlainMember("x", .null)]),
        .object([PlainMember("b", .object([PlainMember("c", random.pick(Self.values))]))]),
      ])
    default: return random.pick(Self.values)
    }
  }
}

/// Commands that must be refused.
extension RandomStream {
  private static let wrongFields: [PlainMember] = [
    PlainMember("_id", "other"), PlainMember("_id.x", .int(1)), PlainMember("_id", .null),
    PlainMember("body", .int(1)), PlainMember("body", .array([])), PlainMember("body.x", .int(1)),
    PlainMember("isCompleted", .text("true")), PlainMember("isDeleted", .int(0)),
    PlainMember("isDeleted.x", .null),
    PlainMember("isCompleted", .object([PlainMember("x", true)])),
    PlainMember("", .int(1)), PlainMember(".", .int(1)), PlainMember("a..b", .int(1)),
    PlainMember(".a", .null), PlainMember("n.", .int(1)),
    PlainMember("n", .object([PlainMember("", .int(1))])),
    PlainMember("n", .array([.null])), PlainMember("n", .array([.object([])])),
    PlainMember("n", .array([.int(1), .array([.null])])),
    PlainMember("n", nestedArray(depth: PlainJSON.arrayDepthMax + 1)),
    PlainMember(name(segments: 33), .int(1)), PlainMember(name(bytes: 257), .int(1)),
  ]

  private static let wrongTasks: [PlainText] = [
    "", "a\u{0}b", "line\nbreak", "\u{7F}", "\u{85}", name(bytes: 257), "never there",
  ]

  private static func name(segments: Int) -> PlainText {
    PlainText(Array(repeating: "s", count: segments).joined(separator: "."))
  }

  private static func name(bytes: Int) -> PlainText {
    PlainText(String(repeating: "n", count: bytes))
  }

  package mutating func spoil(_ command: inout PlainCommand) {
    let takesFields = command.kind == .upsert || command.kind == .update
    switch random.below(takesFields ? 6 : 2) {
    case 0:
      command.task = random.pick(Self.wrongTasks)
      if command.task == "never there" { command.kind = random.pick([.toggle, .delete, .evict]) }
      if command.kind == .toggle || command.kind == .delete || command.kind == .evict {
        command.set = []
        command.unset = []
      }
    case 1: command.time = command.time.map { $0 + 10 * 86_400_000 } ?? clock + 2 * 86_400_000
    case 2:
      // Twice, in one of many ways.
      command.set.append(PlainMember("n.m", .int(1)))
      command.unset.append(random.pick(["n", "n.m", "n.m.o"]))
    default:
      let wrong = random.pick(Self.wrongFields)
      command.set.removeAll { $0.key == wrong.key }
      command.set.append(wrong)
    }
  }
}
