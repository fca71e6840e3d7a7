import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// A segment that was lost is found again, and is not quite what it was.
@Suite struct `A lost segment that is put back with a flipped bit` {
  @Test(arguments: [LedgerMix.Kind.sealed, .baseline, .salvaged, .sealedFrozenActive])
  func `gives back all events where that can be put right, and is kept where not`(
    _ kind: LedgerMix.Kind
  ) throws {
    let mix = try LedgerMix.made(kind)
    let segment = try #require(mix.segments.first { $0.kind != .sealed || kind == .sealed })
    let bytes = try #require(mix.disk.files[segment.file])
    let repaired = try mix.disk(.there)
    try repaired.remove(segment.file)
    let lost = try repaired.repair(configuration: mix.configuration).lost
    #expect(!lost.isEmpty)
    let end = bytes.lastIndex { $0 != 0 } ?? 0
    var (returned, kept) = (0, 0)
    for offset in stride(from: 8, through: end, by: 5) {
      let context: Comment = "\(kind), byte \(offset) of \(end)"
      let disk = repaired.processKilled()
      var broken = bytes
      broken[offset] ^= 1 << UInt8(offset % 8)
      try disk.overwrite(segment.file, with: broken)
      _ = try disk.open(configuration: mix.configuration).maintain()
      #expect(disk.files[segment.file] == broken, context)
      let before = try disk.verify()
      let repair = try disk.repair(configuration: mix.configuration)
      #expect(repair.lost.isEmpty, context)
      let ledger = try disk.open(configuration: mix.configuration)
      if repair.returned == lost {
        returned += 1
        #expect(before.isSound, context)
        #expect(repair.lostBefore.without(mix.lostBefore).isEmpty, context)
        let left = mix.events.filter {
          $0.sequence > mix.horizon && !mix.lostBefore.contains($0.sequence)
        }
        #expect(try LedgerCheck.allEvents(of: ledger) == left, context)
        #expect(try disk.verify().isSound, context)
      } else {
        kept += 1
        let there = disk.files.values.contains(broken)
        #expect(there, context)
        let rest = lost.without(repair.returned)
        #expect(rest.without(try ledger.lostEvents).isEmpty, context)
      }
    }
    // The blocks are the larger part, and of frames all of it is.
    #expect(returned > 5 && kept > 0, "\(kind): \(returned) returned, \(kept) kept")
  }

  @Test func `or was a baseline whose loss was recorded without a list comes back whole`() throws {
    let mix = try LedgerMix.made(.baseline)
    let baseline = try #require(mix.segments.first { $0.kind == .baseline }?.file)
    let disk = try mix.disk(.gone)
    try disk.remove(baseline)
    #expect(try disk.repair(configuration: mix.configuration).lost == SequenceRanges(1...3))
    try disk.overwrite(baseline, with: mix.disk.files[baseline] ?? [])
    let repair = try disk.repair(configuration: mix.configuration)
    #expect(repair.returned == SequenceRanges(1...3) && repair.lostBefore.isEmpty)
    let whole = try mix.disk.processKilled().open(configuration: mix.configuration)
    let ledger = try disk.open(configuration: mix.configuration)
    #expect(try ledger.replay().digest == whole.replay().digest)
    #expect(try ledger.statistics().segments.first?.kind == "baseline")
    #expect(try disk.verify().isSound)
  }

  @Test(arguments: [true, false])
  func `or a baseline whose history a backup has is made anew of that`(
    _ isRecorded: Bool
  ) throws {
    let configuration = LedgerConfiguration.forTests(clock: try TestClock(), sealEvents: 3)
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    for number in 1...7 {
      try ledger.upsert(TaskItem(id: TaskID(unchecked: "t\(number % 3)"), body: "Number \(number)"))
    }
    try ledger.evict("t2")
    try ledger.sealNow()
    let unfolded = disk.files.filter { $0.key.hasSuffix(".sealed") }
    #expect(unfolded.count == 3)
    _ = try ledger.compact(.fold(before: .sequence(8)))
    try ledger.upsert(TaskItem(id: "late", body: "After the fold"))
    let digest = try ledger.replay().digest
    let baseline = try #require(disk.files.keys.first { $0.hasSuffix(".baseline") })
    try disk.remove(baseline)
    if isRecorded { #expect(try !disk.repair(configuration: configuration).lost.isEmpty) }
    for (file, bytes) in unfolded { try disk.overwrite(file, with: bytes) }
    let told = try disk.verify().files.filter { !$0.returned.isEmpty }.map(\.name)
    #expect(Set(told) == Set(unfolded.keys))
    let repair = try disk.repair(configuration: configuration)
    #expect(repair.lost.isEmpty && repair.returned == SequenceRanges(1...8))
    let left = try disk.open(configuration: configuration)
    #expect(try left.replay().digest == digest)
    #expect(try left.statistics().segments.first?.kind == "baseline")
    #expect(try LedgerCheck.allEvents(of: left).map(\.sequence) == [9])
    #expect(try left.foldedLoss == nil && disk.verify().isSound)
    #expect(try disk.repair(configuration: configuration).steps.isEmpty)
  }

  @Test func `leaves the end of the log in doubt, and ends that once it is back whole`() throws {
    let configuration = LedgerConfiguration.forTests(sealEvents: 3)
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    for number in 1...5 { try ledger.upsert(TaskItem(body: "Number \(number)")) }
    let active = try #require(disk.files.keys.filter { $0.hasSuffix(".active") }.max())
    let bytes = try #require(disk.files[active])
    try disk.remove(active)
    #expect(try disk.repair(configuration: configuration).uncertainAfter == 5)
    var broken = bytes
    broken[try #require(bytes.lastIndex { $0 != 0 })] ^= 1
    for (file, isKnown) in [(broken, false), (bytes, true)] {
      try disk.overwrite(active, with: file)
      #expect(try !disk.repair(configuration: configuration).returned.isEmpty)
      #expect((try disk.verify().uncertainAfter == nil) == isKnown)
    }
    #expect(try disk.open(configuration: configuration).lostEvents.isEmpty)
  }
}
