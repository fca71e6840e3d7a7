import LedgerCore
import LedgerFormat

/// What was acknowledged on another list of files than the one that counts, and is not in that.
///
/// It comes about where a copy was put back over a newer ledger, and both were appended to: up to some event they are the same, and
/// from there on each has events of its own under the same numbers.
struct OtherSide {
  /// A file of it.
  struct File {
    /// Its name in the ledger's folder.
    var name: String
    /// The events that it leads to, and that the list has not.
    var events: SequenceRanges
  }

  private let directory: any LedgerDirectory
  private let manifest: Manifest
  private let number: UInt64?
  private let pool: ZstdPool
  private var digests: ListDigests
  private(set) var files: [File] = []
  /// Segments with events that the list may lack, of which nothing tells whether they were acknowledged: what a failed sync leaves looks
  /// the same.
  private(set) var unproven: [File] = []
  /// Files with events that the list counts as lost, and these.
  private(set) var returned: [File] = []
  /// The names of those with events that the list lacks, or may lack, and that nothing binds to it: they stay where they are.
  private(set) var kept: Set<ByteText> = []
  /// The log digests after events that can be read: two events under one number have different ones.
  private var readable: Set<Digest> = []
  /// The events that cannot.
  private var unreadable = SequenceRanges()

  /// How many events are not in the list that counts.
  var eventCount: UInt64 { UInt64(readable.count) + unreadable.count }

  /// - Parameters:
  ///   - manifest: the list that counts.
  ///   - number: its number; nil where it was remade and no manifest has it.
  ///   - current: the manifest that CURRENT names: a repair that was interrupted has put nothing on record.
  init(
    _ directory: any LedgerDirectory, beside manifest: Manifest, number: UInt64?,
    current: Manifest?, pool: ZstdPool
  ) throws(LedgerError) {
    self.directory = directory
    self.manifest = manifest
    self.number = number
    self.pool = pool
    digests = ListDigests(directory, manifest, pool: pool)
    guard !manifest.isBackup else { return }
    var beside = FilesBeside(
      directory, manifest, number: number, current: current, pool: pool)
    let found = try beside.find(DurableEnd(of: manifest.ledger, in: directory))
    try digests.look(at: Set(found.map(\.sequence)))
    try digests.look(atAll: found)
    for file in found {
      let look = try digests.look(at: file)
      let back = look?.found ?? SequenceRanges()
      if !back.isEmpty { returned.append(File(name: file.name, events: back)) }
      if file.isDropped { continue }
      if try isOfOther(file) {
        files.append(File(name: file.name, events: try eventsLacking(file)))
      } else if try isToKeep(file, look) {
        kept.insert(ByteText(file.name))
      } else if !file.isProof, back.isEmpty, let entry = file.entry, try !isListed(file, entry) {
        let events = SequenceRanges(entry.firstSequence...file.sequence)
        unproven.append(File(name: file.name, events: events))
      }
    }
  }

  private mutating func isListed(
    _ file: FileBeside, _ entry: SegmentEntry
  ) throws(LedgerError) -> Bool {
    guard try !digests.isBeyond(file.sequence) else { return false }
    var last: Digest?
    _ = SegmentExamination(directory, manifest, pool: pool).check(entry) { last = $0.value }
    return last == digests[file.sequence]
  }

  /// Whether it may hold what is lost, or cannot be compared because the list itself cannot be read there. The bytes of a damaged one
  /// are put aside.
  private mutating func isToKeep(
    _ file: FileBeside, _ look: ReturnedEvents.Look?
  ) throws(LedgerError) -> Bool {
    guard file.entry != nil, !(look?.isDamaged ?? false) else { return false }
    if let look, look.isUnsure { return true }
    // What ends past the closed segments and is no proof has nothing that it could be compared by.
    guard file.digest != nil else { return false }
    return try digests.compare(file) == .unknown
  }

  private mutating func isOfOther(_ file: FileBeside) throws(LedgerError) -> Bool {
    guard file.isProof else { return false }
    switch try digests.compare(file) {
    case .later: return true
    case .other: return file.canContradict
    case .listed, .unknown: return false
    }
  }

  private mutating func eventsLacking(_ file: FileBeside) throws(LedgerError) -> SequenceRanges {
    if let entry = file.entry {
      let returned = try digests.look(at: file)?.found ?? SequenceRanges()
      return try eventsLacking(entry, through: file.sequence, but: returned)
    }
    return try eventsOfMissingFiles(file.manifest?.segments ?? [])
  }

  /// The events of a segment that the list has not.
  ///
  /// - Parameter returned: those of them that it counts as lost.
  private mutating func eventsLacking(
    _ entry: SegmentEntry, through last: UInt64, but returned: SequenceRanges
  ) throws(LedgerError) -> SequenceRanges {
    guard last >= entry.firstSequence else { return SequenceRanges() }
    let range = entry.firstSequence...last
    try digests.look(at: [entry.firstSequence - 1])
    let before = digests[entry.firstSequence - 1]
    if before == nil || before == entry.digestBefore { try digests.look(at: Set(range)) }
    var found: [LogDigest] = []
    let check = SegmentExamination(directory, manifest, pool: pool)
    let finding = check.check(entry) { found.append($0) }
    guard !finding.status.isFault, entry.kind == .sealed || entry.kind == .active else {
      let events = SequenceRanges(range).without(returned)
      unreadable.formUnion(events)
      return events
    }
    let lacking = found.filter {
      !returned.contains($0.sequence) && isLacking($0, entry, before)
    }
    readable.formUnion(lacking.lazy.map(\.value))
    return SequenceRanges(ascending: lacking.lazy.map(\.sequence))
  }

  private func isLacking(_ event: LogDigest, _ entry: SegmentEntry, _ before: Digest?) -> Bool {
    // Once two lists differ, they differ for good.
    if let before, before != entry.digestBefore { return true }
    guard let known = digests[event.sequence] else {
      return event.sequence > manifest.lastFixedSequence
    }
    return known != event.value
  }

  /// The events of a list of which no file is left, and which the list that counts has not.
  private mutating func eventsOfMissingFiles(
    _ segments: [SegmentEntry]
  ) throws(LedgerError) -> SequenceRanges {
    var events = SequenceRanges()
    for entry in segments where entry.kind != .active {
      let name = LedgerNames.inSegments(entry.file)
      if entry.hasFile, try LedgerError.typing({ try directory.status(name) }) != nil { continue }
      try digests.look(at: [entry.lastSequence])
      let isBeyond = try digests.isBeyond(entry.lastSequence)
      let isOther = digests[entry.lastSequence].map { $0 != entry.digestAfter } ?? false
      guard isBeyond || isOther else { continue }
      events.formUnion(SequenceRanges(entry.firstSequence...entry.lastSequence))
    }
    unreadable.formUnion(events)
    return events
  }
}
