import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// A segment of the list is damaged, and its events lie beside it in files with other bounds.
@Suite struct `Events of a damaged segment that lie in files beside the list` {
  enum Damage: CaseIterable, Sendable {
    case flip, missing
  }

  private func harm(_ file: String, _ damage: Damage, on disk: TestDisk) throws {
    guard damage == .flip, var bytes = disk.files[file] else { return try disk.remove(file) }
    bytes[40] ^= 4
    try disk.overwrite(file, with: bytes)
  }

  private func sealed(_ disk: TestDisk) -> [String] {
    disk.files.keys.filter { $0.hasSuffix(".sealed") }.sorted()
  }

  /// Whatever removes files is kept from those that `files` names; it may well fail over the damage.
  private func expectKept(
    _ files: [String], on disk: TestDisk, _ mix: LedgerMix, _ context: Comment
  ) throws {
    _ = try? Sealer(disk.faults, options: StoreOptions(), pool: ZstdPool()).removeUnneededFiles()
    _ = try? disk.open(configuration: mix.configuration).compact()
    _ = try? disk.open(configuration: mix.configuration).maintain()
    for file in files { #expect(disk.files[file] != nil, "\(file), \(context)") }
  }

  private func expectSaved(
    _ disk: TestDisk, _ events: SequenceRanges, in files: [String], _ mix: LedgerMix,
    _ context: Comment
  ) throws {
    let found = try disk.verify()
    #expect(!found.isSound && found.lost.isEmpty && found.doubtful.isEmpty, context)
    let told = found.files.filter { !$0.returned.isEmpty }.map(\.name)
    #expect(Set(told).isSuperset(of: files), context)
    try expectKept(files, on: disk, mix, context)
    let plan = try Ledger.repairPlan(disk.faults, mix.configuration)
    let repair = try disk.repair(configuration: mix.configuration)
    #expect(plan.lost.isEmpty && repair.lost.isEmpty && repair.lostBefore.isEmpty, context)
    #expect(repair.returned == events && plan.returned == events, context)
    let ledger = try disk.open(configuration: mix.configuration)
    #expect(try LedgerCheck.allEvents(of: ledger) == mix.events, context)
    #expect(try ledger.lostEvents.isEmpty, context)
    #expect(try disk.verify().isSound, context)
    #expect(try disk.repair(configuration: mix.configuration).steps.isEmpty, context)
  }

  @Test(arguments: Damage.allCases)
  func `are taken from a larger one, which nothing removes`(_ damage: Damage) throws {
    let mix = try LedgerMix.made(.sealed)
    let merged = mix.disk.processKilled()
    try merged.open(configuration: mix.configuration).compact()
    let large = try #require(sealed(merged).first)
    #expect(sealed(merged).count == 1)
    for (place, file) in sealed(mix.disk).enumerated() {
      let disk = try mix.disk(.there)
      try disk.overwrite(large, with: merged.files[large] ?? [])
      try harm(file, damage, on: disk)
      let first = UInt64(3 * place + 1)
      try expectSaved(
        disk, SequenceRanges(first...first + 2), in: [large], mix, "\(damage), \(file)")
    }
  }

  @Test(arguments: Damage.allCases)
  func `are taken from smaller ones`(_ damage: Damage) throws {
    let mix = try LedgerMix.made(.sealed)
    let disk = mix.disk.processKilled()
    try disk.open(configuration: mix.configuration).compact()
    try harm(sealed(disk)[0], damage, on: disk)
    let small = sealed(mix.disk)
    for file in small { try disk.overwrite(file, with: mix.disk.files[file] ?? []) }
    try expectSaved(disk, SequenceRanges(1...9), in: small, mix, "\(damage)")
  }

  @Test func `are lost as far as those lack them, which is said`() throws {
    let mix = try LedgerMix.made(.sealed)
    let disk = mix.disk.processKilled()
    try disk.open(configuration: mix.configuration).compact()
    try harm(sealed(disk)[0], .missing, on: disk)
    for file in sealed(mix.disk).dropFirst() {
      try disk.overwrite(file, with: mix.disk.files[file] ?? [])
    }
    #expect(try disk.verify().lost == SequenceRanges(1...3))
    let repair = try disk.repair(configuration: mix.configuration)
    #expect(repair.lost == SequenceRanges(1...3) && repair.returned == SequenceRanges(4...9))
    let first = sealed(mix.disk)[0]
    try disk.overwrite(first, with: mix.disk.files[first] ?? [])
    #expect(
      try disk.repair(configuration: mix.configuration).returned == SequenceRanges(1...3))
    let ledger = try disk.open(configuration: mix.configuration)
    #expect(try LedgerCheck.allEvents(of: ledger) == mix.events)
    #expect(try disk.verify().isSound)
  }

