import LedgerCore
import LedgerFormat

/// What is known of a snapshot without comparing it with the events.
package struct SnapshotReport: Sendable {
  package var entry: SnapshotEntry
  /// How many tasks exist in it; nil where it cannot be used.
  package var tasks: UInt64?
  package var bytes: UInt64
  /// Why it cannot be used.
  package var problem: LedgerError?
}

extension LogView {
  /// What is known of the snapshots that are there, in order of sequence.
  package func snapshotReports() -> [SnapshotReport] {
    SnapshotEntry.all(in: manifest).compactMap { entry in
      let name = LedgerNames.inSnapshots(entry.file)
      guard let status = try? directory.status(name) else { return nil }
      var report = SnapshotReport(entry: entry, bytes: status.size)
      do throws(LedgerError) {
        let file = try SnapshotFile(
          entry, manifest, in: directory, pool: pool, through: lastSequence)
        try file.checkBlocks(pool)
        report.tasks = file.footer.state?.tasks
      } catch {
        report.problem = error
      }
      return report
    }
  }
}
