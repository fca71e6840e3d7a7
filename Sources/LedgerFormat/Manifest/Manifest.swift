import LedgerCore

/// Which files are the ledger now, and what maintenance was done to it.
///
/// Invariants:
/// - the segments follow each other without gap or overlap from sequence number 1, and each starts with the log digest
///   with which the one before it ends;
/// - a baseline comes first, where there is one; then sealed and salvaged segments, then frozen ones, and the last is the active
///   one, the only one;
/// - sealed and frozen segments hold events; of the active one neither number nor end are known here;
/// - of a salvaged segment some events are lost, or were and are there again; of a baseline some may be; where all are, there is no file;
/// - file names are plain names inside the folder `segments`.
package struct Manifest: Hashable, Sendable {
  /// No file of a manifest is longer: segments by the hundred thousand.
  package static let bytesMax = 256 << 20

  package var ledger: ReplicaID
  /// It grows by one with each step.
  package var number: UInt64
  /// The replica that makes this ledger's events.
  package var replica: ReplicaID
  /// The segments in order of sequence.
  package var segments: [SegmentEntry]
  /// What was done to the ledger beside appending events.
  package var records: [MaintenanceRecord]

  package init(
    ledger: ReplicaID, number: UInt64, replica: ReplicaID, segments: [SegmentEntry],
    records: [MaintenanceRecord]
  ) {
    self.ledger = ledger
    self.number = number
    self.replica = replica
    self.segments = segments
    self.records = records
  }

  /// The segment that is being appended to.
  package var active: SegmentEntry { segments[segments.count - 1] }

  /// The events that are lost, as far as their numbers are known; what is left of folded ones may be among them.
  package var lost: SequenceRanges {
    segments.reduce(into: SequenceRanges()) { $0.formUnion($1.lost) }
  }

  /// What is lost of folded events; nil where nothing is.
  package var foldedLoss: FoldedLoss? {
    guard let baseline = segments.first, baseline.kind == .baseline, !baseline.lost.isEmpty else {
      return nil
    }
    return FoldedLoss(baseline.lost, isComplete: !baseline.hasFile)
  }

  /// The last event that was folded; 0 where none was.
  package var foldedThrough: UInt64 {
    segments.first.map { $0.kind == .baseline ? $0.lastSequence : 0 } ?? 0
  }

  /// The sequence number of the last event outside the active segment.
  package var lastFixedSequence: UInt64 { active.firstSequence - 1 }
}

/// One segment of a manifest.
package struct SegmentEntry: Hashable, Sendable {
  package enum Kind: UInt8, Sendable {
    /// What is left of events that were folded.
    case baseline = 0
    /// A sorted run.
    case sealed = 1
    /// Frames, complete, waiting to be sealed.
    case frozen = 2
    /// Frames, being appended to.
    case active = 3
    /// A sorted run of what could be saved of a damaged segment, and what came back since.
    case salvaged = 4
  }

  package var kind: Kind
  /// The name of the file inside `segments`.
  package var file: String
  /// The random id of frozen and active segments; 0 for sealed ones.
  package var segment: UInt64
  package var firstSequence: UInt64
  /// The number of events, of a baseline and a salvaged segment those that it stands for; 0 for the active segment, which counts
  /// its own.
  package var eventCount: UInt64
  /// Sealed and baseline: the length of the file. Frozen: where the last frame ends. Active: where the first frame starts.
  package var end: UInt64
  /// Sealed and baseline: the checksum of the footer. Frozen: of the last frame. Active: of the header.
  package var checksum: UInt64
  package var digestBefore: Digest
  /// The same as before for the active segment.
  package var digestAfter: Digest
  /// The count of the ledger's own replica after the last event; before the first for the active segment.
  package var ownCount: UInt64
  /// The newest stamp among the events, lost ones included; nil for the active segment.
  package var newest: Stamp?
  /// The events that a repair found lost; of a baseline some of what was left of them.
  package var lost: SequenceRanges

  package init(
    kind: Kind, file: String, segment: UInt64, firstSequence: UInt64, eventCount: UInt64,
    end: UInt64, checksum: UInt64, digestBefore: Digest, digestAfter: Digest, ownCount: UInt64,
    newest: Stamp?, lost: SequenceRanges = SequenceRanges()
  ) {
    self.kind = kind
    self.file = file
    self.segment = segment
    self.firstSequence = firstSequence
    self.eventCount = eventCount
    self.end = end
    self.checksum = checksum
    self.digestBefore = digestBefore
    self.digestAfter = digestAfter
    self.ownCount = ownCount
    self.newest = newest
    self.lost = lost
  }

  package var lastSequence: UInt64 { firstSequence + eventCount - 1 }

  /// The log digest before the first event.
  package var logDigestBefore: LogDigest {
    LogDigest(value: digestBefore, sequence: firstSequence - 1)
  }

  /// The log digest after the last event; of the active segment the same as before.
  package var logDigestAfter: LogDigest { LogDigest(value: digestAfter, sequence: lastSequence) }

  /// Whether its file is a run, which never changes.
  package var isRun: Bool { kind == .sealed || kind == .baseline || kind == .salvaged }

  /// Whether there is a file: where all events are lost, there is none.
  package var hasFile: Bool { !file.isEmpty }

  /// What messages call it, also those that refuse numbers whose sum is none.
  package var title: String {
    hasFile
      ? file
      : "the lost segment of events \(firstSequence) to \(firstSequence &+ eventCount &- 1)"
  }
}

/// Something that was done to a ledger: named, dated, tied to the sequence number that it follows.
package struct MaintenanceRecord: Hashable, Sendable {
  /// What was done, such as `created` or `tail-moved-aside`.
  package var kind: String
  /// The sequence number of the last event when it was done.
  package var follows: UInt64
  package var time: LedgerTime
  /// Names and values for people and programs.
  package var details: [Detail]

  package struct Detail: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(kind: String, follows: UInt64, time: LedgerTime, details: [Detail] = []) {
    self.kind = kind
    self.follows = follows
    self.time = time
    self.details = details
  }
}
