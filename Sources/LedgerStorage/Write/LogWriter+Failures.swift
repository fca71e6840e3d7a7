import LedgerCore
import LedgerFormat

/// What a writer does after a failed write or sync, and with what a dead writer left behind.
extension LogWriter {
  /// Moves bytes that no transaction claims out of the active segment: copy, sync, a manifest record with place and digest,
  /// zeros, sync. Doing it twice is harmless: the copy's name says what it is a copy of.
  func moveAside(_ range: Range<UInt64>, of file: any LedgerFile, reason: String) throws {
    let bytes = FileStretch(file: file, range: range)
    let digest = try bytes.digest()
    let entry = view.active.entry
    let name = "\(entry.file)-\(range.lowerBound)-\(hex(digest.checksum)).torn"
    try directory.ensureFolder(LedgerNames.aside)
    try directory.replaceDurably("\(LedgerNames.aside)/\(name)", in: LedgerNames.aside) { copy in
      try bytes.copy(to: copy)
    }
    let record = MaintenanceRecord(
      kind: "tail-moved-aside", follows: view.lastSequence, time: clock(),
      details: [
        .init("file", entry.file), .init("offset", String(range.lowerBound)),
        .init("bytes", String(range.count)), .init("sha256", digest.hex),
        .init("aside", "\(LedgerNames.aside)/\(name)"), .init("reason", reason),
      ])
    if !view.manifest.records.contains(where: { $0.tellsOfSameBytes(as: record) }) {
      var manifest = view.manifest
      manifest.number += 1
      manifest.records.append(record)
      try step(to: manifest)
    }
    try bytes.clear()
    try syncSegment(file)
    notices.append(
      "moved a \(reason) of \(range.count) bytes aside to \(directory.pathOf("\(LedgerNames.aside)/\(name)"))"
    )
  }

  /// Takes a manifest step and holds the new manifest.
  func step(to manifest: Manifest) throws {
    try takeStep(to: manifest)
    try holdCurrent()
  }

  /// Takes a manifest step; when it throws and the handle accepts more, the old manifest is the ledger's.
  func takeStep(to manifest: Manifest, naming file: String? = nil) throws {
    do {
      try ManifestStep.take(manifest, in: directory)
    } catch {
      switch error {
      case .before(let error):
        // On a full disk each attempt would leave one more.
        if let file { try? directory.unlink(file) }
        throw error
      case .unknown(let error):
        poison(error)
        throw error
      }
    }
  }

  /// Holds the manifest that this writer made the ledger's.
  func holdCurrent() throws {
    do {
      let held = try HeldManifest.load(from: directory)
      view = LogView(
        held: held, sealed: view.sealed, frameSegments: view.frameSegments,
        snapshots: view.snapshots, pool: view.pool, directory: directory)
      view.active.entry = held.manifest.active
    } catch {
      // The view is out of date: the next attempt reads everything.
      segment = nil
      throw error
    }
  }

  /// After a failed write any part of the bytes can be in the file, whole frames too: they are moved aside like a torn tail.
  /// Where there is no room for that, they are made into one, which the next writer moves aside.
  ///
  /// - Returns: whether none of the transactions can come back.
  func discardLeftovers(_ count: Int, of segment: SegmentFile) -> Bool {
    let end = view.active.end
    do {
      let found = try segment.file.read(at: end, count: count)
      guard let last = found.lastIndex(where: { $0 != 0 }) else { return true }
      do {
        try moveAside(end..<end + UInt64(last) + 1, of: segment.file, reason: "failed write")
      } catch {
        self.segment = nil
        // Without the first frame's magic none of those behind it can be taken for part of the log.
        try segment.file.write([0, 0, 0, 0], at: end)
        try syncSegment(segment.file)
      }
      return true
    } catch {
      // The bytes stay where they are, and the next writer may find whole transactions among them.
      let error = LedgerError.wrapping(error)
      if !error.isForWantOfSpace { poison(error) }
      return false
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

extension LedgerError {
  /// What the sentence of an append that failed ends with when nothing of it can come back.
  static let takenBack = ", and nothing of them was kept"

  package var wasTakenBack: Bool {
    sentence.utf8.suffix(Self.takenBack.utf8.count).elementsEqual(Self.takenBack.utf8)
  }

  /// The same of a part of what was to be appended together.
  var afterPartWasKept: LedgerError {
    guard wasTakenBack else { return self }
    var error = self
    error.sentence += "; what came before them was"
    return error
  }
}

extension MaintenanceRecord {
  /// Whether it tells of the same bytes moved aside, whenever and why.
  func tellsOfSameBytes(as other: MaintenanceRecord) -> Bool {
    func place(_ record: MaintenanceRecord) -> [Detail] {
      record.details.filter { $0.name != "reason" }
    }
    return kind == other.kind && follows == other.follows && place(self) == place(other)
  }
}
