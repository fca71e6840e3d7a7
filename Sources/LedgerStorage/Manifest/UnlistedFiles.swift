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
///   when it is made of closed segments, or was appended to after a step had named it, and leads past the end of the list, or to other
///   events than the list, however long that is;
/// - what is no proof and holds other events than the list is kept all the same, and so is what cannot be compared because the list
///   itself cannot be read there;
/// - what cannot be read proves nothing, and is kept where the system keeps it from us, or where by its name it reaches past the closed
///   segments of the list; nor does what an interrupted backup leaves beside the list of a backup;
/// - what holds events that the list counts as lost is kept;
/// - what is another ledger's is kept.
struct UnlistedFiles {
  struct Finding {
    /// Their names in the ledger's folder: nobody removes them.
    var names: Set<ByteText> = []
    /// The events that are counted as lost, by the files among them that hold some.
    var returned: [ByteText: SequenceRanges] = [:]
    /// Those among them that are another ledger's, or cannot be read and need not be leftovers.
    var faults: [ByteText: FaultBeside] = [:]
    /// The events of other segments that no step has replaced, which the list leads to as well, by their names in the ledger's folder.
    var listed: [ByteText: ClosedRange<UInt64>] = [:]
    /// Why CURRENT is out of date; nil where it is not.
    var outdated: LedgerError?
  }

  /// Who is about to write reads no longer segment to compare what lies beside the list: that is left to those who remove files.
  static let quicklyComparedEventsMax: UInt64 = 1 << 13

  private let directory: any LedgerDirectory
  private let held: HeldManifest
  private let pool: ZstdPool
  private var digests: ListDigests

  private var manifest: Manifest { held.manifest }

  /// - Parameters:
  ///   - end: the last event of the list, where it is known.
  ///   - eventsMax: no longer segment of the list is read to compare what ends in the middle of it.
  init(
    _ directory: any LedgerDirectory, _ held: HeldManifest, pool: ZstdPool = ZstdPool(),
    end: UInt64? = nil, eventsMax: UInt64 = .max
  ) {
    self.directory = directory
    self.held = held
    self.pool = pool
    digests = ListDigests(
      directory, held.manifest, pool: pool, end: end, eventsMax: eventsMax)
  }

  /// Requires that nothing beside the list is newer than it, or contradicts it.
  ///
  /// - Throws: `damaged` where CURRENT is out of date.
  mutating func checkList() throws(LedgerError) {
    if let outdated = try find().outdated { throw outdated }
  }

  /// Looks at every file that the list does not name. Others may write meanwhile.
  mutating func find() throws(LedgerError) -> Finding {
    let word = DurableEnd(of: manifest.ledger, in: directory)
    var finding = Finding()
    // The end is read behind the files: what is appended meanwhile leads no file past it.
    var beside = FilesBeside(
      directory, manifest, number: manifest.number, current: manifest, pool: pool)
    let files = try beside.find(word)
    digests.know(beside.digests)
    try digests.look(at: Set(files.map(\.sequence)))
    try digests.look(atAll: files)
    for file in files {
      let look = try digests.look(at: file)
      if let look, !look.found.isEmpty || look.isUnsure {
        finding.names.insert(ByteText(file.name))
        if !look.found.isEmpty { finding.returned[ByteText(file.name)] = look.found }
      }
      // Whatever else it leads to has been put on record.
      if file.isDropped { continue }
      switch try digests.compare(file) {
      case .listed:
        if let first = file.entry?.firstSequence, first <= file.sequence, !file.isReplaced {
          finding.listed[ByteText(file.name)] = first...file.sequence
        }
      case .unknown: finding.names.insert(ByteText(file.name))
      case .later:
        finding.names.insert(ByteText(file.name))
        guard isProof(file), finding.outdated == nil else { continue }
        finding.outdated = .outdatedCurrent(
          "\(file.name) leads to event \(file.sequence)", end: try digests.lastSequence(),
          in: directory)
      case .other:
        finding.names.insert(ByteText(file.name))
        guard isProof(file), file.canContradict, finding.outdated == nil else { continue }
        finding.outdated = .contradictedCurrent(file, in: directory)
      }
    }
    finding.names.formUnion(beside.unread)
    finding.faults = beside.faults
    finding.names.formUnion(beside.faults.keys)
    if finding.outdated == nil, !manifest.isBackup { finding.outdated = try surpassed(by: word) }
    // Whoever took a step meanwhile left what this looked for.
    if finding.outdated != nil, try HeldManifest.readCurrent(directory) != held.current {
      finding.outdated = nil
    }
    return finding
  }

  /// Whether a file shows that the list is out of date where that does not lead to its events. A backup is copied before its list is
  /// made; the list of a ledger, and a segment that was appended to, are none of its files: it was put over that ledger.
  private func isProof(_ file: FileBeside) -> Bool {
    guard file.isProof, manifest.isBackup else { return file.isProof }
    if let other = file.manifest { return !other.isBackup }
    return file.entry?.isRun == false && LedgerNames.closedEnd(file.name) == nil
  }

  /// Whether LOCK names a later event in a segment that the list does not append to.
  private mutating func surpassed(by word: DurableEnd?) throws(LedgerError) -> LedgerError? {
    guard let word, word.segment != manifest.active.segment,
      try digests.isBeyond(word.sequence)
    else { return nil }
    return .outdatedCurrent(word, end: try digests.lastSequence(), in: directory)
  }
}
