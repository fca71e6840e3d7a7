import BenchSupport

/// Rows that read one task or a few, and those that follow.
extension StandardRows {
  static func audit(_ name: String, of id: String, _ bench: Workbench) -> Row {
    let ledger = Side(
      label: "ledger audit", command: bench.ledger(bench.loadedLedger, ["--json", "audit", id]),
      clock: .process, cores: .one, events: 1)
    let other = Side(
      label: "SQLite index", command: [bench.peer, "audit", bench.loadedDatabase, id],
      clock: .process, cores: .one, events: 1)
    return Row(
      name: name, unit: .milliseconds, count: bench.eventCount, ledger: ledger, other: other)
  }

  /// Opens a ledger of about 100,000 tasks and shows the first fifty.
  static func list(_ name: String, _ bench: Workbench, other: Side) throws -> Row {
    try bench.makeListed()
    let ledger = Side(
      label: "ledger list --limit 50",
      command: bench.ledger(bench.listedLedger, ["--json", "list", "--limit", "50"]),
      clock: .process, cores: .one, events: 1)
    return Row(
      name: name, unit: .milliseconds, count: bench.listedEventCount, ledger: ledger, other: other)
  }

  /// Commits on a long list beside commits on one of a hundred tasks: 1 means that the length costs nothing.
  static func observe(_ name: String, tasks: Int, _ bench: Workbench) -> Row {
    func side(_ tasks: Int) -> Side {
      Side(
        label: "\(Figure.grouped(tasks)) tasks",
        command: [bench.jobs, "observe", "2000", "--tasks", "\(tasks)"], clock: .reported,
        cores: .all, events: 2000)
    }
    return Row(
      name: name, unit: .eventsPerSecond, count: tasks, ledger: side(tasks), other: side(100))
  }
}
