import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger

/// A small ledger of certain kinds of segments, with three events in each closed one.
struct LedgerMix {
  enum Kind: CaseIterable, Sendable {
    case sealed, sealedFrozenActive, frozen, active, baseline, snapshots, salvaged
  }

  /// Which part of the list of files is there.
  enum List: CaseIterable, Sendable {
    case there, withoutCurrent, withoutManifest, gone
  }

  /// A segment that has a file.
  struct Segment: Sendable {
    var kind: SegmentEntry.Kind
    /// Its name in the ledger's folder.
    var file: String
    /// The events that it holds or stands for.
    var events: SequenceRanges
  }

  let kind: Kind
  let disk: TestDisk
  let configuration: LedgerConfiguration
  /// Every event that was ever made, folded and lost ones too.
  let events: [Event]
  /// Those that were lost before.
  let lostBefore: SequenceRanges
  let segments: [Segment]

  var last: UInt64 { UInt64(events.count) }
  /// The last event that was folded.
  var horizon: UInt64 { kind == .baseline ? 3 : 0 }

  private static let known = Guarded<[Kind: LedgerMix]>([:])

  /// One that is made once: what happens to a disk happens to a copy.
  static func made(_ kind: Kind) throws -> LedgerMix {
    if let mix = known.withLock({ $0[kind] }) { return mix }
    let mix = try LedgerMix(kind)
    return known.withLock { known in
      known[kind] = known[kind] ?? mix
      return known[kind] ?? mix
    }
  }

  private init(_ kind: Kind) throws {
    self.kind = kind
    let configuration = LedgerConfiguration.forTests(clock: try TestClock(), sealEvents: 3)
    self.configuration = configuration
    disk = TestDisk()
    var log = Log(ledger: try disk.create(configuration: configuration))
    switch kind {
    case .sealed: try log.append(9)
    case .sealedFrozenActive:
      try log.append(6)
      try disk.withoutSealing { try log.append(8) }
    case .frozen: try disk.withoutSealing { try log.append(11) }
    case .active: try log.append(2)
    case .baseline:
      try log.append(6)
      _ = try log.ledger.compact(.fold(before: .sequence(3)))
      try disk.withoutSealing { try log.append(5) }
    case .snapshots:
      for _ in 0..<2 {
        try log.append(3)
        _ = try log.ledger.snapshot()
      }
      try disk.withoutSealing { try log.append(5) }
    case .salvaged:
      try log.append(3)
      try disk.withoutSealing { try log.append(7) }
      try disk.salvage(configuration)
      log.ledger = try disk.open(configuration: configuration)
      try log.append(2)
      try disk.withoutSealing { try log.append(5) }
    }
    try Sealer(disk.faults, options: StoreOptions(), pool: ZstdPool()).removeUnneededFiles()
    events = log.events
    let manifest = try HeldManifest.load(from: disk.faults).manifest
    lostBefore = manifest.lost
    let last = UInt64(log.events.count)
    segments = manifest.segments.filter(\.hasFile).map { entry in
      let end = entry.kind == .active ? last : entry.lastSequence
      let range = entry.firstSequence <= end ? [entry.firstSequence...end] : []
      return Segment(
        kind: entry.kind, file: LedgerNames.inSegments(entry.file), events: SequenceRanges(range))
    }
  }

  /// A ledger, and every event that was appended to it.
  private struct Log {
    var ledger: Ledger
    var events: [Event] = []

    mutating func append(_ count: Int) throws {
      for _ in 0..<count {
        let number = events.count + 1
        let id = TaskID(unchecked: "task-\(number % 4)")
        try ledger.upsert(TaskItem(id: id, body: "Number \(number)"))
        let all = try LedgerCheck.allEvents(of: ledger)
        if let last = all.last { events.append(last) }
      }
    }
  }

  /// A copy of the disk without a part of the list.
  func disk(_ list: List) throws -> TestDisk {
    let left = disk.processKilled()
    for file in left.files.keys {
      let isCurrent = file == "CURRENT" && (list == .withoutCurrent || list == .gone)
      let isManifest = file.hasPrefix("MANIFEST") && (list == .withoutManifest || list == .gone)
      if isCurrent || isManifest { try left.remove(file) }
    }
    return left
  }
}

extension TestDisk {
  /// What is frozen meanwhile cannot be sealed.
  func withoutSealing(_ body: () throws -> Void) throws {
    faults.onCall { call in
      if call.kind == .create && call.name.hasSuffix(".sealed") {
        throw LedgerError(.io, "no room for a sealed segment")
      }
    }
    try body()
    faults.onCall(nil)
  }

  /// Damages the first frozen segment, takes the second away, and saves what is left.
  fileprivate func salvage(_ configuration: LedgerConfiguration) throws {
    let frozen = try HeldManifest.load(from: faults).manifest.segments.filter { $0.kind == .frozen }
    let name = LedgerNames.inSegments(frozen[0].file)
    var bytes = files[name] ?? []
    bytes[ActiveHeader.byteCount + FrameHeader.byteCount + 4] ^= 0x10
    try overwrite(name, with: bytes)
    try remove(LedgerNames.inSegments(frozen[1].file))
    try repair(configuration: configuration)
  }
}
