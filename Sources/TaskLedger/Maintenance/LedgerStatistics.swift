import LedgerFormat
import LedgerStorage

/// What a ledger consists of.
public struct LedgerStatistics: Sendable {
  /// One file of events.
  public struct Segment: Sendable {
    /// `sealed`, `frozen` (complete, waiting to be sealed), `active` (being appended to), `baseline` (what is left of folded
    /// history) or `salvaged` (what a repair saved of a damaged one).
    public var kind: String
    /// Its name inside the ledger's folder; empty where all of it is lost.
    public var file: String
    /// The sequence number of its first event.
    public var firstSequence: UInt64
    /// How many events it holds.
    public var events: UInt64
    /// The sequence numbers of the events that are lost; of a baseline, of those that may be.
    public var lost: SequenceRanges
    /// Its length in bytes, zeros that wait to be overwritten included.
    public var bytes: UInt64
    /// How many of them are used: fewer than all only in a segment that is appended to, or waits to be sealed.
    public var usedBytes: UInt64
  }

  /// A state on disk from which reading can start.
  public struct Snapshot: Sendable {
    /// Its name inside the ledger's folder.
    public var file: String
    /// The last event that it stands for.
    public var sequence: UInt64
    /// How many tasks exist in it; nil where it is not used.
    public var tasks: UInt64?
    /// Its length in bytes.
    public var bytes: UInt64
    /// Why it is not used; nil where it is.
    public var problem: LedgerError?
  }

  /// Something that was done to the ledger beside appending events.
  public struct Maintenance: Sendable {
    /// What was done, such as `created` or `tail-moved-aside`.
    public var kind: String
    /// The sequence number of the last event when it was done.
    public var follows: UInt64
    /// When it was done.
    public var time: LedgerTime
    /// Names and values.
    public var details: [(name: String, value: String)]
  }

  /// The id of the ledger.
  public var ledger: String
  /// The id of the replica that makes its events.
  public var replica: String
  /// How many events it holds, lost ones included.
  public var events: UInt64
  /// The newest time of any event; nil in an empty ledger.
  public var newest: LedgerTime?
  /// The segments, in order.
  public var segments: [Segment]
  /// The snapshots, in order.
  public var snapshots: [Snapshot]
  /// What maintenance was done, in order.
  public var maintenance: [Maintenance]
}

extension Ledger {
  /// What the ledger consists of, without reading its events.
  ///
  /// - Throws: ``LedgerError`` with code `damaged` or `io` when the ledger cannot be read, or a file has another length than it should.
  public func statistics() throws(LedgerError) -> LedgerStatistics {
    let view = try currentView()
    let manifest = view.manifest
    let frames = Dictionary(
      view.frameSegments.map { ($0.entry.segment, $0) }, uniquingKeysWith: { $1 })
    var segments: [LedgerStatistics.Segment] = []
    for entry in manifest.segments {
      let bytes = try view.byteCount(of: entry)
      let name = entry.hasFile ? LedgerNames.inSegments(entry.file) : ""
      let events = entry.kind == .active ? view.active.eventCount : entry.eventCount
      segments.append(
        LedgerStatistics.Segment(
          kind: "\(entry.kind)", file: name, firstSequence: entry.firstSequence,
          events: entry.kind == .salvaged ? events - entry.lost.count : events, lost: entry.lost,
          bytes: bytes, usedBytes: min(bytes, frames[entry.segment]?.end ?? bytes)))
    }
    return LedgerStatistics(
      ledger: manifest.ledger.description, replica: manifest.replica.description,
      events: view.lastSequence, newest: view.newest?.time, segments: segments,
      snapshots: view.snapshotReports().map(LedgerStatistics.Snapshot.init),
      maintenance: manifest.records.filter { $0.kind != SnapshotEntry.recordKind }.map { record in
        LedgerStatistics.Maintenance(
          kind: record.kind, follows: record.follows, time: record.time,
          details: record.details.map { ($0.name, $0.value) })
      })
  }
}

extension LedgerStatistics.Snapshot {
  init(_ report: SnapshotReport) {
    file = LedgerNames.inSnapshots(report.entry.file)
    sequence = report.entry.sequence
    tasks = report.tasks
    bytes = report.bytes
    problem = report.problem
  }
}
