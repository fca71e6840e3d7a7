import LedgerCore
import LedgerFormat

/// Turns frozen segments into sealed ones, beside running writers, and removes files that the ledger no longer needs.
///
/// At most one process does so at a time: it holds the maintenance lock, flock(2) of the folder `segments`. The
/// folder lock is held for the manifest step alone. Whenever it is interrupted, the ledger has the frozen segment
/// or the sealed one, and the same events.
package struct Sealer {
  private let directory: any LedgerDirectory
  private let options: StoreOptions
  private let pool: ZstdPool
  private let removesEach: Bool
  private let known: () -> [FrameSegment]
  private let afterEach: () -> Void

  /// - Parameters:
  ///   - removesEach: whether the files that each sealing leaves behind are removed before the next: while a bulk load goes on, the
  ///     disk never holds more than a few frozen segments.
  ///   - known: the segments that are in memory and need not be read again; asked for each one anew, since others are frozen
  ///     meanwhile.
  ///   - afterEach: called when a segment was sealed; while many are written, others follow at once.
  package init(
    _ directory: any LedgerDirectory, options: StoreOptions, pool: ZstdPool,
    removesEach: Bool = false,
    known: @escaping () -> [FrameSegment] = { [] }, afterEach: @escaping () -> Void = {}
  ) {
    self.directory = directory
    self.options = options
    self.pool = pool
    self.removesEach = removesEach
    self.known = known
    self.afterEach = afterEach
  }

  /// Seals every frozen segment.
  ///
  /// - Returns: how many were sealed; nil when another process is at it.
  @discardableResult
  package func sealAll() throws(LedgerError) -> Int? {
    try MaintenanceLock(directory).hold { try sealAllUnderLock() }
  }

  /// Seals every frozen segment; the maintenance lock must be held.
  func sealAllUnderLock() throws -> Int {
    var sealed = 0
    while try sealNext() {
      sealed += 1
      afterEach()
      if removesEach { try removeUnneeded() }
    }
    return sealed
  }

  /// Removes the files that neither the ledger nor any reader needs; does nothing when another process is at
  /// it.
  ///
  /// - Returns: how many were removed; nil when another process is at it.
  @discardableResult
  package func removeUnneededFiles() throws(LedgerError) -> Int? {
    try MaintenanceLock(directory).hold { try removeUnneeded() }
  }

  /// The maintenance lock must be held.
  @discardableResult
  private func removeUnneeded() throws -> Int {
    try FileCleaner(directory, options: options).removeUnneeded()
  }

  private func sealNext() throws -> Bool {
    let held = try HeldManifest.load(from: directory)
    guard let entry = held.manifest.segments.first(where: { $0.kind == .frozen }) else {
      return false
    }
    try held.manifest.checkIsNoBackup(directory.path)
    // A power cut that took the list back would leave a part of the new file past its end, and that looks like damage. What is merged or
    // folded later lies before that end.
    try directory.syncFolder("")
    let inMemory = known().first { $0.entry == entry }
    let segment =
      try inMemory
      ?? FrameSegmentReader(ledger: held.manifest.ledger, in: directory).read(entry).segment
    let path = directory.pathOf(LedgerNames.inSegments(entry.file))
    let events = try segment.events(pool, path: path)
    if inMemory == nil { try check(events, of: entry, path: path) }
    let file = LedgerNames.sealedSegment(
      first: entry.firstSequence, last: entry.lastSequence,
      unique: .unique())
    let name = LedgerNames.inSegments(file)
    try ManifestStep.removing([name], in: directory) {
      let bytes = try pool.with { (zstd) throws(LedgerError) in
        try SortedRun.bytes(
          of: events, ledger: held.manifest.ledger,
          digests: (entry.digestBefore, entry.digestAfter), level: options.sealLevel, zstd: zstd,
          hasFilter: UInt64(events.count) >= options.filterEventsMin)
      }
      try directory.createDurably(name, with: bytes, in: LedgerNames.segments)
      let checksum = try checkWritten(name, entry, events)
      try SegmentExchange(directory, options: options).put(
        [sealedEntry(entry, file: file, end: UInt64(bytes.count), checksum: checksum)],
        inPlaceOf: [entry])
    }
    return true
  }

  private func sealedEntry(
    _ frozen: SegmentEntry, file: String, end: UInt64, checksum: UInt64
  ) -> SegmentEntry {
    var entry = frozen
    entry.kind = .sealed
    entry.file = file
    entry.segment = 0
    entry.end = end
    entry.checksum = checksum
    return entry
  }

  /// Makes sure that events read from frames are those of which the manifest has the log digest.
  private func check(
    _ events: [Event], of entry: SegmentEntry, path: String
  ) throws(LedgerError) {
    var end = SegmentDigest(before: entry.logDigestBefore)
    end.append(events)
    guard end.digest.value == entry.digestAfter else {
      throw LedgerError(
        .damaged, "the events of a frozen segment have another log digest than the manifest says",
        path: path, hint: LedgerError.repairHint)
    }
  }

  /// Reads the file back and makes sure that it says what the frames said.
  ///
  /// - Returns: the checksum of its footer.
  private func checkWritten(
    _ name: String, _ entry: SegmentEntry, _ events: [Event]
  ) throws -> UInt64 {
    let source = FileSource(directory, name)
    return try pool.with { (zstd) throws(LedgerError) in
      let run = try SealedRun(source, zstd: zstd)
      guard
        run.footer.digestBefore == entry.digestBefore, run.footer.digestAfter == entry.digestAfter,
        try SortedRun.holds(run, events, zstd: zstd)
      else {
        throw LedgerError(
          .damaged, "a segment reads back otherwise than it was written", path: source.path,
          hint: "check the disk; the ledger itself is as it was")
      }
      return run.footer.checksum
    }
  }
}
