import BenchSupport

/// The rows of the comparison, in the order in which they run.
enum StandardRows {
  static let names = [
    "replay", "cores", "middle", "middle-snapshot", "apply", "apply-whole", "apply-1000",
    "append-1000", "durable", "writers", "audit-young", "audit-old", "audit-hot", "list",
    "list-start", "add", "add-start", "diff", "observe-10k", "observe-1m", "memory-replay",
    "memory-compact", "sizes",
  ]

  static func row(_ name: String, of bench: Workbench, _ loaded: Workbench.Loaded) throws -> Row? {
    switch name {
    case "replay": replay(bench)
    case "cores": cores(bench)
    case "middle": middle(bench)
    case "middle-snapshot": middleFromSnapshot(bench)
    case "apply": apply(name, bench, until: "all is synced", .reported)
    case "apply-whole": apply(name, bench, until: "its end", .process)
    case "apply-1000": try applyThousands(bench)
    case "append-1000": appendThousands(bench)
    case "durable": durable(bench)
    case "writers": writers(bench)
    case "audit-young": audit(name, of: loaded.youngID, bench)
    case "audit-old": audit(name, of: loaded.oldID, bench)
    case "audit-hot": audit(name, of: loaded.hotID, bench)
    case "list": try list(name, bench, other: peerList(bench))
    case "list-start": try list(name, bench, other: emptyProcess)
    case "add": try add(name, bench, other: peerAdd(bench))
    case "add-start": try add(name, bench, other: emptyProcess)
    case "diff": try difference(bench)
    case "observe-10k": observe(name, tasks: 10_000, bench)
    case "observe-1m": observe(name, tasks: 1_000_000, bench)
    case "memory-replay": try replayMemory(bench)
    case "memory-compact": try compactMemory(bench)
    default: nil
    }
  }

  static func ledgerReplay(
    _ label: String, _ bench: Workbench, _ path: String? = nil, cores: Cores = .one,
    at sequence: Int? = nil, more: [String] = []
  ) -> Side {
    let position = sequence.map { ["--at", "\($0)"] } ?? []
    return Side(
      label: label,
      command: bench.ledger(path ?? bench.loadedLedger, ["--json", "replay"] + position + more),
      clock: .reported, cores: cores, events: sequence ?? bench.eventCount)
  }

  /// What the system takes to start a program that does nothing.
  private static var emptyProcess: Side {
    Side(
      label: "a process that does nothing", command: ["true"], clock: .process, cores: .one,
      events: 1)
  }

  private static func peerList(_ bench: Workbench) -> Side {
    Side(
      label: "SQLite table of documents",
      command: [bench.peer, "list", bench.listedDatabase, "50"],
      clock: .process, cores: .one, events: 1)
  }

  private static func peerAdd(_ bench: Workbench) -> Side {
    Side(
      label: "SQLite, event and document in a commit",
      command: [bench.peer, "add", bench.listedDatabase, "One more task"], clock: .process,
      cores: .one, events: 1)
  }
}
