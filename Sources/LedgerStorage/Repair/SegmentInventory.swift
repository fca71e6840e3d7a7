import LedgerCore
import LedgerFormat

/// What the files of segments say of themselves, whatever a manifest says of them.
struct SegmentInventory {
  /// What a folder holds.
  struct Contents {
    var files: [File] = []
    /// The files of segments of which nothing can be told, by their names in the ledger's folder, with what is wrong with them.
    var unread: [(name: String, problem: LedgerError)] = []
  }

  let directory: any LedgerDirectory
  let pool: ZstdPool

  init(_ directory: any LedgerDirectory, pool: ZstdPool) {
    self.directory = directory
    self.pool = pool
  }

  /// Looks at every file of a segment.
  ///
  /// - Parameter ledger: whose they are, where that is known; else those that can be read tell.
  func contents(of ledger: ReplicaID?) throws(LedgerError) -> Contents {
    var contents = Contents()
    var unread: [(name: String, problem: LedgerError)] = []
    for name in try names() {
      do throws(LedgerError) {
        contents.files.append(try segment(name))
      } catch {
        guard error.code == .damaged else { throw error }
        unread.append((name, error))
      }
    }
    let ledgers = Set([ledger].compactMap(\.self) + contents.files.map(\.ledger))
    for (name, problem) in unread {
      if let file = try mended(name, ledgers) {
        contents.files.append(file)
      } else {
        contents.unread.append((LedgerNames.inSegments(name), problem))
      }
    }
    return contents
  }

  /// The names of the files that are segments.
  func names() throws(LedgerError) -> [String] {
    try directory.listIfThere(LedgerNames.segments).filter { directory.segmentKind(of: $0) != nil }
  }

  /// - Throws: `damaged` where nothing is known of it.
  func segment(_ name: String) throws(LedgerError) -> File {
    guard let entry = entry(ofRun: name) else { return try frames(name) }
    let source = FileSource(directory, LedgerNames.inSegments(name))
    let run = try pool.with { (zstd) throws(LedgerError) in
      try SealedRun(source, zstd: zstd, kind: entry.fileKind)
    }
    if try !hasReadableTables(run), let file = try mended(name, [run.footer.ledger]) {
      return file
    }
    return try file(entry, run, bytes: source.size())
  }

  /// Whether what all blocks need can be read.
  private func hasReadableTables(_ run: SealedRun) throws(LedgerError) -> Bool {
    do throws(LedgerError) {
      try pool.with { (zstd) throws(LedgerError) in
        _ = try run.tables(zstd: zstd)
        _ = try run.clocks(zstd: zstd)
      }
      return true
    } catch {
      guard error.code == .damaged else { throw error }
      return false
    }
  }

  /// A run that cannot be read because of a flipped bit; nil where that is not it.
  func mended(
    _ name: String, _ ledgers: Set<ReplicaID>
  ) throws(LedgerError) -> File? {
    guard let entry = entry(ofRun: name) else { return nil }
    let source = FileSource(directory, LedgerNames.inSegments(name))
    let kind = entry.fileKind
    for ledger in ledgers {
      do throws(LedgerError) {
        guard let mended = try RunMending.mend(source, kind: kind, ledger: ledger, checksum: nil)
        else { continue }
        let run = try pool.with { (zstd) throws(LedgerError) in
          try SealedRun(mended, zstd: zstd, kind: kind)
        }
        var file = try file(entry, run, bytes: source.size())
        file.isWhole = false
        return file
      } catch {
        guard error.code == .damaged else { throw error }
      }
    }
    return nil
  }

  /// An entry of a run, of which nothing but its kind is known; nil for frames.
  private func entry(ofRun name: String) -> SegmentEntry? {
    let kind: SegmentEntry.Kind
    switch directory.segmentKind(of: name) {
    case .baseline: kind = .baseline
    case .sealed: kind = .sealed
    case .salvaged: kind = .salvaged
    default: return nil
    }
    return SegmentEntry(
      kind: kind, file: name, segment: 0, firstSequence: 1, eventCount: 0, end: 0, checksum: 0,
      digestBefore: .zero, digestAfter: .zero, ownCount: 0, newest: nil)
  }

