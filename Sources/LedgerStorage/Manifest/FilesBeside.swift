import LedgerCore
import LedgerFormat

/// Finds what lies beside a list of files. Others may write meanwhile.
///
/// Passed over are the segments that the list itself has replaced, and the files that a repair has dropped, kept and put on record.
struct FilesBeside {
  private let directory: any LedgerDirectory
  private let manifest: Manifest
  private let number: UInt64?
  private let dropped: Set<ByteText>
  /// The files whose bytes a repair has put aside.
  private let putAside: Set<ByteText>
  private let pool: ZstdPool
  /// The files that the system does not give.
  private(set) var unread: Set<ByteText> = []
  /// The files that are another ledger's, and those that cannot be read and need not be leftovers of this list.
  private(set) var faults: [ByteText: FaultBeside] = [:]
  /// The ledgers whose files lie there, too.
  private var otherLedgers: Set<ReplicaID> = []
  /// What is damaged, and not known to hold anything.
  private var damaged: [(name: String, error: LedgerError)] = []
  /// The log digests of the list, as far as earlier manifests tell them.
  private(set) var digests: [UInt64: Digest] = [:]

  /// - Parameters:
  ///   - number: the number of the manifest that is the list; nil where none is, and it was remade.
  ///   - current: the manifest that CURRENT names, whose records count; nil where that cannot be told.
  init(
    _ directory: any LedgerDirectory, _ manifest: Manifest, number: UInt64?, current: Manifest?,
    pool: ZstdPool
  ) {
    dropped = current.map(RepairRecord.droppedFiles) ?? []
    putAside = current.map(RepairRecord.filesPutAside) ?? []
    self.directory = directory
    self.manifest = manifest
    self.number = number
    self.pool = pool
  }

  /// - Parameter word: what LOCK tells.
  mutating func find(_ word: DurableEnd?) throws(LedgerError) -> [FileBeside] {
    let others = try otherManifests()
    let replaced = ReplacedSegments(by: manifest, earlier: others.filter(isEarlier))
    digests = replaced.digests
    let lists = others.filter { !dropped.contains(ByteText(LedgerNames.manifest($0.number))) }
    let passedOver = Set(manifest.segments.map { ByteText($0.file) }).union(replaced.files)
    var found = lists.map(file)
    for file in try directory.listIfThere(LedgerNames.segments)
    where !passedOver.contains(ByteText(file)) {
      guard let kind = directory.segmentKind(of: file) else { continue }
      let name = LedgerNames.inSegments(file)
      let isDropped = dropped.contains(ByteText(name))
      guard !isDropped || !manifest.lost.isEmpty else { continue }
      var other: ReplicaID?
      let segment = try reading(name) { [self] () throws(LedgerError) -> FileBeside? in
        try described(file, kind, lists, word, other: &other)
      }
      if var segment {
        segment.isDropped = isDropped
        segment.isProof = segment.isProof && !isDropped
        segment.isPutAside = putAside.contains(ByteText(name))
        found.append(segment)
      }
      if let other { noteOther(name, other) }
    }
    for (name, error) in damaged { noteDamaged(name, error) }
    return found
  }

  private func described(
    _ file: String, _ kind: FileHeader.Kind, _ lists: [Manifest], _ word: DurableEnd?,
    other: inout ReplicaID?
  ) throws(LedgerError) -> FileBeside? {
    do throws(LedgerError) {
      return kind == .active
        ? try frames(file, lists, word, other: &other) : try run(file, kind, other: &other)
    } catch {
      guard error.code == .damaged, let broken = broken(file) else { throw error }
      return broken
    }
  }

  /// What a damaged segment may hold of lost events; nil where that is nothing, or cannot be told.
  private func broken(_ file: String) -> FileBeside? {
    guard !manifest.lost.isEmpty else { return nil }
    let inventory = SegmentInventory(directory, pool: pool)
    guard
      let found = (try? inventory.segment(file))
        ?? (try? inventory.mended(file, [manifest.ledger])) ?? nil,
      found.ledger == manifest.ledger, found.lastSequence >= found.entry.firstSequence,
      !manifest.lost.clamped(to: found.entry.firstSequence...found.lastSequence).isEmpty
    else { return nil }
    return FileBeside(
      name: LedgerNames.inSegments(file), sequence: found.lastSequence, entry: found.entry,
      isProof: false, wasAppendedTo: found.isAppendedTo && !isAbandoned(found.entry))
  }

  private func isEarlier(_ other: Manifest) -> Bool { number.map { other.number < $0 } ?? false }

  /// The other manifests of this ledger that are whole.
  private mutating func otherManifests() throws(LedgerError) -> [Manifest] {
    var found: [Manifest] = []
    for name in try LedgerError.typing({ try directory.list("") }) {
      guard let number = LedgerNames.manifestNumber(name), number != self.number else { continue }
      let other = try reading(name) { [directory] () throws(LedgerError) -> Manifest? in
        try LedgerError.typing {
          try Manifest(directory.contents(of: name, atMost: UInt64(Manifest.bytesMax)))
        }
      }
      guard let other else { continue }
      if other.ledger != manifest.ledger {
        noteOther(name, other.ledger)
      } else if other.number == number {
        found.append(other)
      }
    }
    return found
  }

  private func file(_ other: Manifest) -> FileBeside {
    let repairs = Set(manifest.records.filter { $0.kind == RepairRecord.kind })
    return FileBeside(
      name: LedgerNames.manifest(other.number), sequence: other.lastFixedSequence,
      digest: other.active.digestBefore, manifest: other, isLaterManifest: !isEarlier(other),
      isProof: true,
      canContradict: other.records.allSatisfy {
        $0.kind != RepairRecord.kind || repairs.contains($0)
      })
  }

