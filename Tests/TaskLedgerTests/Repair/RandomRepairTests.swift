import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// Whatever happens to the files: a repair is refused and changes nothing, or leaves a sound ledger of events that were really
/// there, and tells which are not.
@Suite struct `Random damage` {
  @Test(arguments: TestSettings.seeds(40))
  func `is repaired, and nothing is made up`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let bench = try RepairBench.made(
      bodyBytes: seed % 2 == 0 ? 40 : RepairBench.twoBlocks, folds: seed % 5 == 0)
    let disk = bench.disk.processKilled()
    let names = bench.files.keys.filter { $0 != "LOCK" }.sorted()
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let name = names.randomElement(using: &random) ?? "CURRENT"
      var bytes = disk.files[name] ?? []
      guard !bytes.isEmpty else { continue }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: try disk.remove(name)
      case 1:
        try disk.overwrite(
          name, with: Array(bytes[..<Int.random(in: 0..<bytes.count, using: &random)]))
      case 2:
        let start = Int.random(in: 0..<bytes.count, using: &random)
        for place in start..<min(bytes.count, start + 512) {
          bytes[place] = UInt8.random(in: 0...255, using: &random)
        }
        try disk.overwrite(name, with: bytes)
      default:
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
          1 << UInt8.random(in: 0...7, using: &random)
        try disk.overwrite(name, with: bytes)
      }
    }
    try expectHonest(disk, bench, "seed \(seed)")
  }

  private func expectHonest(_ disk: TestDisk, _ bench: RepairBench, _ context: Comment) throws {
    let found = try disk.verify()
    let before = disk.files
    let repair: Repair
    do throws(LedgerError) {
      repair = try disk.repair(configuration: bench.configuration)
    } catch {
      #expect(!found.isSound && error.code == .damaged, context)
      #expect((disk.files == before), context)
      return
    }
    #expect(!repair.steps.isEmpty || found.isSound, context)
    let after = try disk.verify()
    #expect(after.isSound, context)
    let ledger = try disk.open(configuration: bench.configuration)
    let events = try LedgerCheck.allEvents(of: ledger)
    let known = Dictionary(uniqueKeysWithValues: bench.events.map { ($0.sequence, $0) })
    #expect(events.allSatisfy { known[$0.sequence] == $0 }, context)
    // What is not there is told of, but for what a torn tail cannot tell.
    let last = try ledger.lastSequence
    let lost = try ledger.lostEvents
    let numbers = Set(events.map(\.sequence))
    let horizon = UInt64(bench.files.keys.contains { $0.hasSuffix(".baseline") } ? 6 : 0)
    for number in horizon + 1..<last + 1 {
      #expect(numbers.contains(number) != lost.contains(number), "event \(number), \(context)")
    }
    if horizon == 0 {
      #expect(try ledger.replay().digest == RepairBench.plainDigest(events), context)
    }
    #expect(try disk.repair(configuration: bench.configuration).steps.isEmpty, context)
  }
}
