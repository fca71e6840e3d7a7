import BenchSupport
import CSQLite

/// `sqlite-peer replay`: reads every event in order and folds it.
enum ReplayCommand {
  static let usage = "replay DB [--at SEQ] [--tasks]"

  static func run(_ words: [String]) throws {
    let arguments = try Arguments(words, options: ["--at"], flags: ["--tasks"])
    guard arguments.positional.count == 1 else {
      throw BenchError.usage("usage: sqlite-peer \(usage)")
    }
    let last = try arguments.number("--at", minimum: 0, default: Int.max)
    let start = monotonicSeconds()
    let database = try Database(path: arguments.positional[0])
    // The fold asks for nothing that it does not use: time and author stay in their pages.
    let rows = try database.prepare(
      "SELECT kind, task, payload FROM events WHERE seq <= ? ORDER BY seq")
    rows.bind(1, last)
    var fold = TaskFold()
    var count = 0
    while try rows.step() {
      try fold.apply(kind: rows.text(0), task: rows.text(1), payload: rows.text(2))
      count += 1
    }
    var result = RunResult(what: "replay", events: count, seconds: monotonicSeconds() - start)
    result.details = [("tasks", "\(fold.taskCount)"), ("sqlite", "\"\(Database.version)\"")]
    if arguments.has("--tasks") {
      try fold.write(to: OutputBuffer())
      note(result.line)
    } else {
      print(result.line)
    }
  }
}

/// `sqlite-peer audit`: prints every event of one task, found by the index.
enum AuditCommand {
  static let usage = "audit DB ID"

  static func run(_ words: [String]) throws {
    let positional = try Arguments(words, options: []).positional
    guard positional.count == 2 else { throw BenchError.usage("usage: sqlite-peer \(usage)") }
    let start = monotonicSeconds()
    let out = OutputBuffer()
    let count = try audit(positional[1], in: try Database(path: positional[0]), to: out)
    print(RunResult(what: "audit", events: count, seconds: monotonicSeconds() - start).line)
  }

  private static func audit(_ id: String, in database: Database, to out: OutputBuffer) throws -> Int
  {
    let rows = try database.prepare(
      "SELECT seq, ts, author, kind, payload FROM events WHERE task = ? ORDER BY seq")
    let key = Array(id.utf8)
    return try key.withUnsafeBufferPointer { bytes in
      rows.bind(1, bytes)
      var count = 0
      while try rows.step() {
        out.append("{\"seq\":")
        out.append(decimal: rows.integer(0))
        out.append(",\"ts\":")
        out.append(decimal: rows.integer(1))
        out.append(",\"author\":\"")
        out.append(rows.text(2))
        out.append("\",\"kind\":\"")
        out.append(rows.text(3))
        out.append("\",\"payload\":")
        out.append(rows.text(4))
        out.append("}\n")
        count += 1
      }
      try out.finish()
      return count
    }
  }
}

/// `sqlite-peer compact`: the smallest that the same table gets.
enum CompactCommand {
  static let usage = "compact DB"

  static func run(_ words: [String]) throws {
    guard words.count == 1 else { throw BenchError.usage("usage: sqlite-peer \(usage)") }
    let start = monotonicSeconds()
    let database = try Database(path: words[0])
    try database.execute(
      "PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
    print(RunResult(what: "compact", events: 0, seconds: monotonicSeconds() - start).line)
  }
}