  @Test func `are there or kept wherever a repair is interrupted`() throws {
    let mix = try LedgerMix.made(.sealed)
    let merged = mix.disk.processKilled()
    try merged.open(configuration: mix.configuration).compact()
    let start = try mix.disk(.there)
    try start.overwrite(sealed(merged)[0], with: merged.files[sealed(merged)[0]] ?? [])
    try harm(sealed(mix.disk)[1], .flip, on: start)
    let all = try start.disks(
      beforeCallsOf: { _ = try start.repair(configuration: mix.configuration) }, tearings: 0)
    #expect(all.count > 10)
    for (call, left) in all {
      let context: Comment = "before \(call)"
      #expect(try left.repair(configuration: mix.configuration).lost.isEmpty, context)
      let ledger = try left.open(configuration: mix.configuration)
      #expect(try LedgerCheck.allEvents(of: ledger) == mix.events, context)
      #expect(try left.verify().isSound, context)
    }
  }

  /// What a power cut leaves behind each call of a commit whose sync fails, where that has moved into another segment.
  private func cutAfterFailedSync(_ configuration: LedgerConfiguration) throws -> [TestDisk] {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    let cut = Guarded<[TestDisk]>([])
    // The first sync is that of the room for what is written.
    disk.faults.arm(FaultPlan(fail: 2, of: [.sync], effect: .losesPages))
    disk.faults.onCall { _ in
      let left = disk.powerCut()
      guard left.files.keys.filter({ $0.hasSuffix(".active") }).count == 2 else { return }
      cut.withLock { $0.append(left) }
    }
    #expect(throws: LedgerError.self) { try ledger.upsert(TaskItem(id: "never told")) }
    disk.faults.onCall(nil)
    return cut.withLock { $0 }
  }

  @Test(arguments: Damage.allCases)
  func `are not what a failed sync leaves, of which nobody was told`(_ damage: Damage) throws {
    let configuration = LedgerConfiguration.forTests(sealEvents: 3)
    var count = 0
    for (place, disk) in try cutAfterFailedSync(configuration).enumerated() {
      let context: Comment = "\(damage), cut \(place)"
      let ledger = try disk.open(configuration: configuration)
      for number in 1...4 { try ledger.upsert(TaskItem(body: "Number \(number)")) }
      let events = try LedgerCheck.allEvents(of: ledger)
      let listed = try HeldManifest.load(from: disk.faults).manifest.segments.map(\.file)
      let beside = disk.files.keys.filter { file in
        file.hasSuffix(".active") && !listed.contains { file.hasSuffix($0) }
      }
      guard !beside.isEmpty, events.count == 4 else { continue }
      count += 1
      let file = sealed(disk)[0]
      var bytes = try #require(disk.files[file])
      for place in 40..<80 { bytes[place] ^= 0x55 }
      if damage == .flip { try disk.overwrite(file, with: bytes) } else { try disk.remove(file) }
      let repair = try disk.repair(configuration: configuration)
      #expect(repair.returned.isEmpty && repair.lost == SequenceRanges(1...3), context)
      let left = try disk.open(configuration: configuration)
      #expect(try LedgerCheck.allEvents(of: left) == [events[3]], context)
      #expect(try disk.repair(configuration: configuration).returned.isEmpty, context)
      #expect(try disk.verify().isSound, context)
    }
    #expect(count > 0)
  }
}
