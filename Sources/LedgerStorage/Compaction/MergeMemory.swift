import LedgerCore
import LedgerFormat

/// What reading a segment for a merge takes in memory: its tables and its largest block.
enum MergeMemory {
  /// The most that the segments of one merge may take together.
  static let bytesMax = 128 << 20
  /// The most segments of one merge, each of which has tables and a block in memory.
  static let segmentsMax = 256

  static func bytes(_ run: SealedRun) -> Int {
    let block = run.index.entries.reduce(0) { max($0, $1.rawLength) }
    let (sum, overflow) = block.addingReportingOverflow(
      Int(clamping: run.footer.tables.rawLength))
    return overflow ? .max : sum
  }
}
