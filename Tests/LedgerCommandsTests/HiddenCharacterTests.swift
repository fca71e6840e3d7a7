import LedgerCore
import LedgerFormat
import Testing

@testable import LedgerCommands

/// Characters that turn the direction of text, drive a terminal or hide: no verb prints one as it stands, wherever it comes from.
@Suite struct `Hidden characters` {
  /// One of each kind, with something between them that no joiner joins.
  private static let hidden =
    "a\u{200b}b\u{200c}c\u{200d}d\u{200e}e\u{200f}f\u{202a}g\u{202e}h\u{2060}i\u{2066}j\u{2069}k"
    + "\u{206a}l\u{feff}m\u{ad}n\u{61c}o\u{2028}p\u{3164}q\u{e0041}r"
  private static let id = "id-\(hidden)"
  private static let field = "f\(hidden)"
  private static let control = "\u{1b}[31m\u{9b}\u{7}\(hidden)"

  /// What each verb is given. A verb that is not here is one that this test does not know yet.
  private static let calls: [String: [[String]]] = [
    "init": [["init", "folder-\(hidden)"], ["init", "folder-\(hidden)"]],
    "add": [
      ["add", control, "--id", "\(id)2", "--set", "\(field)=\(control)", "--message", control],
      ["add", control, "--id", id], ["add", "x", "--set", "due=\(hidden)"],
    ],
    "upsert": [
      ["upsert", "--id", id, "--set", "\(field)=\(control)2"], ["upsert", "\(control)"],
      ["upsert", "--id", "\(id)3", "--set", "body=\(control)"],
    ],
    "update": [
      ["update", id, "--set", "\(field)=3\(control)", "--message", control],
      ["update", "--where", "\(control)", "--set", "a=1"],
      ["update", id, "--set", "body=4\(control)", "--dry-run"],
    ],
    "toggle": [["toggle", id], ["toggle", "nobody\(hidden)"]],
    "done": [["done", id], ["done", id]],
    "delete": [["delete", "\(id)2"], ["delete", "--where", "[\"\(field)\"] == 7"]],
    "restore": [["restore", "\(id)2"], ["restore", "--from", "nowhere\(hidden)"]],
    "evict": [["evict", "\(id)2"], ["evict", "nobody\(hidden)"]],
    "undo": [["undo"], ["undo", id, "--dry-run"]],
    "redo": [["redo"]],
    "list": [
      ["list"], ["list", "\(control)"], ["list", "[\"\(field)\"] == 8"],
      ["list", "--sort", "[\"no\(hidden)\"]"], ["list", "body == $x", "--arg", "\(hidden)=1"],
    ],
    "get": [["get", id], ["get", "\(id)2"], ["get", "nobody\(hidden)"], ["get", id, "--revision"]],
    "apply": [["apply", "nowhere\(hidden)"], ["apply", "lines"]],
    "log": [["log"], ["log", "--kind", "\(control)"]],
    "watch": [["watch", "--after", "0", "--limit", "2"]],
    "audit": [["audit", id], ["audit", "\(id)2"]],
    "replay": [
      ["replay"], ["replay", "--projection", "list"], ["replay", "--projection", "activity"],
      ["replay", "--projection", "\(control)"],
    ],
    "diff": [["diff", "--from", "1"], ["diff", "other\(hidden)", "none\(hidden)"]],
    "snapshot": [["snapshot"]],
    "compact": [
      ["compact", "--dry-run"], ["compact", "--policy", control], ["compact", "--before", control],
    ],
    "backup": [["backup", "copy-\(hidden)"], ["backup", "lines"]],
    "maintain": [["maintain"], ["maintain", "--policy", "lines"]],
    "stats": [["stats"]],
    "verify": [["verify"], ["verify", "--resume"]],
    "repair": [["repair"], ["repair", "--dry-run"]],
    "completions": [
      ["completions", "--candidates", "--", "get", "id"], ["completions", "\(control)"],
    ],
    "man": [["man"]],
  ]

  private func prepared(columns: Int?) throws -> TestWorld {
    let world = try TestWorld()
    world.terminalColumns = columns
    world.environment["NO_COLOR"] = "1"
    try world.write(
      "{\"kind\":\"upsert\",\"task\":\"t\",\"set\":{\"\(Self.field)\":1}}\n{\"\(Self.hidden)\":1}\n",
      to: "lines")
    world.run("init")
    // It holds the names of authors, too, so that no verb gets around it.
    world.environment["LEDGER_AUTHOR"] = "author\(Self.hidden)"
    world.run(
      "add", Self.control, "--id", Self.id, "--set", "\(Self.field)=1\(Self.control)", "--message",
      Self.control)
    world.run("add", Self.control, "--id", "\(Self.id)2")
    return world
  }

  @Test(arguments: Verbs.all.map { $0.description.name }, [nil, 40, 400] as [Int?])
  func `are printed by no verb, in no text`(_ verb: String, _ columns: Int?) throws {
    let world = try prepared(columns: columns)
    for arguments in try #require(Self.calls[verb], "\(verb) is not in the table") {
      let result = world.run(arguments)
      check(result.output, of: arguments)
      check(result.errors, of: arguments)
    }
  }

  @Test func `are escaped in JSON on a terminal, and exact elsewhere`() throws {
    for columns in [nil, 80] {
      let world = try prepared(columns: columns)
      for arguments in [["list"], ["log"], ["audit", Self.id], ["get", Self.id]] {
        let output = world.run(["--json"] + arguments).output
        let isExact = output.contains(Self.hidden)
        #expect(isExact == (columns == nil), "\(arguments)")
        if columns != nil { check(output, of: arguments) }
      }
    }
  }

  private func check(_ text: String, of arguments: [String]) {
    let found = text.unicodeScalars.filter {
      TerminalText.isEscaped($0) && $0 != "\n" && $0 != "\t"
    }
    #expect(found.isEmpty, "\(arguments): \(found.map { String($0.value, radix: 16) })")
  }
}
