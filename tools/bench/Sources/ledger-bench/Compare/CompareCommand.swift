import BenchSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `ledger-bench compare`: the ledger beside what one would use instead, in turn, on one machine.
enum CompareCommand {
  static let usage =
    "compare --ledger PATH [-n EVENTS] [-s SEED] [--rounds N] [--rows NAME,…] [--syncs N]"
    + " [--durable PATH] [--work FOLDER]"

  static func run(_ words: [String]) throws {
    let options: Set = [
      "--ledger", "-n", "-s", "--rounds", "--rows", "--syncs", "--durable", "--work",
    ]
    let arguments = try Arguments(words, options: options)
    guard arguments.positional.isEmpty, let ledger = arguments.text("--ledger") else {
      throw BenchError.usage("usage: ledger-bench \(usage)")
    }
    let rows = try rowNames(arguments.text("--rows"))
    let rounds = try arguments.number("--rounds", default: 5)
    let folder = try makeFolder(arguments.text("--work"))
    let bench = try workbench(ledger: ledger, folder: folder, arguments)
    do {
      try compare(bench, rows: rows, rounds: rounds)
    } catch {
      note("what was measured so far stays in \(folder)")
      throw error
    }
    try bench.remove(folder)
  }

  private static func compare(_ bench: Workbench, rows: [String], rounds: Int) throws {
    let loaded = try bench.setUp()
    Report.printHeader(bench, loaded, rounds: rounds)
    for name in rows where name != "sizes" {
      if name == "durable", !FileManager.default.isExecutableFile(atPath: bench.durable) {
        Report.printSkipped(name, because: "there is no \(bench.durable)")
        continue
      }
      guard let row = StandardRows.row(name, of: bench, loaded) else { continue }
      note("row \(name)")
      var result = RowResult(row)
      for round in 0..<rounds { try result.runRound(round, in: bench.process) }
      Report.printRow(result)
    }
    if rows.contains("sizes") { try printSizes(bench) }
  }

  /// Compacts both stores, so this comes last.
  private static func printSizes(_ bench: Workbench) throws {
    var sizes: [(label: String, bytes: Int)] = []
    func measure(_ when: String) throws {
      let segments = bench.loadedLedger + "/segments"
      sizes.append(("ledger, \(when), segments alone", try bench.size(of: segments)))
      sizes.append(("ledger, \(when), whole folder", try bench.size(of: bench.loadedLedger)))
      sizes.append(("SQLite, \(when)", try bench.size(of: bench.loadedDatabase)))
    }
    sizes.append(("the commands as text", try bench.size(of: bench.commands)))
    try measure("loaded")
    _ = try bench.process.run(bench.ledger(bench.loadedLedger, ["compact"]), cores: .all)
    _ = try bench.process.run([bench.peer, "compact", bench.loadedDatabase], cores: .all)
    try measure("compacted")
    Report.printSizes(sizes, events: bench.eventCount)
  }

  // MARK: - Arguments

  private static func rowNames(_ list: String?) throws -> [String] {
    guard let list else { return StandardRows.names }
    let names = list.split(separator: ",").map(String.init)
    for name in names where !StandardRows.names.contains(name) {
      let known = StandardRows.names.joined(separator: ", ")
      throw BenchError.usage("no row is named \(name); there are \(known)")
    }
    return names
  }

  private static func workbench(
    ledger: String, folder: String, _ arguments: Arguments
  ) throws -> Workbench {
    let siblings = programFolder()
    return Workbench(
      ledger: try executable(ledger),
      durable: arguments.text("--durable") ?? siblings + "/ledger-durable",
      peer: try executable(siblings + "/sqlite-peer"),
      generator: try executable(siblings + "/ledger-bench"),
      folder: folder, process: ChildProcess(outputFolder: folder),
      seed: try arguments.number("-s", minimum: 0, default: 1),
      eventCount: try arguments.number("-n", minimum: 1000, default: 1_000_000),
      syncCount: try arguments.number("--syncs", default: 3000))
  }

  private static func executable(_ path: String) throws -> String {
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw BenchError("there is no program at \(path)", exitCode: 66)
    }
    return path
  }

  /// The folder that this program was built into; the peers lie beside it.
  private static func programFolder() -> String {
    #if os(Linux)
      let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let path = link ?? CommandLine.arguments[0]
    #else
      let path = CommandLine.arguments[0]
    #endif
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  /// A new folder of its own, below the one that was named, so that removing it is safe.
  private static func makeFolder(_ parent: String?) throws -> String {
    let parent = parent ?? FileManager.default.temporaryDirectory.path
    let folder = "\(parent)/ledger-bench-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }
}
