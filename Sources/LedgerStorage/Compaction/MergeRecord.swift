import LedgerCore
import LedgerFormat

/// What the manifest keeps of merges.
///
/// Invariants:
/// - a run of the policy `merge` is one record, whose numbers grow with each of its steps;
/// - merges that happen by themselves share one record, the ledger's only one of that kind: there are too many of them
///   to be kept for all time.
struct MergeRecord {
  private static let policyKind = "compacted"
  private static let tierKind = "merged-by-itself"

  private var segments = 0
  private var into = 0
  private var events: UInt64 = 0
  private var bytesBefore: UInt64 = 0
  private var bytesAfter: UInt64 = 0
  /// The record as it stands in the manifest.
  private var written: MaintenanceRecord?

  /// Records one more step of the run.
  mutating func note(
    _ group: MergePlan.Group, into merged: SegmentEntry, _ records: inout [MaintenanceRecord],
    follows: UInt64, time: LedgerTime
  ) {
    segments += group.entries.count
    into += 1
    events += group.events
    bytesBefore += group.bytes
    bytesAfter += merged.end
    let record = MaintenanceRecord(
      kind: Self.policyKind, follows: follows, time: time,
      details: [
        .init("policy", "merge"), .init("segments", String(segments)), .init("into", String(into)),
        .init("events", String(events)), .init("before", String(bytesBefore)),
        .init("after", String(bytesAfter)),
      ])
    if let written, let place = records.lastIndex(of: written) { records.remove(at: place) }
    records.append(record)
    written = record
  }

  /// Records a merge that happened by itself.
  static func noteTier(
    of old: [SegmentEntry], into merged: SegmentEntry, _ records: inout [MaintenanceRecord],
    follows: UInt64, time: LedgerTime
  ) {
    var counts: [String: UInt64] = [:]
    if let place = records.lastIndex(where: { $0.kind == tierKind }) {
      for detail in records[place].details { counts[detail.name] = UInt64(detail.value) }
      records.remove(at: place)
    }
    func total(_ name: String, adding more: UInt64) -> MaintenanceRecord.Detail {
      let (sum, overflow) = (counts[name] ?? 0).addingReportingOverflow(more)
      return .init(name, String(overflow ? .max : sum))
    }
    records.append(
      MaintenanceRecord(
        kind: tierKind, follows: follows, time: time,
        details: [
          total("merges", adding: 1), total("segments", adding: UInt64(old.count)),
          total("events", adding: merged.eventCount),
        ]))
  }
}
