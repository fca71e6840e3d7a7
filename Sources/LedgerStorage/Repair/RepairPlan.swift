import LedgerCore
import LedgerFormat

/// What a repair is going to do, or did.
package struct RepairPlan: Sendable {
  /// What is repaired.
  package enum Part: Sendable, Equatable {
    /// The file LOCK is made anew.
    case lock
    /// CURRENT or the manifest: the list of files is that of an older manifest, or what the files say themselves.
    case manifest(from: UInt64?)
    /// A file of another list with other events: it is kept aside, and no longer part of the ledger.
    case dropped
    /// A segment: what is intact of it goes into a new one.
    case segment
    /// A snapshot is no longer used.
    case snapshot
    /// A segment holds events that are counted as lost: they take their place again.
    case returned
    /// What was moved aside earlier is gone or altered, which is put on record.
    case aside
    /// A manifest or segment that nothing names: it is moved aside as it is. Or what an earlier repair kept aside, and no record names.
    case unnamed

    var isManifest: Bool { if case .manifest = self { true } else { false } }
  }

  package struct Step: Sendable {
    package var part: Part
    /// The name of the file inside the ledger's folder.
    package var file: String
    /// What is wrong with it.
    package var problem: String
    /// How many events of it are kept; nil where it holds none.
    package var keptEvents: UInt64?
    /// The events that are lost, where their numbers are known; of a baseline, those that may be.
    package var lost = SequenceRanges()
    /// Whether these were folded: of what still counted of them a part is lost, or all.
    package var isOfFolded = false
    /// How many of them still counted before; nil where that cannot be told.
    package var countedEvents: UInt64?
    /// The acknowledged events of a file of another list that the ledger has not.
    package var dropped = SequenceRanges()
    /// The events of a file that nothing names, of which nobody can tell whether they were acknowledged.
    package var unproven = SequenceRanges()
    /// The events of a file that were counted as lost, and are part of the ledger again.
    package var returned = SequenceRanges()
    /// The end of a segment of which some events returned and others did not, where the log digest there is none of events.
    var unboundEnd: UInt64?
    /// The last event that is known of, where others may be lost behind it.
    package var uncertainAfter: UInt64?
    /// Whether it is the segment of which an earlier repair could not tell how many events it held.
    var tellsEnd = false
    /// Where its bytes are kept; nil where there are none.
    package var aside: String?
    /// Their length and digest.
    package var bytes: UInt64 = 0
    package var digest: Digest?
    /// The file that holds what is kept, where it has another name than the manifest says.
    package var foundIn: String?
    /// How many tasks a snapshot holds that is no longer used.
    package var tasks: UInt64?
    /// How many events are lost; nil where that cannot be told.
    package var lostEvents: UInt64? {
      guard isOfFolded else { return lost.count }
      return countedEvents.map { $0 - min($0, keptEvents ?? 0) }
    }
    /// The manifest's entry of the segment.
    var entry: SegmentEntry?
    /// Whether it is moved aside, as what is no file, or what nothing names, rather than copied.
    var isMoved: Bool { aside != nil && (digest == nil || part == .unnamed) }
  }

  /// In the order in which they are done; empty when there is nothing to do.
  package var steps: [Step] = []
  /// The manifest to start from; nil where there is nothing to do.
  var base: Manifest?
  /// The number of the manifest that is written.
  var number: UInt64 = 0
  /// What takes the place of lost events, by the list's entry of their segment.
  var returned: [SegmentEntry: [Returned]] = [:]
  /// The snapshots that are still used.
  var snapshots: [SnapshotEntry] = []
  /// The last event that LOCK tells of, where the files do not lead to it.
  var witness: UInt64?
  /// The files that nothing names, with events of which nobody can tell whether they were acknowledged.
  var unproven: [OtherSide.File] = []
  /// Whether the ledger goes on as another replica: it may be a backup whose list of files is lost.
  package var isNewReplica = false
  /// What is wrong with files that no list names and that stay as they are: they cannot be read, or are another ledger's.
  package var leftAlone: [LedgerError] = []
  /// The files that nobody removes: these, and those with events that the list lacks.
  var kept: Set<ByteText> = []
  /// The events that were counted as lost before, and still are; folded ones apart.
  package var lostBefore = SequenceRanges()
  /// How many acknowledged events of another list the ledger has not.
  package var droppedEvents: UInt64 = 0
  /// How many tasks would exist; nil where neither a state nor what was folded is lost.
  package var tasks: UInt64?

  /// The events that are lost, as far as their numbers are known.
  package var lost: SequenceRanges {
    steps.reduce(into: SequenceRanges()) { $0.formUnion($1.lost) }
  }
  /// The last event that is known of, where others may be lost behind it.
  package var uncertainAfter: UInt64? { steps.compactMap(\.uncertainAfter).first }
  /// The first event that is lost, or may be; nil where none is.
  var firstLost: UInt64? {
    steps.compactMap { step -> UInt64? in
      if let entry = step.entry, entry.kind == .baseline, step.foundIn == nil,
        returned[entry] == nil
      {
        return 1
      }
      return step.lost.ranges.first?.lowerBound ?? step.uncertainAfter.map { $0 + 1 }
    }.min()
  }
}

