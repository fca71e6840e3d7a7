import BenchSupport

/// Rows that rebuild state, and what memory that takes.
extension StandardRows {
  static func replay(_ bench: Workbench) -> Row {
    Row(
      name: "replay", unit: .eventsPerSecond, count: bench.eventCount,
      ledger: ledgerReplay("ledger replay", bench), other: peerReplay(bench))
  }

  static func cores(_ bench: Workbench) -> Row {
    Row(
      name: "cores", unit: .eventsPerSecond, count: bench.eventCount,
      ledger: ledgerReplay("all cores", bench, cores: .all), other: ledgerReplay("one core", bench))
  }

  static func middle(_ bench: Workbench) -> Row {
    let middle = bench.eventCount / 2
    return Row(
      name: "middle", unit: .eventsPerSecond, count: bench.eventCount,
      ledger: ledgerReplay("ledger replay --at", bench, at: middle),
      other: peerReplay(bench, at: middle))
  }

  /// The middle from the newest snapshot before it, beside a full replay of all events.
  static func middleFromSnapshot(_ bench: Workbench) -> Row {
    Row(
      name: "middle-snapshot", unit: .milliseconds, count: bench.eventCount,
      ledger: ledgerReplay(
        "replay --from-snapshot --at", bench, at: bench.eventCount / 2, more: ["--from-snapshot"]),
      other: ledgerReplay("full replay", bench), hasOneState: false)
  }

  private static func peerReplay(_ bench: Workbench, at sequence: Int? = nil) -> Side {
    let position = sequence.map { ["--at", "\($0)"] } ?? []
    return Side(
      label: "SQLite event table",
      command: [bench.peer, "replay", bench.loadedDatabase] + position,
      clock: .reported, cores: .one, events: sequence ?? bench.eventCount)
  }

  /// Ledgers that differ by a few events share their segments; two replays are what it takes without that.
  static func difference(_ bench: Workbench) throws -> Row {
    try bench.makeNear()
    let paths = [bench.loadedLedger, bench.nearLedger]
    // 1 is the answer that they differ.
    let ledger = Side(
      label: "ledger diff", command: [bench.ledger, "diff", "--summary"] + paths, clock: .process,
      cores: .one, events: 1, exitCodes: [1])
    let script = "\"$0\" --ledger \"$1\" replay && \"$0\" --ledger \"$2\" replay"
    let other = Side(
      label: "two replays", command: ["sh", "-c", script, bench.ledger] + paths, clock: .process,
      cores: .one, events: 1)
    return Row(
      name: "diff", unit: .milliseconds, count: bench.eventCount, ledger: ledger, other: other)
  }

  /// At n events beside a quarter of them: 1 means that the peak does not grow, 0.25 that it grows with the events.
  static func replayMemory(_ bench: Workbench) throws -> Row {
    try bench.makeQuarter()
    return Row(
      name: "memory-replay", unit: .peakBytes, count: bench.eventCount,
      ledger: ledgerReplay("replay", bench),
      other: ledgerReplay("replay of a quarter", bench, bench.quarterLedger), hasOneState: false)
  }

  static func compactMemory(_ bench: Workbench) throws -> Row {
    try bench.makeQuarter()
    return Row(
      name: "memory-compact", unit: .peakBytes, count: bench.eventCount,
      ledger: compact("compact", bench.loadedLedger, bench),
      other: compact("compact of a quarter", bench.quarterLedger, bench))
  }

  /// Compacts a copy, a fresh one each time.
  private static func compact(_ label: String, _ path: String, _ bench: Workbench) -> Side {
    let copy = bench.folder + "/compact.ledger"
    return Side(
      label: label, command: bench.ledger(copy, ["compact"]), clock: .process, cores: .one,
      events: 1
    ) { try bench.copy(path, to: copy) }
  }
}
