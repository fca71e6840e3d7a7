import BenchSupport
import CSQLite

/// `sqlite-peer tasks`: puts the documents beside the events, as an application would that lists them.
enum TasksCommand {
  static let usage = "tasks STATE DB"

  static func run(_ words: [String]) throws {
    guard words.count == 2 else { throw BenchError.usage("usage: sqlite-peer \(usage)") }
    let start = monotonicSeconds()
    let file = try MappedFile(path: words[0])
    let database = try Database(path: words[1])
    try database.execute(
      "CREATE TABLE tasks(id TEXT PRIMARY KEY, deleted INTEGER NOT NULL, document TEXT NOT NULL) WITHOUT ROWID; BEGIN"
    )
    let insert = try database.prepare("INSERT INTO tasks VALUES(?, ?, ?)")
    var count = 0
    try file.forEachLine { line in
      var members = try JSONMembers(line)
      var isDeleted = false
      while try members.next() {
        if members.key.equals("_id") { insert.bind(1, members.value.unquoted) }
        if members.key.equals("isDeleted") { isDeleted = members.value.equals("true") }
      }
      insert.bind(2, isDeleted ? 1 : 0)
      insert.bind(3, line)
      try insert.run()
      count += 1
    }
    try database.execute("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
    print(RunResult(what: "tasks", events: count, seconds: monotonicSeconds() - start).line)
  }
}

/// `sqlite-peer list`: the first documents that are not deleted, in order of ids.
enum ListCommand {
  static let usage = "list DB N"

  static func run(_ words: [String]) throws {
    guard words.count == 2 else { throw BenchError.usage("usage: sqlite-peer \(usage)") }
    let rows = try Database(path: words[0]).prepare(
      "SELECT document FROM tasks WHERE deleted = 0 ORDER BY id LIMIT ?")
    rows.bind(1, try Arguments.number(words[1], named: "N"))
    let out = OutputBuffer()
    while try rows.step() {
      out.append(rows.text(0))
      out.append(byte: UInt8(ascii: "\n"))
    }
    try out.finish()
  }
}

/// `sqlite-peer add`: one event and one document in a durable commit.
enum AddCommand {
  static let usage = "add DB BODY"

  static func run(_ words: [String]) throws {
    guard words.count == 2 else { throw BenchError.usage("usage: sqlite-peer \(usage)") }
    let database = try Database(path: words[0])
    try database.execute("PRAGMA synchronous = FULL; BEGIN IMMEDIATE")
    var random = SystemRandomNumberGenerator()
    let id = Array(String(random.next(), radix: 16).utf8)
    let payload = Array("{\"body\":\"\(words[1])\"}".utf8)
    try bind(
      id, payload,
      to: try database.prepare(
        "INSERT INTO events SELECT max(seq) + 1, 0, 'bench', 'upsert', ?, ? FROM events")
    ).run()
    try bind(id, payload, to: try database.prepare("INSERT INTO tasks VALUES(?, 0, ?)")).run()
    try database.execute("COMMIT")
    print(String(decoding: id, as: UTF8.self))
  }

  private static func bind(
    _ id: [UInt8], _ payload: [UInt8], to statement: Statement
  ) -> Statement {
    statement.bindCopy(1, id)
    statement.bindCopy(2, payload)
    return statement
  }
}
