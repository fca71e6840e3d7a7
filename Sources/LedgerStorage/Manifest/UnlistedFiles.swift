import LedgerCore
import LedgerFormat

/// The files beside a ledger's list of files that hold events which the list lacks: they may be the ones that count.
///
/// An interrupted step leaves files as well: a manifest that CURRENT never named, an empty active segment, a segment that was to come
/// in the place of others. They lead to no event that the list does not lead to, with one exception: after a failed sync,
/// transactions of which nobody was told that they had succeeded go into a new active segment before the step is taken.
///
/// Invariants:
/// - events are acknowledged only in the active segment of the manifest that CURRENT names. So a file proves that CURRENT is out of date
///   when it leads past the end of the list and is made of closed segments, or was appended to after a step had named it;
/// - what is no proof and holds other events than the list is kept all the same;
/// - what cannot be read proves nothing, and is kept where the system keeps it from us; nor does anything beside a backup, which is copied before the step.
struct UnlistedFiles {
  struct Finding {
    /// Their names in the ledger's folder: nobody removes them.
    var names: Set<ByteText> = []
    /// Why CURRENT is out of date; nil where it is not.
    var outdated: LedgerError?
  }

  /// Where the events of a file end.
  private struct Mark {
    var name: String
    var sequence: UInt64
    /// The log digest there; nil where nobody needs it.
    var digest: Digest?
    /// Whether it proves that CURRENT is out of date where it leads past the end.
    var isProof: Bool
    /// Whether it was made from the list, so that it cannot end before the closed segments of that.
    var isManifest = false
  }

  private let directory: any LedgerDirectory
  private let held: HeldManifest
  private let pool: ZstdPool
  /// The files that the system does not give.
  private var unread: Set<ByteText> = []
  private var end: UInt64?
  /// The log digests where files end, as the list has them.
  private var digests: [UInt64: Digest] = [:]

  private var manifest: Manifest { held.manifest }

  init(_ directory: any LedgerDirectory, _ held: HeldManifest, pool: ZstdPool = ZstdPool()) {
    self.directory = directory
    self.held = held
    self.pool = pool
  }

  /// Looks at every file that the list does not name. Others may write meanwhile.
  mutating func find() throws(LedgerError) -> Finding {
    let word = DurableEnd(of: manifest.ledger, in: directory)
    var finding = Finding()
    // The end is read behind the files: what is appended meanwhile leads no file past it.
    let names = try LedgerError.typing { try directory.list("") }
    let later = try laterManifests(among: names)
    let replaced = ReplacedSegments(by: manifest, in: directory, beside: names)
    let marks = try later.map(Self.mark) + segments(later, word, butFor: replaced)
    try digestEnds(marks)
    for mark in marks {
      if try isBeyond(mark.sequence) {
        finding.names.insert(ByteText(mark.name))
        guard mark.isProof, finding.outdated == nil else { continue }
        finding.outdated = .outdatedCurrent(
          "\(mark.name) leads to event \(mark.sequence)", end: try lastSequence(), in: directory)
      } else if !isListed(mark) {
        finding.names.insert(ByteText(mark.name))
      }
    }
    finding.names.formUnion(unread)
    if finding.outdated == nil { finding.outdated = try surpassed(by: word) }
    // Whoever took a step meanwhile left what this looked for.
    let isCurrent = try HeldManifest.readCurrent(directory) == held.current
    if manifest.isBackup || !isCurrent { finding.outdated = nil }
    return finding
  }

  /// Whether LOCK names a later event in a segment that the list does not append to.
  private mutating func surpassed(by word: DurableEnd?) throws(LedgerError) -> LedgerError? {
    guard let word, word.segment != manifest.active.segment,
      try isBeyond(word.sequence)
    else { return nil }
    return .outdatedCurrent(word, end: try lastSequence(), in: directory)
  }

  /// Whether the list leads to the events with which a file ends, or did before they were folded or lost.
  private func isListed(_ mark: Mark) -> Bool {
    guard let known = digests[mark.sequence] else {
      return !mark.isManifest && mark.sequence < manifest.lastFixedSequence
    }
    return known == mark.digest
  }
}

// What lies beside the list.
extension UnlistedFiles {
  /// The manifests of this ledger with higher numbers that are whole.
  ///
  /// - Parameter names: what lies in the ledger's folder.
  private mutating func laterManifests(
    among names: [String]
  ) throws(LedgerError) -> [Manifest] {
    var found: [Manifest] = []
    for name in names {
      guard let number = LedgerNames.manifestNumber(name), number > manifest.number else {
        continue
      }
      let later = try reading(name) { [directory] () throws(LedgerError) -> Manifest? in
        try LedgerError.typing {
          try Manifest(directory.contents(of: name, atMost: UInt64(Manifest.bytesMax)))
        }
      }
      if let later, later.number == number, later.ledger == manifest.ledger { found.append(later) }
    }
    return found
  }

  private static func mark(_ later: Manifest) -> Mark {
    Mark(
      name: LedgerNames.manifest(later.number), sequence: later.lastFixedSequence,
      digest: later.active.digestBefore, isProof: true, isManifest: true)
  }

