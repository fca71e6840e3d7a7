import LedgerCore
import LedgerFormat

/// The log digests of a list of files, and where it ends: what lies beside it is compared with that.
struct ListDigests {
  /// What a file beside the list leads to.
  enum Comparison {
    /// To events that the list leads to, or did before they were folded or lost.
    case listed
    /// Past the end of the list.
    case later
    /// To other events than the list has.
    case other
    /// That cannot be told.
    case unknown
  }

  private let directory: any LedgerDirectory
  private let manifest: Manifest
  private let pool: ZstdPool
  private let eventsMax: UInt64
  private var end: UInt64?
  private var digests: [UInt64: Digest] = [0: .zero]
  private var returned: ReturnedEvents

  /// - Parameters:
  ///   - end: the last event of the list, where it is known.
  ///   - eventsMax: no longer segment is read for the digests inside it.
  init(
    _ directory: any LedgerDirectory, _ manifest: Manifest, pool: ZstdPool, end: UInt64? = nil,
    eventsMax: UInt64 = .max
  ) {
    self.directory = directory
    self.manifest = manifest
    self.pool = pool
    self.end = end
    self.eventsMax = eventsMax
    returned = ReturnedEvents(
      directory, ListWithLosses(manifest), pool: pool, eventsMax: eventsMax)
    for entry in manifest.segments where entry.kind != .active {
      digests[entry.lastSequence] = entry.digestAfter
    }
  }

  /// Takes log digests of the list that are known otherwise. Where events were folded or lost it has none: a repair makes some up.
  mutating func know(_ known: [UInt64: Digest]) {
    for (sequence, digest) in known where digests[sequence] == nil && !isFoldedOrLost(sequence) {
      digests[sequence] = digest
    }
  }

  /// The log digest after an event, where it was looked at and can be told.
  subscript(_ sequence: UInt64) -> Digest? { digests[sequence] }

  /// Looks at files that may hold what the list counts as lost.
  mutating func look(atAll files: [FileBeside]) throws(LedgerError) {
    try returned.look(atAll: files)
  }

  /// What a file is to the events that the list counts as lost; nil where it has nothing to do with them.
  mutating func look(at file: FileBeside) throws(LedgerError) -> ReturnedEvents.Look? {
    try returned.look(at: file)
  }

  mutating func compare(_ file: FileBeside) throws(LedgerError) -> Comparison {
    if returned.decides(file), let look = try returned.look(at: file) {
      if look.isOther { return .other }
      return look.found.isEmpty && !look.isUnsure ? .listed : .unknown
    }
    if try isBeyond(file.sequence) { return .later }
    guard let known = digests[file.sequence] else {
      // A manifest that was made from the list cannot end before the closed segments of that.
      return isFoldedOrLost(file.sequence) && !file.isLaterManifest ? .listed : .unknown
    }
    guard let digest = file.digest else { return .unknown }
    return known == digest ? .listed : .other
  }

  /// Whether an event comes after the end of the list.
  mutating func isBeyond(_ sequence: UInt64) throws(LedgerError) -> Bool {
    guard sequence > manifest.lastFixedSequence else { return false }
    return try sequence > lastSequence()
  }

  /// The last event of the list, as far as its active segment can be read.
  mutating func lastSequence() throws(LedgerError) -> UInt64 {
    if let end { return end }
    let found: UInt64
    do throws(LedgerError) {
      let reader = FrameSegmentReader(ledger: manifest.ledger, in: directory)
      found = try reader.read(manifest.active).segment.lastSequence
    } catch {
      guard error.code == .damaged else { throw error }
      let reading = SegmentReading(directory, manifest, pool: pool)
      found = try reading.salvage(manifest.active).lastSequence
    }
    end = found
    return found
  }

  /// Whether the list has no digest there, and never will.
  private func isFoldedOrLost(_ sequence: UInt64) -> Bool {
    manifest.segments.contains {
      ($0.kind == .baseline || $0.kind == .salvaged) && $0.firstSequence <= sequence
        && sequence <= $0.lastSequence
    }
  }

  /// Finds the digests after some events, reading no more than it must: most files end where a segment does.
  mutating func look(at sequences: Set<UInt64>) throws(LedgerError) {
    let open = sequences.subtracting(digests.keys)
    guard !open.isEmpty else { return }
    for entry in manifest.segments where entry.kind != .baseline && entry.kind != .active {
      guard entry.eventCount <= eventsMax else { continue }
      let range = entry.firstSequence...entry.lastSequence
      let wanted = open.filter(range.contains)
      if !wanted.isEmpty { lookInside(entry, wanted) }
    }
    if open.contains(where: { $0 > manifest.lastFixedSequence }) {
      lookInside(manifest.active, open)
    }
  }

  /// What cannot be read leaves the digests unknown: of a damaged segment nobody knows from where on they are wrong.
  private mutating func lookInside(_ entry: SegmentEntry, _ wanted: Set<UInt64>) {
    var found: [UInt64: Digest] = [:]
    do throws(LedgerError) {
      try forEachDigest(of: entry) { digest in
        if wanted.contains(digest.sequence) { found[digest.sequence] = digest.value }
      }
    } catch {
      return
    }
    digests.merge(found) { known, _ in known }
  }

  private func forEachDigest(
    of entry: SegmentEntry, _ note: (LogDigest) -> Void
  ) throws(LedgerError) {
    guard entry.kind == .active else {
      return try SegmentCheck(directory, ledger: manifest.ledger, pool: pool).run(
        entry, note: note)
    }
    let segment = try FrameSegmentReader(ledger: manifest.ledger, in: directory).read(entry).segment
    let path = directory.pathOf(LedgerNames.inSegments(entry.file))
    _ = try segment.digest(pool, path: path, note: note)
  }
}
