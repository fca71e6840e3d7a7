import LedgerCore
import LedgerFormat

/// Where the files of segments lie that have another name than the manifest gives them: they are known by what they hold.
///
/// A sorted run is known by its length and the checksum of its footer, which covers all of it; frames by the random id of their
/// segment.
final class SegmentWhereabouts: Sendable {
  private struct Run: Hashable {
    var size: UInt64
    var checksum: UInt64
  }

  private struct Index: Sendable {
    var runs: [Run: [String]] = [:]
    var frames: [UInt64: [String]] = [:]
  }

  private let directory: any LedgerDirectory
  private let ledger: ReplicaID
  private let index = Guarded<Index?>(nil)

  init(_ directory: any LedgerDirectory, ledger: ReplicaID) {
    self.directory = directory
    self.ledger = ledger
  }

  /// The name in the folder `segments` of a file that looks like that of an entry and has not its name; nil where there is none.
  func file(of entry: SegmentEntry) throws(LedgerError) -> String? {
    let index = try known()
    let files =
      entry.isRun
      ? index.runs[Run(size: entry.end, checksum: entry.checksum)] : index.frames[entry.segment]
    return files?.first { !$0.hasSameBytes(as: entry.file) }
  }

  private func known() throws(LedgerError) -> Index {
    if let known = index.withLock({ $0 }) { return known }
    var made = Index()
    for file in try directory.listIfThere(LedgerNames.segments) { note(file, in: &made) }
    index.withLock { $0 = made }
    return made
  }

  private func note(_ file: String, in index: inout Index) {
    do throws(LedgerError) {
      try FileSource(directory, LedgerNames.inSegments(file)).withFile {
        (opened) throws(LedgerError) in
        let size = try opened.size()
        let tail = UInt64(RunFooter.tailByteCount)
        if size > tail {
          var reader = ByteReader(try opened.read(at: size - tail, count: Int(tail)))
          _ = try reader.u32()
          index.runs[Run(size: size, checksum: try reader.u64()), default: []].append(file)
        }
        guard size >= UInt64(ActiveHeader.byteCount) else { return }
        let header = try ActiveHeader(try opened.read(at: 0, count: ActiveHeader.byteCount))
        if header.ledger == ledger { index.frames[header.segment, default: []].append(file) }
      }
    } catch {
      // What is neither is not looked for, and one that nobody may read cannot help.
    }
  }
}