  /// The segments of this ledger that the list neither names nor has replaced.
  private mutating func segments(
    _ later: [Manifest], _ word: DurableEnd?, butFor replaced: ReplacedSegments
  ) throws(LedgerError) -> [Mark] {
    let passedOver = Set(manifest.segments.map { ByteText($0.file) }).union(replaced.files)
    var marks: [Mark] = []
    for file in try directory.listIfThere(LedgerNames.segments)
    where LedgerNames.isSegment(file) && !passedOver.contains(ByteText(file)) {
      let name = LedgerNames.inSegments(file)
      let mark = try reading(name) { [self] () throws(LedgerError) -> Mark? in
        file.hasSuffix(".active") ? try frames(file, later, word) : try run(file)
      }
      if let mark { marks.append(mark) }
    }
    return marks
  }

  private func run(_ file: String) throws(LedgerError) -> Mark? {
    let source = FileSource(directory, LedgerNames.inSegments(file))
    let footer = try pool.with { (zstd) throws(LedgerError) in
      try SealedRun(source, zstd: zstd, kind: LedgerNames.segmentKind(file)).footer
    }
    guard footer.ledger == manifest.ledger else { return nil }
    return Mark(
      name: LedgerNames.inSegments(file), sequence: footer.lastSequence,
      digest: footer.digestAfter, isProof: true)
  }

  private func frames(
    _ file: String, _ later: [Manifest], _ word: DurableEnd?
  ) throws(LedgerError) -> Mark? {
    let source = FileSource(directory, LedgerNames.inSegments(file))
    let header = try ActiveHeader(
      try source.read(at: 0, count: min(ActiveHeader.byteCount, Int(clamping: source.size()))))
    guard header.ledger == manifest.ledger else { return nil }
    let segment = try FrameSegmentReader(ledger: header.ledger, in: directory)
      .read(header.entry(named: file)).segment
    guard segment.eventCount > 0 else { return nil }
    // Frames that go on behind the closed segments have no reason to lie there.
    let isClosed = segment.lastSequence <= manifest.lastFixedSequence
    return Mark(
      name: LedgerNames.inSegments(file), sequence: segment.lastSequence,
      digest: isClosed ? try digest(of: segment, source.path) : nil,
      isProof: word?.segment == header.segment || wasNamed(segment, later))
  }

  private func digest(
    of segment: FrameSegment, _ path: String
  ) throws(LedgerError) -> Digest {
    let header = segment.header
    var digest = SegmentDigest(
      before: LogDigest(value: header.digestBefore, sequence: header.firstSequence - 1))
    try segment.forEachFrame(pool, path: path) { digest.append($0) }
    return digest.digest.value
  }

  /// Whether a segment was appended to after a step had named it: before that it is empty, but for what is left of a failed sync.
  private func wasNamed(_ segment: FrameSegment, _ later: [Manifest]) -> Bool {
    let start = UInt64(ActiveHeader.byteCount)
    if segment.frames.contains(where: { $0.header.durablePosition > start }) { return true }
    return later.contains { later in
      later.active.segment == segment.header.segment
        && !later.records.contains { $0.isOfAbandoned(manifest.active) }
    }
  }

  /// Nil for what is damaged, is no file, went away meanwhile, or is not given to us.
  private mutating func reading<R>(
    _ name: String, _ body: () throws(LedgerError) -> R?
  ) throws(LedgerError) -> R? {
    do throws(LedgerError) {
      return try body()
    } catch {
      if error.code != .damaged, error.code != .notFound, !error.isOfOtherThanFile {
        unread.insert(ByteText(name))
      }
      return nil
    }
  }
}

// Where the list ends.
extension UnlistedFiles {
  /// Whether an event comes after the end of the list.
  private mutating func isBeyond(_ sequence: UInt64) throws(LedgerError) -> Bool {
    guard sequence > manifest.lastFixedSequence else { return false }
    return try sequence > lastSequence()
  }

  /// The last event of the list, as far as its active segment can be read.
  private mutating func lastSequence() throws(LedgerError) -> UInt64 {
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

  /// Finds the log digests of the list at the ends of files, reading no more than it must: most end where a segment does.
  private mutating func digestEnds(_ marks: [Mark]) throws(LedgerError) {
    digests = [0: .zero]
    let last = manifest.lastFixedSequence
    for entry in manifest.segments where entry.kind != .active {
      digests[entry.lastSequence] = entry.digestAfter
    }
    let open = Set(marks.map(\.sequence)).subtracting(digests.keys)
    for entry in manifest.segments where entry.kind == .sealed || entry.kind == .frozen {
      let range = entry.firstSequence...entry.lastSequence
      let wanted = open.filter(range.contains)
      if !wanted.isEmpty { digestInside(entry, wanted) }
    }
    if open.contains(where: { $0 > last }) { digestInside(manifest.active, open) }
  }

  /// What cannot be read leaves the digests unknown.
  private mutating func digestInside(_ entry: SegmentEntry, _ wanted: Set<UInt64>) {
    var found: [UInt64: Digest] = [:]
    let check = SegmentExamination(directory, manifest, pool: pool)
    _ = check.check(entry) { digest in
      if wanted.contains(digest.sequence) { found[digest.sequence] = digest.value }
    }
    digests.merge(found) { known, _ in known }
  }
}
