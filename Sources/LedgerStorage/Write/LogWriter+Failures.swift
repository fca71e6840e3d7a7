import LedgerCore
import LedgerFormat

/// What a writer does after a failed write or sync, and with what a dead writer left behind.
extension LogWriter {
  /// Moves bytes that no transaction claims out of the active segment: copy, sync, a manifest record with place and digest,
  /// zeros, sync. Doing it twice is harmless: the copy's name says what it is a copy of.
  func moveAside(_ range: Range<UInt64>, of file: any LedgerFile, reason: String) throws {
    let bytes = try file.read(at: range.lowerBound, count: Int(range.upperBound - range.lowerBound))
    let digest = Digest(of: bytes)
    let entry = view.active.entry
    let name = "\(entry.file)-\(range.lowerBound)-\(hex(digest.checksum)).torn"
    try directory.ensureFolder(LedgerNames.aside)
    try directory.replaceDurably(
      "\(LedgerNames.aside)/\(name)", with: bytes, in: LedgerNames.aside)
    let record = MaintenanceRecord(
      kind: "tail-moved-aside", follows: view.lastSequence, time: clock(),
      details: [
        .init("file", entry.file), .init("offset", String(range.lowerBound)),
        .init("bytes", String(bytes.count)), .init("sha256", digest.hex),
        .init("aside", "\(LedgerNames.aside)/\(name)"), .init("reason", reason),
      ])
    if view.manifest.records.last.map({ !$0.isSame(as: record) }) ?? true {
      var manifest = view.manifest
      manifest.number += 1
      manifest.records.append(record)
      try step(to: manifest)
    }
    try file.write([UInt8](repeating: 0, count: bytes.count), at: range.lowerBound)
    try file.sync()
    notices.append(
      "moved a \(reason) of \(bytes.count) bytes aside to \(directory.pathOf("\(LedgerNames.aside)/\(name)"))"
    )
  }

  /// Takes a manifest step and holds the new manifest.
  func step(to manifest: Manifest) throws {
    do {
      try ManifestStep.take(manifest, in: directory)
    } catch {
      switch error {
      case .before(let error): throw error
      case .unknown(let error):
        poison(error)
        throw error
      }
    }
    let held = try HeldManifest.load(from: directory)
    view = LogView(
      held: held, sealed: view.sealed, frameSegments: view.frameSegments, pool: view.pool,
      directory: directory)
    view.active.entry = held.manifest.active
  }

  /// After a failed write any part of the bytes can be in the file: they are moved aside like a torn tail.
  func discardLeftovers(_ count: Int, of segment: SegmentFile) throws(LedgerError) {
    let end = view.active.end
    do {
      let found = try segment.file.read(at: end, count: count)
      guard let last = found.lastIndex(where: { $0 != 0 }) else { return }
      try moveAside(end..<end + UInt64(last) + 1, of: segment.file, reason: "failed write")
    } catch {
      // The bytes stay where they are; whoever opens the ledger next finds a torn tail.
      poison(LedgerError.wrapping(error))
    }
  }

  /// After a failed sync nobody knows what of the segment is on the disk beyond what was synced before. Its frames that
  /// are not known durable go into a new segment, and one manifest step fixes where the old one ends.
  func abandonSegment(_ group: [PendingTransaction], after error: LedgerError) {
    poison(error)
    do {
      try rotate(carrying: group, reason: "failed sync")
    } catch {
      // The next writer finds frames that are not known durable and writes them again.
      poison(LedgerError.wrapping(error))
    }
  }
}

extension MaintenanceRecord {
  /// Whether it says the same, whenever it was written.
  func isSame(as other: MaintenanceRecord) -> Bool {
    kind == other.kind && follows == other.follows && details == other.details
  }
}
