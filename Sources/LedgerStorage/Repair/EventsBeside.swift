import LedgerCore
import LedgerFormat

/// The files beside a list that hold events which it counts as lost, or which its damaged segments lack.
struct EventsBeside {
  struct File {
    var file: FileBeside
    var entry: SegmentEntry
    var look: ReturnedEvents.Look
  }

  let list: ListWithLosses
  /// Those that hold the most come first.
  private(set) var files: [File] = []
  /// The names of whole ones that may hold such events, and that nothing binds to the list: they stay where they are.
  private(set) var unbound: Set<ByteText> = []
  private var returned: ReturnedEvents

  /// - Parameters:
  ///   - damaged: what is left of the damaged segments.
  ///   - number: the number of the list; nil where it was remade.
  ///   - current: the manifest that CURRENT names.
  init(
    _ directory: any LedgerDirectory, _ manifest: Manifest,
    damaged: [SegmentEntry: SegmentSalvage], number: UInt64?, current: Manifest?, pool: ZstdPool
  ) throws(LedgerError) {
    list = ListWithLosses(manifest, damaged: damaged)
    returned = ReturnedEvents(directory, list, pool: pool)
    guard !list.manifest.lost.isEmpty else { return }
    var beside = FilesBeside(
      directory, list.manifest, number: number, current: current, pool: pool)
    let found = try beside.find(DurableEnd(of: manifest.ledger, in: directory))
    try returned.look(atAll: found)
    for file in found {
      guard let entry = file.entry, let look = try returned.look(at: file) else { continue }
      if look.isUnsure, !look.isDamaged, !file.isDropped { unbound.insert(ByteText(file.name)) }
      guard !look.found.isEmpty else { continue }
      files.append(File(file: file, entry: entry, look: look))
    }
    files.sort { $0.look.found.count > $1.look.found.count }
    addUnfolded(found, SegmentExamination(directory, list.manifest, pool: pool))
  }

  /// Where no file is the baseline that is lost, it can be made anew of the segments that were folded.
  private mutating func addUnfolded(_ beside: [FileBeside], _ check: SegmentExamination) {
    guard let baseline = list.manifest.segments.first, baseline.kind == .baseline,
      !baseline.lost.isEmpty, !files.contains(where: { $0.entry.kind == .baseline }),
      let unfolded = UnfoldedSegments(beside, to: baseline.logDigestAfter, check)
    else { return }
    for file in unfolded.files {
      guard let entry = file.entry else { continue }
      let folded = SequenceRanges(entry.firstSequence...min(file.sequence, baseline.lastSequence))
      // One that reaches past the folded events may have others that are lost.
      if let place = files.firstIndex(where: { $0.file.name.hasSameBytes(as: file.name) }) {
        files[place].look.found.formUnion(folded)
        continue
      }
      var look = ReturnedEvents.Look()
      look.found = folded
      look.isComplete = true
      files.append(File(file: file, entry: entry, look: look))
    }
  }

  /// The events that some file holds.
  var found: SequenceRanges {
    files.reduce(into: SequenceRanges()) { $0.formUnion($1.look.found) }
  }

  /// Whether the log digest at the end of a segment need not be that of its events.
  func isEndMadeUp(_ entry: SegmentEntry) throws(LedgerError) -> Bool {
    try returned.isEndMadeUp(entry)
  }
}
