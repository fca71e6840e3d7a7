import LedgerFormat
import LedgerStorage

/// What a ledger consists of.
public struct LedgerStatistics: Sendable {
  /// One file of events.
  public struct Segment: Sendable {
    /// `sealed`, `frozen` (complete, waiting to be sealed) or `active` (being appended to).
    public var kind: String
    /// Its name inside the ledger's folder.
    public var file: String
    /// The sequence number of its first event.
    public var firstSequence: UInt64
    /// How many events it holds.
    public var events: UInt64
    /// Its length in bytes, zeros that wait to be overwritten included.
    public var bytes: UInt64
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
  /// How many events it holds.
  public var events: UInt64
  /// The newest time of any event; nil in an empty ledger.
  public var newest: LedgerTime?
  /// The segments, in order.
  public var segments: [Segment]
  /// What maintenance was done, in order.
  public var maintenance: [Maintenance]
}

extension Ledger {
  /// What the ledger consists of, without reading its events.
  ///
  /// - Throws: ``LedgerError`` with code `damaged` or `io` when the ledger cannot be read.
  public func statistics() throws(LedgerError) -> LedgerStatistics {
    let view = try currentView()
    let manifest = view.manifest
    var segments: [LedgerStatistics.Segment] = []
    for entry in manifest.segments {
      let name = LedgerNames.inSegments(entry.file)
      let events = entry.kind == .active ? view.active.eventCount : entry.eventCount
      segments.append(
        LedgerStatistics.Segment(
          kind: "\(entry.kind)", file: name, firstSequence: entry.firstSequence, events: events,
          bytes: try view.byteCount(of: entry)))
    }
    return LedgerStatistics(
      ledger: manifest.ledger.description, replica: manifest.replica.description,
      events: view.lastSequence, newest: view.newest?.time, segments: segments,
      maintenance: manifest.records.map { record in
        LedgerStatistics.Maintenance(
          kind: record.kind, follows: record.follows, time: record.time,
          details: record.details.map { ($0.name, $0.value) })
      })
  }
}
