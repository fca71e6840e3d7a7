import Testing

@testable import LedgerCommands

/// Calls of every verb, good and bad ones, with characters that turn the direction of text, drive a terminal or hide wherever
/// a person or a program can put any.
enum VerbCalls {
  /// One of each kind, with something between them that no joiner joins.
  static let hidden =
    "a\u{200b}b\u{200c}c\u{200d}d\u{200e}e\u{200f}f\u{202a}g\u{202e}h\u{2060}i\u{2066}j\u{2069}k"
    + "\u{206a}l\u{feff}m\u{ad}n\u{61c}o\u{2028}p\u{3164}q\u{e0041}r"
  static let id = "id-\(hidden)"
  static let field = "f\(hidden)"
  static let control = "\u{1b}[31m\u{9b}\u{7}\(hidden)"

  /// What each verb is given. A verb that is not here is one that this test does not know yet.
  static let all: [String: [[String]]] = [
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
    "get": [
      ["get", id], ["get", "\(id)2"], ["get", "nobody\(hidden)"], ["get", id, "--revision"],
    ],
    "apply": [["apply", "nowhere\(hidden)"], ["apply", "lines"]],
    "log": [["log"], ["log", "--kind", "\(control)"]],
    "watch": [["watch", "--after", "0", "--limit", "2"]],
    "audit": [["audit", id], ["audit", "\(id)2"]],
    "replay": [
      ["replay"], ["replay", "--projection", "list"], ["replay", "--projection", "activity"],
      ["replay", "--projection", "\(control)"], ["replay", "--snapshot", "none\(hidden)"],
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

  static func world(columns: Int?) throws -> TestWorld {
    let world = try TestWorld()
    world.terminalColumns = columns
    world.environment["NO_COLOR"] = "1"
    try world.write(
      "{\"kind\":\"upsert\",\"task\":\"t\",\"set\":{\"\(field)\":1}}\n{\"\(hidden)\":1}\n",
      to: "lines")
    world.run("init")
    // It holds the names of authors, too, so that no verb gets around it.
    world.environment["LEDGER_AUTHOR"] = "author\(hidden)"
    world.run(
      "add", control, "--id", id, "--set", "\(field)=1\(control)", "--message",
      control)
    world.run("add", control, "--id", "\(id)2")
    return world
  }
}
