/// Texts that use every form of what people and programs write.
enum SeedTexts {
  static func of(_ target: FuzzTarget) -> [String] {
    switch target {
    case .apply: apply
    case .query: queries
    case .pattern: patterns
    case .words: words
    default: commands
    }
  }

  private static let apply = [
    #"{"kind":"upsert","task":"123abc","set":{"body":"Get milk","n":{"x":1.5e3,"y":[1,[true],"é"]}}}"#,
    #"{"kind":"update","task":"a😀","set":{"due":null,"priority":-2},"unset":["tags.home","x"]}"#,
    #"{"kind":"toggle","task":"\ud83d\ude00","time":"2026-11-30T12:00:00.123Z","author":"ann"}"#,
    #"{"transaction":"t-1","message":"why\n\u0041","kind":"delete","task":"123abc"}"#,
    #"{"_id":"x","body":"Get milk","isCompleted":false,"tags":{"home":true},"d":-0.5e-7}"#,
  ]
  private static let queries = [
    "!isDeleted && !isCompleted", "priority >= 2 || (due < '2026-12-24' && due != null)",
    #"contains(body, "milk") && starts_with(body, 'Get') || ends_with(body, "\u0041")"#,
    "tags.home && !(a == b)", #"regex(body, "(?i)\\bmilk\\b") || ["odd key"] == .["a"]"#,
    "_id in ['a', 'b', 3]", "true", "a.b.c == -9223372036854775808 || x == 1.5e308",
  ]
  private static let patterns = [
    "(?i)\\bmilk\\b\nGet Milk!", "^[a-z\\d_-]+(?:x|y)*?$\nabcxyxy", "(a|b){2,5}c{3}\\B\nabababccc",
    "((a*)*)*b\naaaaaaaaaaaaaaaaaaaaaaa", "[^\\w\\s].?é+\n!é",
  ]
  private static let words = [
    "Get\nmilk\ndue:tomorrow\npri:1\n+home", "due:2026-12-24\nx\n--\n+y",
    "--set\na.b=[1,2]\nx\n--id\nq",
    "due:mon\ndue:+3d\n+é", "http://x\n10:30\npriority:-9223372036854775808\nx",
  ]
  private static let commands = [
    "list\n!isDeleted\n--sort\ndue:desc\n--limit\n3", "--json\nlog\n--after\n1\n--kind\nupdate",
    "update\nmilk\n--set\npriority=2\n--unset\ndue", "toggle\n--where\ncontains(body, 'milk')",
    "apply\n-\n\n{\"kind\":\"toggle\",\"task\":\"milk\"}\n{\"kind\":\"evict\",\"task\":\"milk\"}",
    "audit\nmilk", "replay\n--tasks\n--at\n1", "diff\n--from\n1\n--to\n2", "compact\n--dry-run",
    "snapshot", "stats", "undo\nmilk", "redo", "evict\nmilk", "repair", "help\nlist", "--version",
    "get\nmilk\n--at\n2026-11-30", "upsert\n{\"_id\":\"x\",\"body\":\"y\"}", "completions\nbash",
    "--author\nbob\ndelete\nmilk", "backup\nb", "maintain\n--dry-run", "man",
  ]
}