  private func file(
    _ entry: SegmentEntry, _ run: SealedRun, bytes: UInt64
  ) throws(LedgerError) -> File {
    var entry = entry
    let footer = run.footer
    var counts: [ReplicaID: UInt64] = [:]
    var numbers: [UInt64] = []
    let isWhole = try run.forEachIntactEvent(pool) { event in
      counts[event.stamp.replica] = max(counts[event.stamp.replica] ?? 0, event.stamp.count)
      if entry.kind == .salvaged { numbers.append(event.sequence) }
    }
    entry.firstSequence = footer.firstSequence
    entry.eventCount = footer.lastSequence - footer.firstSequence + 1
    entry.end = bytes
    entry.checksum = footer.checksum
    entry.digestBefore = footer.digestBefore
    entry.digestAfter = footer.digestAfter
    entry.newest = footer.newest
    if entry.kind == .salvaged {
      entry.lost = SequenceRanges(ascending: numbers.sorted())
        .missing(in: footer.firstSequence...footer.lastSequence)
      guard !numbers.isEmpty else {
        throw LedgerError(.damaged, "no event of it can be read", path: run.source.path)
      }
    }
    return File(
      name: entry.file, ledger: footer.ledger, entry: entry, lastSequence: footer.lastSequence,
      digestAfter: footer.digestAfter, newest: footer.newest, end: entry.end,
      seed: footer.checksum, ownCount: 0, counts: counts, isWhole: isWhole,
      mayHaveLostMore: entry.kind == .salvaged && !isWhole)
  }

  private func frames(_ name: String) throws(LedgerError) -> File {
    let source = FileSource(directory, LedgerNames.inSegments(name))
    let header = try header(source)
    let entry = header.entry(named: name)
    let fileEnd = try max(source.size() & ~7, UInt64(ActiveHeader.byteCount))
    let read: FrameSegmentReader.Result
    do throws(LedgerError) {
      read = try FrameSegmentReader(ledger: header.ledger, in: directory).read(entry)
    } catch {
      guard error.code == .damaged else { throw error }
      return try damagedFrames(header, entry, fileEnd: fileEnd)
    }
    let segment = read.segment
    var digest = SegmentDigest(before: header.logDigestBefore)
    var ends: [FrameEnd] = []
    for frame in segment.frames {
      do throws(LedgerError) {
        digest.append(try frame.events(pool))
      } catch {
        throw error.located(in: source.path, offset: frame.position)
      }
      ends.append(
        FrameEnd(
          digest: digest.digest, newest: digest.newest,
          end: frame.position + UInt64(frame.header.byteCount), seed: frame.header.checksum,
          ownCount: frame.header.ownCount))
    }
    return File(
      name: name, ledger: header.ledger, entry: entry, lastSequence: segment.lastSequence,
      digestAfter: digest.digest.value, newest: digest.newest, end: segment.end,
      fileEnd: fileEnd, seed: segment.seed, ownCount: segment.ownCount, replica: header.replica,
      isCut: LedgerNames.closedEnd(name).map { segment.end < $0 } ?? false,
      hasTail: read.scan.tail != .clean, frameEnds: ends)
  }

  private func header(_ source: FileSource) throws(LedgerError) -> ActiveHeader {
    let bytes = try source.read(
      at: 0, count: min(ActiveHeader.byteCount, Int(clamping: source.size())))
    do throws(LedgerError) {
      return try ActiveHeader(bytes)
    } catch {
      guard error.code == .damaged, let mended = ActiveHeader(mending: bytes) else { throw error }
      return mended
    }
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
      isCut: LedgerNames.closedEnd(entry.file) != nil, isAppendedTo: salvage.isAppendedTo)
  }
}
