import LedgerCore
import LedgerFormat

/// A snapshot that the manifest names: what is not named there is never read.
///
/// The manifest says which bytes a snapshot has, and thereby which log digest it was made at. Where the log went back to an
/// older state, so did the manifest with it, and newer snapshots are unknown again.
package struct SnapshotEntry: Hashable, Sendable {
  /// The name of the file inside the folder `snapshots`.
  package var file: String
  /// The last event that it stands for.
  package var sequence: UInt64
  /// The checksum of its footer, which stands for all its bytes.
  package var checksum: UInt64

  package init(file: String, sequence: UInt64, checksum: UInt64) {
    self.file = file
    self.sequence = sequence
    self.checksum = checksum
  }

  /// The kind of the one maintenance record that names all snapshots.
  package static let recordKind = "snapshots"

  /// The snapshots that a manifest names, in order of sequence; what is no name of one is passed over, and so are those of
  /// before the horizon, which serve no moment that can be asked for.
  package static func all(in manifest: Manifest) -> [SnapshotEntry] {
    guard let record = manifest.records.last(where: { $0.kind == recordKind }) else { return [] }
    let entries = record.details.compactMap { detail -> SnapshotEntry? in
      guard let sequence = LedgerNames.snapshotSequence(detail.name),
        let checksum = UInt64(detail.value, radix: 16)
      else { return nil }
      return SnapshotEntry(file: detail.name, sequence: sequence, checksum: checksum)
    }
    let horizon = Horizon(manifest)?.sequence ?? 0
    return entries.filter { $0.sequence >= horizon }.sorted { $0.sequence < $1.sequence }
  }

  /// Puts the record of these snapshots in the place of the one before.
  static func record(
    _ entries: [SnapshotEntry], in records: inout [MaintenanceRecord], follows: UInt64,
    time: LedgerTime
  ) {
    records.removeAll { $0.kind == recordKind }
    records.append(
      MaintenanceRecord(
        kind: recordKind, follows: follows, time: time,
        details: entries.map { .init($0.file, hex($0.checksum)) }))
  }
}