/// What a repair leaves on record.
enum RepairRecord {
  static let kind = "repaired"
  /// The detail that names a file which was moved aside earlier and is gone.
  static let forgotten = "forgotten"
  /// The detail that names the last event known of, where others may be lost behind it.
  static let uncertainAfter = "uncertainAfter"
  /// The detail that names the last event of a segment that is back, of which it could not be told before.
  static let knownEnd = "knownEnd"
  /// The detail that names the events of a file of another list, which is not part of the ledger any more.
  static let dropped = "dropped"
  /// The detail that names where the bytes of a file are kept.
  static let aside = "aside"
  /// The detail that names the end of a segment of which some events returned, where the log digest is none of events.
  private static let unboundEnd = "unboundEnd"
  private static let lost = "lost"
  private static let lostOfFolded = "lostOfFolded"
  /// Of many ranges so many are told; the segment's entry has all.
  private static let rangesMax = 16

  static func record(
    _ step: RepairPlan.Step, follows: UInt64, time: LedgerTime
  ) -> MaintenanceRecord {
    var details: [MaintenanceRecord.Detail] = [
      .init("file", step.file), .init("problem", step.problem),
    ]
    if let kept = step.keptEvents { details.append(.init("kept", String(kept))) }
    if !step.lost.isEmpty {
      let name = step.isOfFolded ? lostOfFolded : lost
      details.append(.init(name, step.lost.text(atMost: rangesMax)))
      if let count = step.lostEvents { details.append(.init("lostEvents", String(count))) }
    }
    if step.part == .dropped {
      let isEmpty = step.dropped.isEmpty
      details.append(.init(dropped, isEmpty ? "none" : step.dropped.text(atMost: rangesMax)))
      details.append(.init("droppedEvents", String(step.dropped.count)))
    }
    if !step.unproven.isEmpty {
      details.append(.init("unproven", step.unproven.text(atMost: rangesMax)))
    }
    if step.part == .returned {
      details.append(.init("returned", step.returned.text(atMost: rangesMax)))
      details.append(.init("returnedEvents", String(step.returned.count)))
      if step.tellsEnd, let last = step.returned.ranges.last?.upperBound {
        details.append(.init(knownEnd, String(last)))
      }
    }
    if let last = step.unboundEnd { details.append(.init(unboundEnd, String(last))) }
    if let last = step.uncertainAfter { details.append(.init(uncertainAfter, String(last))) }
    if case .manifest(let source) = step.part {
      details.append(.init("from", source.map(LedgerNames.manifest) ?? "the segments"))
    }
    if let file = step.foundIn { details.append(.init("foundIn", file)) }
    if let tasks = step.tasks { details.append(.init("tasks", String(tasks))) }
    if step.part == .aside { details.append(.init(forgotten, step.file)) }
    if let aside = step.aside {
      if let digest = step.digest {
        details.append(.init("bytes", String(step.bytes)))
        details.append(.init("sha256", digest.hex))
      }
      details.append(.init(Self.aside, aside))
    }
    return MaintenanceRecord(kind: kind, follows: follows, time: time, details: details)
  }

  /// The ends of segments of which some events returned, where the log digest is none of events.
  static func unboundEnds(in manifest: Manifest) -> [UInt64] {
    manifest.records.lazy.filter { $0.kind == kind }
      .compactMap { $0.detail(unboundEnd).flatMap { UInt64($0) } }
  }

  /// Whether a record is that of a repair that found events lost.
  static func isLoss(_ record: MaintenanceRecord) -> Bool {
    record.kind == kind && (record.detail(lost) != nil || record.detail(lostOfFolded) != nil)
  }

  /// The files whose bytes a repair has put aside: what is left of them where they were need not be kept.
  static func filesPutAside(in manifest: Manifest) -> Set<ByteText> {
    files(in: manifest, with: aside)
  }

  /// The files of other lists that repairs have dropped, by their names in the ledger's folder. Their bytes are kept.
  static func droppedFiles(in manifest: Manifest) -> Set<ByteText> {
    files(in: manifest, with: dropped)
  }

  /// The files that the records of repairs with a certain detail are about.
  private static func files(in manifest: Manifest, with detail: String) -> Set<ByteText> {
    Set(
      manifest.records.lazy.filter { $0.kind == kind && $0.detail(detail) != nil }
        .compactMap { $0.detail("file").map(ByteText.init) })
  }
}

extension MaintenanceRecord {
  /// The last event that was known of when a repair found that others may be lost behind it; nil where none did, or the segment is back
  /// since.
  static func uncertainEnd(in manifest: Manifest) -> UInt64? {
    var end: UInt64?
    for record in manifest.records where record.kind == RepairRecord.kind {
      if record.detail(RepairRecord.knownEnd) != nil { end = nil }
      if let last = record.detail(RepairRecord.uncertainAfter) { end = UInt64(last) }
    }
    return end
  }

  /// Whether a repair that leaves this record found events of a segment of frames lost, or could not tell how many it held.
  func isOfLoss(in entry: SegmentEntry) -> Bool {
    isOfUncertainEnd(entry) || (isOf(entry) && RepairRecord.isLoss(self))
  }

  /// Whether a repair that leaves this record could not tell how many events a segment of frames held.
  func isOfUncertainEnd(_ entry: SegmentEntry) -> Bool {
    kind == RepairRecord.kind && detail(RepairRecord.uncertainAfter) != nil && isOf(entry)
  }

  /// Whether it is about a segment of frames.
  private func isOf(_ entry: SegmentEntry) -> Bool {
    let name = LedgerNames.activeSegment(first: entry.firstSequence, segment: entry.segment)
    return detail("file")?.hasSameBytes(as: LedgerNames.inSegments(name)) ?? false
  }
}
