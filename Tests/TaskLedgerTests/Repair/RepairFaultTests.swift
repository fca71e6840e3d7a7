import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

extension FaultKind {
  /// Reads are many, and what differs little between kinds is tried at some calls only.
  fileprivate var step: Int {
    switch self {
    case .error, .lostPages: 1
    case .anyError, .gone: 131
    case .errors, .lostAnswer, .shortWrite, .fullDisk, .lostPagesEachTime: 9
    }
  }
}

/// A repair that is interrupted: the ledger is as damaged as before, or repaired, and the next one completes it.
@Suite struct `A repair that is interrupted` {
  /// What is to be repaired: small, so that it can be repaired thousands of times.
  enum Kind: CaseIterable, Sendable {
    /// Damage in a sealed segment, in frames, and in CURRENT.
    case damage
    /// The list is gone, and of three segments that wait to be sealed the middle one.
    case gapWithoutList
    /// A segment is back whose loss is on record, and so is the active one, behind which others follow.
    case returnedSegments
    /// An older copy lies over a backup, and a file of the newer list is gone.
    case backupUnderOlderCopy
  }

  private struct Start {
    let disk: TestDisk
    let configuration: LedgerConfiguration
    let left: [Event]
    let digest: String?
    let lost: SequenceRanges
    /// Whether it is a backup, to which nothing is appended.
    let isBackup: Bool

    init(_ kind: Kind) throws {
      let events: [Event]
      switch kind {
      case .damage:
        let bench = try RepairBench.made(bodyBytes: 30)
        disk = try bench.disk(.flip, .middleSealed, other: bench)
        for place in [RepairBench.Place.frozen, .active] {
          try disk.flipBit(at: 112 + 88 + 4, of: bench.file(place))
        }
        try disk.flipBit(at: 40, of: "CURRENT")
        (configuration, events) = (bench.configuration, bench.events)
        lost = SequenceRanges([7...12, 19...19, 25...25])
      case .gapWithoutList:
        let mix = try LedgerMix.made(.frozen)
        disk = try mix.disk(.gone)
        try disk.remove(mix.segments[1].file)
        (configuration, events) = (mix.configuration, mix.events)
        lost = mix.segments[1].events
      case .returnedSegments:
        let mix = try LedgerMix.made(.frozen)
        disk = try mix.disk(.there)
        configuration = mix.configuration
        let away = [mix.segments[1].file, mix.segments[mix.segments.count - 1].file]
        for file in away { try disk.remove(file) }
        try disk.repair(configuration: configuration)
        let ledger = try disk.open(configuration: configuration)
        try ledger.upsert(TaskItem(id: "later", body: "Later"))
        let later = try LedgerCheck.allEvents(of: ledger).filter { $0.sequence > mix.last }
        for file in away { try disk.overwrite(file, with: mix.disk.files[file] ?? []) }
        events = mix.events + later
        lost = SequenceRanges()
      case .backupUnderOlderCopy:
        let bench = try BackupBench()
        let backup = TestDisk()
        try bench.open().backup(to: backup.faults)
        let older = backup.files
        try bench.append(6)
        try bench.open().backup(to: backup.faults)
        let newer = try HeldManifest.load(from: backup.faults).manifest
        for (file, bytes) in older { try backup.overwrite(file, with: bytes) }
        let gone = try #require(newer.segments.dropLast().last)
        try backup.remove(LedgerNames.inSegments(gone.file))
        (disk, configuration, events) = (backup, bench.configuration, try bench.events)
        lost = SequenceRanges(gone.firstSequence...gone.lastSequence)
      }
      isBackup = kind == .backupUnderOlderCopy
      let lost = lost
      left = events.filter { !lost.contains($0.sequence) }
      digest = RepairBench.plainDigest(left)
    }

    /// The next repair comes to the same end, whether this one was done or not.
    func check(_ disk: TestDisk, isDone: Bool, _ context: Comment) throws {
      let found = try disk.verify()
      #expect(found.isSound || !isDone, context)
      var gone = found.lost
      gone.formUnion(found.lostBefore)
      let returned = found.files.reduce(into: SequenceRanges()) { $0.formUnion($1.returned) }
      gone = SequenceRanges(gone.ranges.flatMap { returned.missing(in: $0).ranges })
      #expect(gone == lost && found.doubtful.isEmpty, context)
      #expect(returned.isEmpty || !isDone, context)
      let repair = try disk.repair(configuration: configuration)
      #expect(repair.steps.isEmpty == (found.isSound && returned.isEmpty), context)
      let ledger = try disk.open(configuration: configuration)
      #expect(try LedgerCheck.allEvents(of: ledger) == left, context)
      #expect(try ledger.replay().digest == digest, context)
      let after = try disk.verify()
      #expect(after.isSound && after.lostBefore == lost, context)
      guard !isBackup, let task = try ledger.tasks().first else { return }
      try ledger.toggle(task.id)
    }
  }

  @Test(arguments: FaultKind.allCases, Kind.allCases)
  func `by a call that fails completes when it runs again`(_ kind: FaultKind, of what: Kind) throws
  {
    let start = try Start(what)
    var n = 1
    var isMet = true
    while isMet {
      let disk = start.disk.processKilled()
      disk.faults.arm(kind.plan(n))
      let repair = try? disk.repair(configuration: start.configuration)
      disk.faults.disarm()
      isMet = disk.faults.faultsMet > 0
      #expect(repair != nil || isMet)
      let left = n % 2 == 0 ? disk.processKilled() : disk.powerCut(tearing: UInt64(n))
      try start.check(left, isDone: repair != nil, "\(kind), call \(n)")
      // What differs little between kinds is tried at some calls only.
      n += kind.step
    }
    print("a repair of \(what): \(kind) at calls up to \(n)")
    #expect(n > 3)
  }

  @Test(arguments: Kind.allCases)
  func `by a power cut or a kill at any call completes when it runs again`(_ kind: Kind) throws {
    let start = try Start(kind)
    let disk = start.disk.processKilled()
    let all = try disk.disks(
      beforeCallsOf: { _ = try disk.repair(configuration: start.configuration) })
    #expect(all.count > 30)
    // Three disks for each call: what was synced, and of the less orderly ends every other.
    for (place, left) in all.enumerated() where place % 3 == 0 || place % 2 == 0 {
      try start.check(left.disk, isDone: false, "before \(left.call)")
    }
  }
}

extension TestDisk {
  fileprivate func flipBit(at offset: Int, of file: String) throws {
    var bytes = files[file] ?? []
    bytes[offset] ^= 1
    try overwrite(file, with: bytes)
  }
}
