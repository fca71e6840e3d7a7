import LedgerCore
import LedgerFormat

/// Makes the manifest of the repaired ledger, and the segments that it names in the place of damaged ones.
///
/// Invariants:
/// - each segment that is written is read back and compared before the manifest names it;
/// - where frames are damaged, or some stand before what is lost, all that is closed and not sealed yet is sealed: what is salvaged never
///   stands behind what is not sealed;
/// - where the active segment is damaged, a new one is begun;
/// - where nobody knows how many events were lost at the end, or whether the ledger is a backup whose list of files is lost, it goes on
///   as a new replica: no count of its own is given to two events.
struct SegmentRebuild {
  private let repairer: Repairer
  private let base: Manifest
  private let plan: RepairPlan
  private let reading: SegmentReading

  init(_ repairer: Repairer, _ base: Manifest, _ plan: RepairPlan) {
    self.repairer = repairer
    self.base = base
    self.plan = plan
    reading = SegmentReading(
      repairer.directory, base, pool: repairer.pool, witness: plan.witness)
  }

  private var directory: any LedgerDirectory { repairer.directory }

  /// - Parameter note: called with the name of each file before it is made.
  func manifest(noting note: (String) -> Void) throws -> Manifest {
    var manifest = base
    manifest.number = plan.number
    manifest.segments = []
    if plan.isNewReplica { manifest.replica = .random() }
    let replaced = plan.replaced
    let sealsFrames = replaced.contains { !$0.isRun } || base.hasFramesBeforeRun
    for entry in base.segments {
      guard replaced.contains(entry) || (sealsFrames && entry.kind == .frozen) else {
        manifest.segments.append(
          plan.isNewReplica ? try entryForNewReplica(entry, manifest, note) : entry)
        continue
      }
      let salvage = try plan.salvage(entry, reading)
      let isActive = entry.kind == .active
      let end = isActive ? salvage.digest(after: entry.digestBefore) : entry.digestAfter
      if let new = try write(entry, salvage, digestAfter: end, note) {
        manifest.segments.append(new)
      }
      guard isActive else { continue }
      if !salvage.isEndKnown { manifest.replica = .random() }
      manifest.segments.append(
        try writeActive(manifest, after: salvage, digest: end, note))
    }
    let follows = try lastSequence(manifest)
    addRecords(to: &manifest, follows: follows)
    if let broken = manifest.brokenInvariants.first {
      throw LedgerError(
        .damaged, "the repaired list of files would be wrong: \(broken)", path: directory.path,
        hint: "nothing was changed; restore a backup")
    }
    return manifest
  }

  /// What the list says of a segment that is whole, once another replica makes the events: none of them is its own.
  private func entryForNewReplica(
    _ entry: SegmentEntry, _ manifest: Manifest, _ note: (String) -> Void
  ) throws -> SegmentEntry {
    if entry.kind == .active {
      var salvage = SegmentSalvage(nothingOf: entry)
      salvage.ownCount = 0
      salvage.lastSequence = entry.firstSequence - 1
      return try writeActive(manifest, after: salvage, digest: entry.digestBefore, note)
    }
    var entry = entry
    entry.ownCount = 0
    return entry
  }

  private func addRecords(to manifest: inout Manifest, follows: UInt64) {
    let now = repairer.clock()
    for step in plan.steps {
      var record = RepairRecord.record(step, follows: follows, time: now)
      if manifest.replica != base.replica, step.uncertainAfter != nil || step.part.isManifest {
        record.details.append(.init("replica", manifest.replica.description))
      }
      manifest.records.append(record)
    }
    guard plan.steps.contains(where: { $0.part == .snapshot }) else { return }
    SnapshotEntry.record(plan.snapshots, in: &manifest.records, follows: follows, time: now)
  }

  private func lastSequence(_ manifest: Manifest) throws -> UInt64 {
    let active = manifest.active
    guard base.active == active else { return active.firstSequence - 1 }
    let reader = FrameSegmentReader(ledger: base.ledger, in: directory)
    return try reader.read(active).segment.lastSequence
  }

  /// The segment of what is left; nil where there never was anything.
  private func write(
    _ old: SegmentEntry, _ salvage: SegmentSalvage, digestAfter: Digest,
    _ note: (String) -> Void
  ) throws -> SegmentEntry? {
    guard salvage.lastSequence >= old.firstSequence else { return nil }
    let range = old.firstSequence...salvage.lastSequence
    var entry = old
    entry.kind = kind(old, salvage, digestAfter)
    entry.segment = 0
    entry.eventCount = range.upperBound - range.lowerBound + 1
    entry.digestAfter = digestAfter
    entry.ownCount = plan.isNewReplica ? 0 : salvage.ownCount
    entry.newest = salvage.newest ?? base.segments.compactMap(\.newest).max() ?? Self.noStamp(base)
    entry.lost = salvage.lost
    (entry.file, entry.end, entry.checksum) = ("", 0, 0)
    guard !salvage.events.isEmpty else { return entry }
    entry.file = name(entry, range)
    note(LedgerNames.inSegments(entry.file))
    try writeRun(&entry, salvage.events, range)
    return entry
  }

