import Foundation
import TaskLedger

/// The calls of one child, in an order that follows from its seed.
struct KillableCalls {
  private let folder: String
  private let seed: UInt64
  private let ledger: Ledger
  private var step = 0
  private var state: UInt64

  init(folder: String, seed: UInt64) throws {
    var configuration = LedgerConfiguration()
    // Some children seal with nearly each transaction, in the call or beside it; some keep frames for a while.
    configuration.sealEvents = seed % 3 == 0 ? 60 : 3
    configuration.sealsInBackground = seed % 2 == 0
    configuration.extensionBytes = 4096
    ledger = try Ledger.open(at: folder, author: "child \(seed)", configuration: configuration)
    self.folder = folder
    self.seed = seed
    state = seed
  }

  /// Makes one call, most often an append.
  mutating func next() throws {
    switch below(24) {
    case 0: try called("seal") { try ledger.sealNow() }
    case 1: try called("merge") { try ledger.compact() }
    case 2:
      // A backup that does not reach the horizon could not be brought up to date any more.
      try called("backup") { try ledger.backup(to: folder + ".backup", followsFold: true) }
      let last = try ledger.lastSequence
      try called("fold") { try ledger.compact(.fold(before: .sequence(last))) }
    case 3: try called("snapshot") { try ledger.snapshot() }
    case 4: try called("backup") { try ledger.backup(to: folder + ".backup", followsFold: true) }
    case 5: try repairCopy()
    default: try append()
    }
  }

  private mutating func append() throws {
    step += 1
    let ids = (0..<(1 + step % 3)).map { "\(seed)-\(step)-\($0)" }
    try called("append") {
      try ledger.transaction { transaction in
        for id in ids { try transaction.upsert(TaskItem(id: try TaskID(id), body: "of \(seed)")) }
      }
    }
    say(ids.joined(separator: " "))
  }

  /// Restores the backup into a folder of its own, damages a segment of that and repairs it.
  private mutating func repairCopy() throws {
    let backup = folder + ".backup"
    let copy = folder + ".copy"
    try called("backup") { try ledger.backup(to: backup, followsFold: true) }
    try called("restore") { try Ledger.restore(from: backup, to: copy) }
    try damageSegment(of: copy)
    try called("repair") { try Ledger.repair(at: copy) }
    say("@between")
    try FileManager.default.removeItem(atPath: copy)
  }

  /// Turns one bit over, somewhere in the middle of a segment.
  private mutating func damageSegment(of ledger: String) throws {
    let segments = URL(fileURLWithPath: ledger).appendingPathComponent("segments")
    let names = try FileManager.default.contentsOfDirectory(atPath: segments.path).sorted()
    let file = segments.appendingPathComponent(names[below(names.count)])
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: file)
  }

  private func called<Result>(_ name: String, _ call: () throws -> Result) throws {
    say("@\(name)")
    _ = try call()
  }

  private func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  private mutating func below(_ bound: Int) -> Int {
    // Knuth's generator for 64 bits; its low bits repeat soon.
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }
}
