import BenchSupport

/// Rows that append.
extension StandardRows {
  /// The ledger parses and checks commands; SQLite gets the events already worked out, in commits of a thousand. After the last
  /// line is synced, the ledger seals what is left and makes a snapshot.
  static func apply(_ name: String, _ bench: Workbench, until end: String, _ clock: Clock) -> Row {
    apply(name, bench.commands, bench, "ledger apply, until \(end)", clock)
  }

  /// A thousand events in each transaction, on both sides.
  static func applyThousands(_ bench: Workbench) throws -> Row {
    try bench.makeTransactions()
    return apply(
      "apply-1000", bench.transactions, bench, "ledger apply, 1,000 a transaction", .reported)
  }

  private static func apply(
    _ name: String, _ commands: String, _ bench: Workbench, _ label: String, _ clock: Clock
  ) -> Row {
    let path = bench.folder + "/apply.ledger"
    let ledger = Side(
      label: label, command: bench.ledger(path, ["--json", "apply", commands]), clock: clock,
      cores: .all, events: bench.eventCount
    ) {
      try bench.remove(path)
      _ = try bench.process.run(bench.ledger(path, ["init"]))
    }
    return Row(
      name: name, unit: .eventsPerSecond, count: bench.eventCount, ledger: ledger,
      other: peerLoad(bench, .process))
  }

  /// A thousand events in each transaction of the library: nothing is read but what the caller has in hand.
  static func appendThousands(_ bench: Workbench) -> Row {
    let path = bench.folder + "/append.ledger"
    let ledger = Side(
      label: "by the library, 1,000 a transaction",
      command: [bench.jobs, "load", path, "\(bench.eventCount)", "--seed", "\(bench.seed)"],
      clock: .reported, cores: .all, events: bench.eventCount
    ) { try bench.remove(path) }
    return Row(
      name: "append-1000", unit: .eventsPerSecond, count: bench.eventCount, ledger: ledger,
      other: peerLoad(bench, .reported))
  }

  private static func peerLoad(_ bench: Workbench, _ clock: Clock) -> Side {
    let database = bench.folder + "/apply.db"
    return Side(
      label: "SQLite insert, 1,000 a commit",
      command: [bench.peer, "load", bench.events, database],
      clock: clock, cores: .all, events: bench.eventCount
    ) {
      try bench.remove(database, database + "-wal", database + "-shm")
    }
  }

  static func durable(_ bench: Workbench) -> Row {
    let raw = bench.folder + "/raw"
    let other = Side(
      label: "bare write and sync, 200 bytes",
      command: [bench.generator, "raw-sync", raw, "\(bench.syncCount)", "200"],
      clock: .reported, cores: .one, events: bench.syncCount
    ) { try bench.remove(raw) }
    return Row(
      name: "durable", unit: .eventsPerSecond, count: bench.syncCount,
      ledger: appends("single appends", bench, cores: .one), other: other)
  }

  /// Transactions that wait together share a sync.
  static func writers(_ bench: Workbench) -> Row {
    Row(
      name: "writers", unit: .eventsPerSecond, count: bench.syncCount,
      ledger: appends("16 writers", bench, cores: .all, writers: 16),
      other: appends("one writer", bench, cores: .all))
  }

  private static func appends(
    _ label: String, _ bench: Workbench, cores: Cores, writers: Int = 1
  ) -> Side {
    let path = bench.folder + "/durable.ledger"
    return Side(
      label: label,
      command: [bench.jobs, "append", path, "\(bench.syncCount)", "--writers", "\(writers)"],
      clock: .reported, cores: cores, events: bench.syncCount
    ) { try bench.remove(path) }
  }

  /// One task more in a ledger of about 100,000.
  static func add(_ name: String, _ bench: Workbench, other: Side) throws -> Row {
    try bench.makeListed()
    let ledger = Side(
      label: "ledger add", command: bench.ledger(bench.listedLedger, ["add", "One more task"]),
      clock: .process, cores: .one, events: 1)
    return Row(
      name: name, unit: .milliseconds, count: bench.listedEventCount, ledger: ledger, other: other)
  }
}
