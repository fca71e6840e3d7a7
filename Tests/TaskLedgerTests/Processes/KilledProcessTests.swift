import Foundation
import LedgerTestSupport
import TaskLedger
import Testing

/// A process that is killed in the middle of whatever it does: appending, sealing, merging, folding, making a snapshot, backing up,
/// restoring, repairing.
///
/// LEDGER_KILLS sets the number of rounds; each round makes many segments. `tools/kills` runs thousands.
@Suite(.enabled(if: CrashChild.path != nil, "the child program is not beside the tests"))
struct `A killed process` {
  private static let rounds =
    ProcessInfo.processInfo.environment["LEDGER_KILLS"].flatMap(Int.init) ?? 25

  /// A ledger lives that long: what was acknowledged is looked for after each kill.
  private static let roundsOfLedger = 50

  @Test func `leaves every acknowledged transaction, and none half there`() throws {
    var acknowledged = 0
    var fell: [String: Int] = [:]
    for first in stride(from: 1, through: Self.rounds, by: Self.roundsOfLedger) {
      try withTemporaryFolder { path in
        let seeds = first...min(first + Self.roundsOfLedger - 1, Self.rounds)
        for child in try kill(seeds, at: "\(path)/tasks.ledger") {
          acknowledged += child.acknowledged.count
          fell[child.call, default: 0] += 1
        }
      }
    }
    let calls = fell.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    print(
      "\(Self.rounds) kills, \(acknowledged) transactions, inside",
      calls.joined(separator: " "))
  }

  /// Kills one child after another, and looks after each for what all of them had acknowledged.
  private func kill(_ seeds: ClosedRange<Int>, at folder: String) throws -> [CrashChild.Life] {
    _ = try Ledger.create(at: folder)
    var lives: [CrashChild.Life] = []
    var kept: Set<String> = []
    for seed in seeds {
      let life = try CrashChild.run(folder, seed: seed)
      lives.append(life)
      kept.formUnion(life.acknowledged.joined())
      let ledger = try Ledger.open(at: folder, createIfMissing: false)
      let missing = kept.subtracting(try ledger.tasks().map(\.id.text))
      #expect(missing.isEmpty, "round \(seed), killed in \(life.call)")
      try expectWhole(ledger, round: seed)
      try finishRepair(of: folder + ".copy", round: seed)
    }
    #expect(try Ledger.verify(at: folder).isSound)
    try expectBackup(of: Ledger.open(at: folder), at: folder + ".backup")
    return lives
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

  /// A copy in which a restore or a repair was interrupted can be repaired, and then has what was not lost.
  private func finishRepair(of copy: String, round: Int) throws {
    guard FileManager.default.fileExists(atPath: copy + "/CURRENT") else {
      try? FileManager.default.removeItem(atPath: copy)
      return
    }
    try Ledger.repair(at: copy)
    let found = try Ledger.verify(at: copy)
    #expect(found.isSound, "round \(round): \(found.files)")
    try FileManager.default.removeItem(atPath: copy)
  }

  /// The backup, made whole by one more run, has what the ledger has.
  private func expectBackup(of ledger: Ledger, at backup: String) throws {
    try ledger.backup(to: backup, followsFold: true)
    #expect(try Ledger.verify(at: backup).isSound)
    #expect(try Ledger.open(at: backup).replay().digest == ledger.replay().digest)
  }
}

/// The program that works on a ledger until it is killed.
private enum CrashChild {
  static let path = ChildProgram.path("ledger-crash-child")

  /// What one child did.
  struct Life {
    /// The ids of the tasks of each transaction that it said was acknowledged.
    var acknowledged: [[String]]
    /// The call in which it was killed.
    var call: String
  }

  /// Runs it for a random number of calls and kills it.
  static func run(_ folder: String, seed: Int) throws -> Life {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path ?? "")
    process.arguments = [folder, "\(seed)"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    // It is killed a random moment after a random number of calls, however slow the machine is.
    var bytes = Data()
    let calls = Int.random(in: 1...30)
    while bytes.count(where: { $0 == UInt8(ascii: "@") }) < calls {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      bytes.append(more)
    }
    usleep(UInt32.random(in: 0..<6_000))
    kill(process.processIdentifier, SIGKILL)
    bytes.append(output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    // A line without an end was not wholly said.
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast()
    #expect(process.terminationReason == .uncaughtSignal, "child \(seed): \(lines.last ?? "")")
    let call = lines.last { $0.hasPrefix("@") }?.dropFirst() ?? "between"
    let acknowledged = lines.filter { !$0.hasPrefix("@") }
    return Life(
      acknowledged: acknowledged.map { $0.split(separator: " ").map(String.init) },
      call: String(call))
  }
}
