import Foundation
import LedgerTestSupport
import TaskLedger
import Testing

/// A process that is killed in the middle of whatever it does: appending, closing a segment, sealing, merging, folding.
///
/// LEDGER_KILLS sets the number of rounds; each round makes many segments.
@Suite(.enabled(if: CrashChild.path != nil, "the child program is not beside the tests"))
struct `A killed process` {
  private static let rounds =
    ProcessInfo.processInfo.environment["LEDGER_KILLS"].flatMap(Int.init) ?? 25

  @Test func `leaves every acknowledged transaction, and none half there`() throws {
    try withTemporaryFolder { path in
      let folder = "\(path)/tasks.ledger"
      _ = try Ledger.create(at: folder)
      var acknowledged: [[String]] = []
      for seed in 1...Self.rounds {
        acknowledged += try CrashChild.run(folder, seed: seed)
        let ledger = try Ledger.open(at: folder, createIfMissing: false)
        let found = Set(try ledger.tasks().map(\.id.text))
        for ids in acknowledged {
          #expect(ids.allSatisfy(found.contains), "round \(seed): \(ids) was acknowledged")
        }
        try expectWhole(ledger, round: seed)
      }
      #expect(try Ledger.verify(at: folder).isSound)
      let segments = try Ledger.open(at: folder).statistics().segments.count
      print("\(Self.rounds) kills, \(acknowledged.count) transactions, \(segments) segments")
    }
  }

  /// A transaction's last event is there when its first one is.
  private func expectWhole(_ ledger: Ledger, round: Int) throws {
    var open: UInt64?
    try ledger.forEachEvent { event in
      #expect(open == nil || open == event.transaction, "round \(round): event \(event.sequence)")
      open = event.endsTransaction ? nil : event.transaction
      return true
    }
    #expect(open == nil, "round \(round): the last transaction is cut")
  }
}

/// The program that appends until it is killed.
private enum CrashChild {
  static let path = ChildProgram.path("ledger-crash-child")

  /// Runs it for a random short time and kills it.
  ///
  /// - Returns: the transactions that it said were acknowledged.
  static func run(_ folder: String, seed: Int) throws -> [[String]] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path ?? "")
    process.arguments = [folder, "\(seed)"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    // It is killed at a random moment once it has begun, however slow the machine is to start it.
    var bytes = output.fileHandleForReading.availableData
    usleep(UInt32.random(in: 0..<60_000))
    kill(process.processIdentifier, SIGKILL)
    bytes.append(output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    // A line without an end was not wholly said.
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    return lines.dropLast().map { $0.split(separator: " ").map(String.init) }
  }
}
