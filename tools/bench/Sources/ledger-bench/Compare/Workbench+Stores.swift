import BenchSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What some rows need beside the loaded stores; made when the first of them asks.
extension Workbench {
  /// With so many events of the workload about 100,000 tasks exist.
  static let listedEventsMax = 625_000

  /// How many events the stores that are listed hold.
  var listedEventCount: Int { min(Self.listedEventsMax, eventCount) }
  var listedLedger: String { folder + "/listed.ledger" }
  var listedDatabase: String { folder + "/listed.db" }
  /// A quarter of the events.
  var quarterLedger: String { folder + "/quarter.ledger" }
  /// The loaded ledger, and a few changes more.
  var nearLedger: String { folder + "/near.ledger" }
  /// The commands, a thousand in a transaction.
  var transactions: String { folder + "/transactions.ndjson" }

  /// Makes something once.
  private func make(_ path: String, _ body: () throws -> Void) throws {
    guard !FileManager.default.fileExists(atPath: path) else { return }
    note("making \(path)")
    try body()
  }

  func makeTransactions() throws {
    try make(transactions) { try generate(["--per-transaction", "1000"], to: transactions) }
  }

  /// A ledger and a database with a table of documents, which list the same tasks.
  func makeListed() throws {
    try make(listedLedger) {
      try load(listedEventCount, into: listedLedger)
      let events = folder + "/listed-events.ndjson"
      let state = folder + "/listed-state.ndjson"
      try generate(["--events"], events: listedEventCount, to: events)
      try generate(["--state"], events: listedEventCount, to: state)
      _ = try process.run([peer, "load", events, listedDatabase], cores: .all)
      _ = try process.run([peer, "tasks", state, listedDatabase], cores: .all)
      let listed = folder + "/listed.ndjson"
      _ = try process.run([peer, "list", listedDatabase, "50"], output: listed)
      try check(ledger(listedLedger, ["--json", "list", "--limit", "50"]), gives: listed)
      try remove(events, state)
    }
  }

  func makeQuarter() throws {
    try make(quarterLedger) { try load(eventCount / 4, into: quarterLedger) }
  }

  /// A ledger of the first events of the workload.
  func load(_ count: Int, into path: String) throws {
    let commands = path + ".ndjson"
    try generate([], events: count, to: commands)
    _ = try process.run(ledger(path, ["init"]))
    _ = try process.run(ledger(path, ["apply", commands]), cores: .all)
    try remove(commands)
  }

  /// Ten tasks differ from the loaded ledger.
  func makeNear() throws {
    try make(nearLedger) {
      try copy(loadedLedger, to: nearLedger)
      for number in 0..<10 {
        _ = try process.run(ledger(nearLedger, ["add", "One more task, number \(number)"]))
      }
    }
  }

  func copy(_ path: String, to target: String) throws {
    try remove(target)
    try FileManager.default.copyItem(atPath: path, toPath: target)
  }
}
