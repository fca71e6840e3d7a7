import BenchSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `ledger-bench compare`: the ledger beside what one would use instead, in turn, on one machine.
enum CompareCommand {
  static let usage =
    "compare [--ledger PATH] [-n EVENTS] [-s SEED] [--rounds N] [--rows NAME,…] [--syncs N]"
    + " [--work FOLDER] [--results FILE | --unrecorded]"

  static func run(_ words: [String]) throws {
    let options: Set = [
      "--ledger", "-n", "-s", "--rounds", "--rows", "--syncs", "--work", "--results",
    ]
    let arguments = try Arguments(words, options: options, flags: ["--unrecorded"])
    guard arguments.positional.isEmpty else {
      throw BenchError.usage("usage: ledger-bench \(usage)")
    }
    let rows = try rowNames(arguments.text("--rows"))
    let rounds = try arguments.number("--rounds", default: 5)
    let results = try Results(arguments)
    let bench = try Workbench(
      arguments, eventCount: try arguments.number("-n", minimum: 1000, default: 1_000_000))
    try bench.removingFolder { try compare(bench, rows: rows, rounds: rounds, results) }
  }

  private static func compare(
    _ bench: Workbench, rows: [String], rounds: Int, _ results: Results?
  ) throws {
    let loaded = try bench.setUp()
    Report.printHeader(bench, loaded, rounds: rounds)
    let (commit, date) = (Report.commit(of: bench), Results.now())
    for name in rows where name != "sizes" {
      guard let row = try StandardRows.row(name, of: bench, loaded) else { continue }
      note("row \(name)")
      var result = RowResult(row)
      for round in 0..<rounds { try result.runRound(round, in: bench.process) }
      Report.printRow(result)
      if let line = Report.line(of: result, commit: commit, date: date) { try results?.add(line) }
    }
    if rows.contains("sizes") { try compareSizes(bench, commit: commit, date: date, results) }
  }

  /// Compacts both stores, so this comes last.
  private static func compareSizes(
    _ bench: Workbench, commit: String, date: String, _ results: Results?
  ) throws {
    var sizes = [Size(label: "the commands as text", bytes: try bench.size(of: bench.commands))]
    func measure(_ when: String) throws {
      let segments = try bench.size(of: bench.loadedLedger + "/segments")
      let database = try bench.size(of: bench.loadedDatabase)
      sizes.append(Size(label: "ledger, \(when), segments alone", bytes: segments))
      sizes.append(
        Size(
          label: "ledger, \(when), whole folder", bytes: try bench.size(of: bench.loadedLedger)))
      sizes.append(Size(label: "SQLite, \(when)", bytes: database))
      let line = Report.line(
        ofSizes: "size-\(when)", ledger: segments, other: database, bench, commit: commit,
        date: date)
      if let line { try results?.add(line) }
    }
    try measure("loaded")
    _ = try bench.process.run(bench.ledger(bench.loadedLedger, ["compact"]), cores: .all)
    _ = try bench.process.run([bench.peer, "compact", bench.loadedDatabase], cores: .all)
    try measure("compacted")
    Report.printSizes(sizes, events: bench.eventCount)
  }

  private static func rowNames(_ list: String?) throws -> [String] {
    guard let list else { return StandardRows.names }
    let names = list.split(separator: ",").map(String.init)
    for name in names where !StandardRows.names.contains(name) {
      let known = StandardRows.names.joined(separator: ", ")
      throw BenchError.usage("no row is named \(name); there are \(known)")
    }
    return names
  }
}
