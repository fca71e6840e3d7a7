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
/// - what cannot be read proves nothing; nor does anything beside a backup, which is copied before the step.
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
    /// The log digest there; nil where that would have to be computed.
    var digest: Digest?
    /// The log digest before the file, and the event that it follows.
    var before: LogDigest?
    /// Whether it proves that CURRENT is out of date where it leads past the end.
    var isProof: Bool
    /// Whether it was made from the list, so that it cannot end before the closed segments of that.
    var isManifest = false
  }

  private let directory: any LedgerDirectory
  private let held: HeldManifest
  private let pool: ZstdPool
  private var end: UInt64?
  private var digests: [UInt64: Digest]?

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
    let later = try laterManifests()
    for mark in try later.map(Self.mark) + segments(later, word) {
      if mark.sequence > manifest.lastFixedSequence, mark.sequence > (try lastSequence()) {
        finding.names.insert(ByteText(mark.name))
        guard mark.isProof, finding.outdated == nil else { continue }
        finding.outdated = .outdatedCurrent(
          "\(mark.name) leads to event \(mark.sequence)", end: try lastSequence(), in: directory)
      } else if try !isListed(mark) {
        finding.names.insert(ByteText(mark.name))
      }
    }
    if finding.outdated == nil { finding.outdated = try surpassed(by: word) }
    // Whoever took a step meanwhile left what this looked for.
    let isCurrent = try HeldManifest.readCurrent(directory) == held.current
    if manifest.isBackup || !isCurrent { finding.outdated = nil }
    return finding
  }

  /// Whether LOCK names a later event in a segment that the list does not append to.
  private mutating func surpassed(by word: DurableEnd?) throws(LedgerError) -> LedgerError? {
    guard let word, word.segment != manifest.active.segment,
      word.sequence > manifest.lastFixedSequence, word.sequence > (try lastSequence())
    else { return nil }
    return .outdatedCurrent(word, end: try lastSequence(), in: directory)
  }

  /// Whether the list holds the events with which a file ends, or once did, for all that is told without reading them.
  private mutating func isListed(_ mark: Mark) throws(LedgerError) -> Bool {
    if let before = mark.before {
      // Frames that are not closed have no reason to lie there.
      guard mark.sequence <= manifest.lastFixedSequence else { return false }
      return try digest(at: before.sequence).map { $0 == before.value } ?? true
    }
    guard let known = try digest(at: mark.sequence) else { return !mark.isManifest }
    return known == mark.digest
  }
}

// What lies beside the list.
extension UnlistedFiles {
  /// The manifests of this ledger with higher numbers that are whole.
  private func laterManifests() throws(LedgerError) -> [Manifest] {
    let names = try LedgerError.typing { try directory.list("") }
    var found: [Manifest] = []
    for name in names {
      guard let number = LedgerNames.manifestNumber(name), number > manifest.number else {
        continue
      }
      let later = try reading { () throws(LedgerError) -> Manifest? in
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

  /// The segments of this ledger that the list does not name.
  private func segments(
    _ later: [Manifest], _ word: DurableEnd?
  ) throws(LedgerError) -> [Mark] {
    let named = Set(manifest.segments.map { ByteText($0.file) })
    let files: [String]
    do {
      files = try directory.list(LedgerNames.segments)
    } catch let error as LedgerError where error.code == .notFound {
      return []
    } catch {
      throw LedgerError.wrapping(error)
    }
    var marks: [Mark] = []
    for file in files where LedgerNames.isSegment(file) && !named.contains(ByteText(file)) {
      let mark = try reading { () throws(LedgerError) -> Mark? in
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
    return Mark(
      name: LedgerNames.inSegments(file), sequence: segment.lastSequence,
      before: LogDigest(value: header.digestBefore, sequence: header.firstSequence - 1),
      isProof: word?.segment == header.segment || wasNamed(segment, later))
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

  /// Nil for what is damaged, is no file, or went away meanwhile.
  private func reading<R>(_ body: () throws(LedgerError) -> R?) throws(LedgerError) -> R? {
    do throws(LedgerError) {
      return try body()
    } catch {
      switch error.code {
      case .damaged, .unsupported, .notFound: return nil
      default: if error.isOfOtherThanFile { return nil } else { throw error }
      }
    }
  }
}

// Where the list ends.
extension UnlistedFiles {
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

  /// The log digest after an event; nil where it would have to be computed from sealed events.
  private mutating func digest(at sequence: UInt64) throws(LedgerError) -> Digest? {
    if digests == nil {
      let closed = manifest.segments.lazy.filter { $0.kind != .active }
      digests = Dictionary(
        closed.map { ($0.lastSequence, $0.digestAfter) }, uniquingKeysWith: { $1 })
      digests?[0] = .zero
    }
    if sequence > manifest.lastFixedSequence, digests?[sequence] == nil { try digestActive() }
    return digests?[sequence]
  }

  private mutating func digestActive() throws(LedgerError) {
    let active = manifest.active
    var digest = LogDigest(value: active.digestBefore, sequence: active.firstSequence - 1)
    var scratch: [UInt8] = []
    let events = try reading { () throws(LedgerError) in
      try FrameSegmentReader(ledger: manifest.ledger, in: directory).read(active).segment.events(
        pool, path: directory.pathOf(LedgerNames.inSegments(active.file)))
    }
    for event in events ?? [] {
      digest.append(event, scratch: &scratch)
      digests?[digest.sequence] = digest.value
    }
  }
}

extension LedgerError {
  /// CURRENT names a list of files that is older than what lies beside it.
  ///
  /// - Parameters:
  ///   - proof: what shows it, in words.
  ///   - end: the last event of the list.
  static func outdatedCurrent(
    _ proof: String, end: UInt64, in directory: any LedgerDirectory
  ) -> LedgerError {
    LedgerError(
      .damaged,
      "CURRENT is out of date: the list of files that it names ends with event \(end), and \(proof)",
      path: directory.pathOf(LedgerNames.current), hint: repairHint)
  }

  static func outdatedCurrent(
    _ word: DurableEnd, end: UInt64, in directory: any LedgerDirectory
  ) -> LedgerError {
    outdatedCurrent(
      "LOCK tells of event \(word.sequence) in another segment", end: end, in: directory)
  }
}
