import LedgerCore
import LedgerFormat

/// What the files of segments say of themselves, whatever a manifest says of them.
struct SegmentInventory {
  /// A file of which header and footer can be read.
  struct File {
    var name: String
    var ledger: ReplicaID
    /// What a manifest would say of it, as the active segment where it holds frames; the own replica's count is that of its frames.
    var entry: SegmentEntry
    /// The last event that it holds; the one before its first where there is none.
    var lastSequence: UInt64
    /// The log digest after that; of damaged frames one in which zeros stand for what is lost.
    var digestAfter: Digest
    /// The newest stamp of its events.
    var newest: Stamp?
    /// Where its last frame ends, and the checksum of that.
    var end: UInt64
    /// Where frames can end at most: the length of the file.
    var fileEnd: UInt64 = 0
    var seed: UInt64
    var ownCount: UInt64
    /// The replica of its frames, and the counts of events by replica in a run.
    var replica: ReplicaID?
    var counts: [ReplicaID: UInt64] = [:]
    /// Whether every event of it can be read. What follows damaged frames, or the log digest after them, is not known.
    var isWhole = true
    /// Whether its frames end before the place that its name tells, or may: what is missing behind them its file does not say.
    var isCut = false

    /// Whether it is the file that an entry is about, as long as that says.
    func isWhat(_ entry: SegmentEntry) -> Bool {
      guard name.hasSameBytes(as: entry.file), self.entry.firstSequence == entry.firstSequence,
        self.entry.digestBefore == entry.digestBefore
      else { return false }
      switch entry.kind {
      case .active: return self.entry.segment == entry.segment
      case .frozen: return self.entry.segment == entry.segment && end >= entry.end
      case .baseline, .sealed, .salvaged:
        return self.entry.checksum == entry.checksum && self.entry.end == entry.end
      }
    }
  }

  let directory: any LedgerDirectory
  let pool: ZstdPool

  init(_ directory: any LedgerDirectory, pool: ZstdPool) {
    self.directory = directory
    self.pool = pool
  }

  /// The files; those of which nothing is known are passed over.
  func files() throws(LedgerError) -> [File] {
    var files: [File] = []
    for name in try directory.listIfThere(LedgerNames.segments)
    where LedgerNames.isSegment(name) {
      do throws(LedgerError) {
        files.append(try segment(name))
      } catch {
        guard error.code == .damaged else { throw error }
      }
    }
    return files
  }

  /// - Throws: `damaged` where nothing is known of it.
  func segment(_ name: String) throws(LedgerError) -> File {
    name.hasSuffix(".active") ? try frames(name) : try run(name)
  }

  private func run(_ name: String) throws(LedgerError) -> File {
    let kind: SegmentEntry.Kind =
      switch LedgerNames.segmentKind(name) {
      case .baseline: .baseline
      case .sealed: .sealed
      default: .salvaged
      }
    var entry = SegmentEntry(
      kind: kind, file: name, segment: 0, firstSequence: 1, eventCount: 0, end: 0, checksum: 0,
      digestBefore: .zero, digestAfter: .zero, ownCount: 0, newest: nil)
    let source = FileSource(directory, LedgerNames.inSegments(name))
    let run = try pool.with { (zstd) throws(LedgerError) in
      try SealedRun(source, zstd: zstd, kind: entry.fileKind)
    }
    let footer = run.footer
    var counts: [ReplicaID: UInt64] = [:]
    var numbers: [UInt64] = []
    var isWhole = true
    do throws(LedgerError) {
      try pool.with { (zstd) throws(LedgerError) in
        try run.forEachEvent(zstd: zstd) { (event) throws(LedgerError) in
          counts[event.stamp.replica] = max(
            counts[event.stamp.replica] ?? 0, event.stamp.count)
          if kind == .salvaged { numbers.append(event.sequence) }
        }
      }
    } catch {
      // Which events were lost before cannot be told from those that are now.
      guard error.code == .damaged, kind != .salvaged else { throw error }
      isWhole = false
    }
    entry.firstSequence = footer.firstSequence
    entry.eventCount = footer.lastSequence - footer.firstSequence + 1
    entry.end = try source.size()
    entry.checksum = footer.checksum
    entry.digestBefore = footer.digestBefore
    entry.digestAfter = footer.digestAfter
    entry.newest = footer.newest
    if kind == .salvaged {
      entry.lost = SequenceRanges(ascending: numbers.sorted())
        .missing(in: footer.firstSequence...footer.lastSequence)
    }
    return File(
      name: name, ledger: footer.ledger, entry: entry, lastSequence: footer.lastSequence,
      digestAfter: footer.digestAfter, newest: footer.newest, end: entry.end,
      seed: footer.checksum, ownCount: 0, counts: counts, isWhole: isWhole)
  }

  private func frames(_ name: String) throws(LedgerError) -> File {
    let source = FileSource(directory, LedgerNames.inSegments(name))
    let header = try ActiveHeader(
      try source.read(at: 0, count: min(ActiveHeader.byteCount, Int(clamping: source.size()))))
    let entry = header.entry(named: name)
    let fileEnd = try max(source.size() & ~7, UInt64(ActiveHeader.byteCount))
    let segment: FrameSegment
    do throws(LedgerError) {
      segment = try FrameSegmentReader(ledger: header.ledger, in: directory).read(entry).segment
    } catch {
      guard error.code == .damaged else { throw error }
      return try damagedFrames(header, entry, fileEnd: fileEnd)
    }
    let digest = try segment.digest(pool, path: source.path)
    return File(
      name: name, ledger: header.ledger, entry: entry, lastSequence: segment.lastSequence,
      digestAfter: digest.digest.value, newest: digest.newest, end: segment.end,
      fileEnd: fileEnd, seed: segment.seed, ownCount: segment.ownCount, replica: header.replica,
      isCut: LedgerNames.closedEnd(name).map { segment.end < $0 } ?? false)
  }

  private func damagedFrames(
    _ header: ActiveHeader, _ entry: SegmentEntry, fileEnd: UInt64
  ) throws(LedgerError) -> File {
    let bare = Manifest(
      ledger: header.ledger, number: 1, replica: header.replica, segments: [entry], records: [])
    let salvage = try SegmentReading(directory, bare, pool: pool).salvage(entry)
    return File(
      name: entry.file, ledger: header.ledger, entry: entry, lastSequence: salvage.lastSequence,
      digestAfter: salvage.digest(after: header.digestBefore), newest: salvage.newest,
      end: entry.end, fileEnd: fileEnd, seed: header.firstSeed, ownCount: salvage.ownCount,
      replica: header.replica, isWhole: false,
      isCut: LedgerNames.closedEnd(entry.file) != nil)
  }
}
