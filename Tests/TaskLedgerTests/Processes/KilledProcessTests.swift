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
      let calls = Int.random(in: 1...30)
      let life = try CrashChild.run([folder, "\(seed)"], until: .init(count: calls))
      #expect(life.wasKilled, "child \(seed): \(life.said.last ?? "")")
      lives.append(life)
      kept.formUnion(life.acknowledged.flatMap { $0.split(separator: " ").map(String.init) })
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