  /// Where a repair had to make up the log digest after lost events, now or earlier, it stays: what follows goes on from it. Where
  /// nothing but the segments told what was lost, nobody knew that it had been folded.
  private func kind(
    _ old: SegmentEntry, _ salvage: SegmentSalvage, _ digestAfter: Digest
  ) -> SegmentEntry.Kind {
    let isFolded = plan.returned[old]?.contains { $0.entry.kind == .baseline } ?? false
    if old.kind == .baseline || isFolded { return .baseline }
    let mayBeMadeUp = old.kind == .salvaged || plan.returned[old] != nil
    let isBound = !mayBeMadeUp || salvage.digest(after: old.digestBefore) == digestAfter
    return salvage.lost.isEmpty && isBound ? .sealed : .salvaged
  }

  /// For lost events of which not even the time is known.
  private static func noStamp(_ manifest: Manifest) -> Stamp {
    Stamp(time: .earliest, replica: manifest.replica, count: 0)
  }

  private func name(_ entry: SegmentEntry, _ range: ClosedRange<UInt64>) -> String {
    let unique = UInt64.unique()
    let (first, last) = (range.lowerBound, range.upperBound)
    return switch entry.kind {
    case .baseline: LedgerNames.baseline(last: last, unique: unique)
    case .sealed: LedgerNames.sealedSegment(first: first, last: last, unique: unique)
    case .salvaged, .frozen, .active:
      LedgerNames.salvagedSegment(first: first, last: last, unique: unique)
    }
  }

  private func writeRun(
    _ entry: inout SegmentEntry, _ events: [Event], _ range: ClosedRange<UInt64>
  ) throws {
    let name = LedgerNames.inSegments(entry.file)
    let (kind, digests) = (entry.kind, (entry.digestBefore, entry.digestAfter))
    let bytes = try repairer.pool.with { (zstd) throws(LedgerError) in
      try SortedRun.bytes(
        of: events, ledger: base.ledger, digests: digests, level: repairer.options.sealLevel,
        zstd: zstd, horizon: kind == .baseline ? range.upperBound : nil,
        salvaged: kind == .salvaged ? range : nil,
        hasFilter: UInt64(events.count) >= repairer.options.filterEventsMin)
    }
    try directory.createDurably(name, with: bytes, in: LedgerNames.segments)
    entry.end = UInt64(bytes.count)
    entry.checksum = try checkWritten(name, entry, events)
  }

  /// Reads the file back and makes sure that it holds the events.
  ///
  /// - Returns: the checksum of its footer.
  private func checkWritten(
    _ name: String, _ entry: SegmentEntry, _ events: [Event]
  ) throws -> UInt64 {
    let source = FileSource(directory, name)
    return try repairer.pool.with { (zstd) throws(LedgerError) in
      let run = try SealedRun(source, zstd: zstd, kind: entry.fileKind)
      var found: [Event] = []
      found.reserveCapacity(events.count)
      try run.forEachEvent(zstd: zstd) { found.append($0) }
      found.sort { $0.sequence < $1.sequence }
      guard found == events, run.footer.lastSequence == entry.lastSequence,
        run.footer.firstSequence == entry.firstSequence
      else {
        throw LedgerError(
          .damaged, "a segment reads back otherwise than it was written", path: source.path,
          hint: "check the disk; the ledger is as it was")
      }
      if entry.kind == .sealed {
        let digest = try RunDigest.compute(run, zstd: zstd)
        guard digest.value == entry.digestAfter else {
          throw LedgerError(
            .damaged, "the events of a segment have another log digest than the manifest says",
            path: source.path, hint: "restore a backup; nothing was changed")
        }
      }
      return run.footer.checksum
    }
  }

  private func writeActive(
    _ manifest: Manifest, after salvage: SegmentSalvage, digest: Digest, _ note: (String) -> Void
  ) throws -> SegmentEntry {
    let header = ActiveHeader(
      ledger: manifest.ledger, segment: .unique(),
      firstSequence: salvage.lastSequence + 1, replica: manifest.replica, digestBefore: digest,
      countBefore: salvage.isEndKnown ? salvage.ownCount : 0)
    let file = LedgerNames.activeSegment(first: header.firstSequence, segment: header.segment)
    note(LedgerNames.inSegments(file))
    try SegmentFile.create(
      header, named: file, in: directory, extensionBytes: repairer.options.extensionBytes
    ).file.close()
    return SegmentEntry(
      kind: .active, file: file, segment: header.segment, firstSequence: header.firstSequence,
      eventCount: 0, end: UInt64(ActiveHeader.byteCount), checksum: checksum(of: header.encoded),
      digestBefore: digest, digestAfter: digest, ownCount: header.countBefore, newest: nil)
  }
}
