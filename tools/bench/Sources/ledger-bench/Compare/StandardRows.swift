import BenchSupport

/// The rows of the comparison, in the order in which they run.
enum StandardRows {
  static let names = [
    "replay", "cores", "middle", "apply", "apply-whole", "durable", "audit-cold", "audit-hot",
    "sizes",
  ]

  static func row(_ name: String, of bench: Workbench, _ loaded: Workbench.Loaded) -> Row? {
    switch name {
    case "replay":
      replay("replay", bench, cores: .one, other: peerReplay(bench))
    case "cores":
      replay("cores", bench, cores: .all, other: ledgerReplay("one core", bench, cores: .one))
    case "middle":
      replay(
        "middle", bench, cores: .one, other: peerReplay(bench, at: bench.eventCount / 2),
        at: bench.eventCount / 2)
    case "apply": apply("apply", bench, until: "all is synced", .reported)
    case "apply-whole": apply("apply-whole", bench, until: "its end", .process)
    case "durable": durable(bench)
    case "audit-cold": audit(name, of: loaded.coldID, bench)
    case "audit-hot": audit(name, of: loaded.hotID, bench)
    default: nil
    }
  }

  private static func replay(
    _ name: String, _ bench: Workbench, cores: Cores, other: Side, at sequence: Int? = nil
  ) -> Row {
    let label = cores == .all ? "all cores" : "ledger replay"
    let ledger = ledgerReplay(label, bench, cores: cores, at: sequence)
    return Row(name: name, unit: .eventsPerSecond, ledger: ledger, other: other)
  }

  private static func ledgerReplay(
    _ label: String, _ bench: Workbench, cores: Cores, at sequence: Int? = nil
  ) -> Side {
    let position = sequence.map { ["--at", "\($0)"] } ?? []
    return Side(
      label: label,
      command: [bench.ledger, "--ledger", bench.loadedLedger, "--json", "replay"] + position,
      clock: .reported, cores: cores, events: sequence ?? bench.eventCount)
  }

  private static func peerReplay(_ bench: Workbench, at sequence: Int? = nil) -> Side {
    let position = sequence.map { ["--at", "\($0)"] } ?? []
    return Side(
      label: "SQLite event table",
      command: [bench.peer, "replay", bench.loadedDatabase] + position,
      clock: .reported, cores: .one, events: sequence ?? bench.eventCount)
  }

  /// The ledger parses and checks commands; SQLite gets the events already worked out, in commits
  /// of a thousand. After the last line is synced, the ledger seals what is left and makes a
  /// snapshot.
  private static func apply(
    _ name: String, _ bench: Workbench, until end: String, _ clock: Clock
  ) -> Row {
    let path = bench.folder + "/apply.ledger"
    let database = bench.folder + "/apply.db"
    let ledger = Side(
      label: "ledger apply, until \(end)",
      command: bench.ledger(path, ["--json", "apply", bench.commands]), clock: clock, cores: .all,
      events: bench.eventCount
    ) {
      try bench.remove(path)
      _ = try bench.process.run(bench.ledger(path, ["init"]))
    }
    let other = Side(
      label: "SQLite insert, 1,000 a commit",
      command: [bench.peer, "load", bench.events, database],
      clock: .process, cores: .all, events: bench.eventCount
    ) {
      try bench.remove(database, database + "-wal", database + "-shm")
    }
    return Row(name: name, unit: .eventsPerSecond, ledger: ledger, other: other)
  }

  private static func durable(_ bench: Workbench) -> Row {
    let path = bench.folder + "/durable.ledger"
    let raw = bench.folder + "/raw"
    let ledger = Side(
      label: "single appends", command: [bench.durable, path, "\(bench.syncCount)"],
      clock: .reported, cores: .one, events: bench.syncCount
    ) { try bench.remove(path) }
    let other = Side(
      label: "bare write and sync, 200 bytes",
      command: [bench.generator, "raw-sync", raw, "\(bench.syncCount)", "200"],
      clock: .reported, cores: .one, events: bench.syncCount
    ) { try bench.remove(raw) }
    return Row(name: "durable", unit: .eventsPerSecond, ledger: ledger, other: other)
  }

  private static func audit(_ name: String, of id: String, _ bench: Workbench) -> Row {
    let ledger = Side(
      label: "ledger audit",
      command: [bench.ledger, "--ledger", bench.loadedLedger, "--json", "audit", id],
      clock: .process, cores: .one, events: 1)
    let other = Side(
      label: "SQLite index", command: [bench.peer, "audit", bench.loadedDatabase, id],
      clock: .process, cores: .one, events: 1)
    return Row(name: name, unit: .milliseconds, ledger: ledger, other: other)
  }
}
