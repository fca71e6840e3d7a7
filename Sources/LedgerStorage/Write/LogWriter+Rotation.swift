import LedgerCore
import LedgerFormat

/// Closing the active segment and opening the next.
extension LogWriter {
  /// Whether the active segment is to be closed.
  package var isRotationDue: Bool {
    guard isActiveFull else { return false }
    let factor = options.quickSegmentFactor
    return factor <= 1 || activeHolds(factor) || time() - rotatedAt >= Self.quickSeconds
  }

  /// Whether the active segment holds as much as it should, but for a steady load.
  package var isActiveFull: Bool { activeHolds(1) }

  /// Whether the active segment holds so many times as much as it should. Its bytes count as they are in memory, too: what
  /// compresses well is not small to those who read it.
  private func activeHolds(_ factor: UInt64) -> Bool {
    let bytes = max(
      view.active.end - UInt64(ActiveHeader.byteCount), view.active.frames.rawByteCount)
    return view.active.eventCount / factor >= options.sealEvents
      || bytes / factor >= options.sealBytes
  }

  /// Who fills a segment sooner than that fills the next as soon.
  private static let quickSeconds = 1.0

  /// Freezes the active segment, if it holds events, and starts a new one. The lock must be held.
  ///
  /// - Throws: `io`. When the handle accepts more, the old segment is still the active one; or the new one is, and what comes next
  ///   reads all anew and finds that.
  package func rotate() throws(LedgerError) {
    guard view.active.eventCount > 0 else { return }
    try checkFiles()
    let segment = try readySegment()
    do {
      try syncSegment(segment.file)
      try rotate(carrying: [], reason: nil)
    } catch {
      throw LedgerError.wrapping(error)
    }
  }

  /// As many transactions as the active segment can take, at least one; a new segment is begun where it has no room.
  func partForSegment(
    _ group: ArraySlice<PendingTransaction>
  ) throws(LedgerError) -> ArraySlice<PendingTransaction> {
    func fitting(_ held: UInt64) -> ArraySlice<PendingTransaction> {
      var events = held
      return group.prefix { transaction in
        events += UInt64(transaction.events.count)
        return events <= options.segmentEventsMax
      }
    }
    var part = fitting(view.active.eventCount)
    if part.isEmpty {
      try rotate()
      part = fitting(0)
    }
    return part.isEmpty ? group.prefix(1) : part
  }

  /// - Parameters:
  ///   - carrying: transactions that go into the new segment.
  ///   - reason: why, when it is not because the segment is full.
  func rotate(carrying group: [PendingTransaction], reason: String?) throws {
    let old = view.active
    let end = try digestOfActive()
    let digest = end.digest
    let active = EmptySegment(
      ledger: view.manifest.ledger, replica: view.manifest.replica, after: digest,
      ownCount: old.ownCount)
    let entry = active.entry
    let name = entry.file
    var file = try SegmentFile.create(
      active.header, named: name, in: directory, extensionBytes: options.extensionBytes)
    var next = FrameSegment(entry: entry, header: active.header, frames: FrameList())
    do {
      try carry(group, into: &next, &file)
    } catch {
      try? directory.unlink(LedgerNames.inSegments(name))
      throw error
    }
    var manifest = view.manifest
    manifest.number += 1
    manifest.segments.removeLast()
    if old.eventCount > 0 { manifest.segments.append(old.closed(end)) }
    manifest.segments.append(entry)
    if let reason { manifest.records.append(abandoned(old, reason)) }
    try takeStep(to: manifest, naming: LedgerNames.inSegments(name))
    try holdCurrent()
    var segments = view.frameSegments
    segments.removeLast()
    if old.eventCount > 0 {
      var fixed = old
      fixed.entry = manifest.segments[manifest.segments.count - 2]
      segments.append(fixed)
    }
    segments.append(next)
    view = LogView(
      held: view.held, sealed: view.sealed, frameSegments: segments, snapshots: view.snapshots,
      pool: pool, directory: directory)
    segment = file
    rotatedAt = time()
    activeDigest = group.isEmpty ? SegmentDigest(before: digest) : nil
  }

  private func digestOfActive() throws(LedgerError) -> SegmentDigest {
    if let known = activeDigest, known.digest.sequence == view.lastSequence { return known }
    return try view.digestOfActive()
  }

  private func abandoned(_ old: FrameSegment, _ reason: String) -> MaintenanceRecord {
    .abandoned(old.entry, end: old.end, follows: old.lastSequence, reason, time: clock())
  }

  /// Writes transactions into a segment that is not yet part of the ledger.
  private func carry(
    _ group: [PendingTransaction], into segment: inout FrameSegment, _ file: inout SegmentFile
  ) throws {
    for transaction in group {
      try file.reserve(UInt64(transaction.frameByteCount), from: segment.end)
      let header = transaction.header(
        segment: segment.header.segment, seed: segment.seed, durablePosition: file.durablePosition,
        durableLength: file.durableLength)
      let frame = FrameHeader.encode(header, payload: transaction.payload)
      try file.file.write(frame.bytes, at: segment.end)
      segment.frames.append([
        FrameRecord(
          frame.header, at: segment.end, replica: segment.header.replica,
          ownBefore: transaction.ownBefore, events: transaction.events)
      ])
    }
    guard !group.isEmpty else { return }
    try file.file.sync()
    file.durablePosition = segment.end
  }
}

extension MaintenanceRecord {
  private static let abandonedKind = "segment-abandoned"

  /// Of a segment to which nothing more is appended after a failed sync.
  static func abandoned(
    _ entry: SegmentEntry, end: UInt64, follows: UInt64, _ reason: String, time: LedgerTime
  ) -> MaintenanceRecord {
    MaintenanceRecord(
      kind: abandonedKind, follows: follows, time: time,
      details: [
        .init("file", entry.file), .init("end", String(end)), .init("reason", reason),
      ])
  }

  /// Whether it tells that a segment was abandoned.
  func isOfAbandoned(_ entry: SegmentEntry) -> Bool {
    kind == Self.abandonedKind && detail("file")?.hasSameBytes(as: entry.file) == true
  }
}
