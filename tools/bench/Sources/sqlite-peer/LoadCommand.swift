import BenchSupport
import CSQLite

/// `sqlite-peer load`: an event table with an index on the task, as an application would keep it.
///
/// Durability is that of the ledger: write-ahead log, `synchronous = FULL`.
enum LoadCommand {
  static let usage = "load EVENTS DB [--per-commit N]"

  static func run(_ words: [String]) throws {
    let arguments = try Arguments(words, options: ["--per-commit"])
    guard arguments.positional.count == 2 else {
      throw BenchError.usage("usage: sqlite-peer \(usage)")
    }
    let perCommit = try arguments.number("--per-commit", default: 1000)
    let start = monotonicSeconds()
    let file = try MappedFile(path: arguments.positional[0])
    let count = try load(file, into: arguments.positional[1], perCommit: perCommit)
    var result = RunResult(what: "load", events: count, seconds: monotonicSeconds() - start)
    result.details = [("per_commit", "\(perCommit)"), ("sqlite", "\"\(Database.version)\"")]
    print(result.line)
  }

  private static func load(_ file: MappedFile, into path: String, perCommit: Int) throws -> Int {
    let database = try Database(path: path)
    try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    try database.execute(
      """
      CREATE TABLE events(seq INTEGER PRIMARY KEY, ts INTEGER NOT NULL, author TEXT NOT NULL,
        kind TEXT NOT NULL, task TEXT NOT NULL, payload TEXT NOT NULL);
      CREATE INDEX events_task ON events(task)
      """)
    let insert = try database.prepare("INSERT INTO events VALUES(?, ?, ?, ?, ?, ?)")
    let begin = try database.prepare("BEGIN")
    let commit = try database.prepare("COMMIT")
    var count = 0
    try file.forEachLine { line in
      if count % perCommit == 0 { try begin.run() }
      try bind(line, to: insert)
      try insert.run()
      count += 1
      if count % perCommit == 0 { try commit.run() }
    }
    if count % perCommit != 0 { try commit.run() }
    return count
  }

  /// The members of an event line bear the names of the columns.
  private static func bind(_ line: UnsafeBufferPointer<UInt8>, to insert: Statement) throws {
    var members = try JSONMembers(line)
    var bound = 0
    while try members.next() {
      bound += 1
      if members.key.equals("seq") {
        insert.bind(1, members.value.decimal ?? 0)
      } else if members.key.equals("ts") {
        insert.bind(2, members.value.decimal ?? 0)
      } else if members.key.equals("author") {
        insert.bind(3, members.value.unquoted)
      } else if members.key.equals("kind") {
        insert.bind(4, members.value.unquoted)
      } else if members.key.equals("task") {
        insert.bind(5, members.value.unquoted)
      } else if members.key.equals("payload") {
        insert.bind(6, members.value)
      }
    }
    guard bound == 6 else {
      let form = "ledger-bench generate --events"
      throw BenchError("not a line of `\(form)`: \(line.string)", exitCode: 65)
    }
  }
}