  private func run(
    _ file: String, _ kind: FileHeader.Kind, other: inout ReplicaID?
  ) throws(LedgerError) -> FileBeside? {
    let source = FileSource(directory, LedgerNames.inSegments(file))
    let footer = try pool.with { (zstd) throws(LedgerError) in
      try SealedRun(source, zstd: zstd, kind: kind).footer
    }
    guard footer.ledger == manifest.ledger else {
      other = footer.ledger
      return nil
    }
    let entry = SegmentEntry(
      kind: kind == .baseline ? .baseline : kind == .sealed ? .sealed : .salvaged, file: file,
      segment: 0, firstSequence: footer.firstSequence,
      eventCount: footer.lastSequence - footer.firstSequence + 1, end: try source.size(),
      checksum: footer.checksum, digestBefore: footer.digestBefore,
      digestAfter: footer.digestAfter, ownCount: 0, newest: footer.newest)
    return FileBeside(
      name: LedgerNames.inSegments(file), sequence: footer.lastSequence,
      digest: footer.digestAfter, entry: entry, isProof: true, canContradict: kind != .salvaged)
  }

  private func frames(
    _ file: String, _ others: [Manifest], _ word: DurableEnd?, other: inout ReplicaID?
  ) throws(LedgerError) -> FileBeside? {
    let source = FileSource(directory, LedgerNames.inSegments(file))
    let header = try ActiveHeader(
      try source.read(at: 0, count: min(ActiveHeader.byteCount, Int(clamping: source.size()))))
    guard header.ledger == manifest.ledger else {
      other = header.ledger
      return nil
    }
    let read = try FrameSegmentReader(ledger: header.ledger, in: directory)
      .read(header.entry(named: file))
    let segment = read.segment
    guard segment.eventCount > 0 else { return nil }
    // Other frames that go on behind the closed segments have no reason to lie there, whatever they say.
    let isClosed = segment.lastSequence <= manifest.lastFixedSequence
    let isAbandoned = isAbandoned(segment.entry)
    let isProof =
      !isAbandoned && (word?.segment == header.segment || wasNamed(segment, others))
    let wasListed = manifest.records.contains { $0.isOfLoss(in: segment.entry) }
    return FileBeside(
      name: LedgerNames.inSegments(file), sequence: segment.lastSequence,
      digest: isClosed || isProof
        ? try segment.digest(pool, path: source.path).digest.value : nil,
      entry: segment.entry, isProof: isProof, wasAppendedTo: isProof || (wasListed && !isAbandoned),
      isReplaced: others.contains { $0.active.segment == header.segment },
      hasTail: read.scan.tail != .clean)
  }

  /// Whether the list has abandoned a segment: it has all that counted of that.
  private func isAbandoned(_ entry: SegmentEntry) -> Bool {
    manifest.records.contains { $0.isOfAbandoned(entry) }
  }

  /// Whether a segment was appended to after a step had named it: before that it is empty, but for what is left of a failed sync.
  /// Earlier versions left the first frames that were appended looking like that, too.
  private func wasNamed(_ segment: FrameSegment, _ others: [Manifest]) -> Bool {
    let start = UInt64(ActiveHeader.byteCount)
    if segment.frames.contains(where: { $0.header.durablePosition != start }) { return true }
    return others.contains { other in
      other.active.segment == segment.header.segment
        && !other.records.contains { $0.isOfAbandoned(manifest.active) }
    }
  }

  /// Nil for what is damaged, is no file, went away meanwhile, or is not given to us.
  private mutating func reading<R>(
    _ name: String, _ body: () throws(LedgerError) -> R?
  ) throws(LedgerError) -> R? {
    do throws(LedgerError) {
      return try body()
    } catch {
      if error.code == .damaged {
        damaged.append((name, error))
      } else if error.code != .notFound, !error.isOfOtherThanFile {
        unread.insert(ByteText(name))
      }
      return nil
    }
  }

  private mutating func noteOther(_ name: String, _ ledger: ReplicaID) {
    otherLedgers.insert(ledger)
    guard !putAside.contains(ByteText(name)) else { return }
    faults[ByteText(name)] = .otherLedger(
      .otherLedger(ledger, expected: manifest.ledger, path: directory.pathOf(name)))
  }

  /// What a step leaves, or a merge, lies within the closed segments of the list, or is a draft. What by its name reaches past them, or
  /// stands for lost events, or has a name that the ledger does not give, is kept.
  private mutating func noteDamaged(_ name: String, _ error: LedgerError) {
    // The id of a damaged file may itself be what is damaged.
    if let other = try? directory.claimedLedger(of: name), otherLedgers.contains(other) {
      return noteOther(name, other)
    }
    let kind = LedgerNames.segmentKind(name)
    guard kind == .sealed || kind == .baseline || kind == .salvaged,
      !putAside.contains(ByteText(name))
    else { return }
    guard let sequences = LedgerNames.sequences(ofRun: name) else {
      faults[ByteText(name)] = .foreign
      return
    }
    let isPast = sequences.upperBound > manifest.lastFixedSequence
    let mayHoldLost = !manifest.lost.clamped(to: sequences).isEmpty
    guard isPast || mayHoldLost, !manifest.isBackup else { return }
    var error = error
    error.sentence = "no list names it, and it cannot be read: \(error.sentence)"
    error.hint =
      "it may hold events that the list lacks: look for a newer list or a backup, else move it elsewhere"
    faults[ByteText(name)] = .damaged(error)
  }
}
