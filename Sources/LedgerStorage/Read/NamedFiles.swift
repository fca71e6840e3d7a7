import LedgerCore
import LedgerFormat

/// Makes sure that the files which a manifest names are there, and are files of the right length, without opening them: where a
/// snapshot answers, nobody else would miss them.
///
/// Segments of frames are opened by every reader anyway. Of very many files only the names are looked at, all at once: what else is wrong
/// with one is found by whoever reads it.
struct NamedFiles {
  private let directory: any LedgerDirectory
  /// So many files are looked at one by one.
  private static let lookedAtMax = 1000

  init(_ directory: any LedgerDirectory) { self.directory = directory }

  /// - Throws: `damaged` where a file is missing or is something else.
  func check(_ entries: [SegmentEntry]) throws(LedgerError) {
    guard entries.count <= Self.lookedAtMax else { return try checkNames(entries) }
    for entry in entries {
      let name = LedgerNames.inSegments(entry.file)
      guard let found = try LedgerError.typing({ try directory.extent(name) }) else {
        throw .missing(directory.pathOf(name))
      }
      // Opening says what stands there.
      let size = found.isFile ? found.size : try FileSource(directory, name).size()
      guard size == entry.end else {
        throw LedgerError(
          .damaged, "the file has \(size) bytes, expected \(entry.end)",
          path: directory.pathOf(name), offset: min(size, entry.end),
          hint: LedgerError.repairHint)
      }
    }
  }

  /// Both are in order, or nearly so.
  private func checkNames(_ entries: [SegmentEntry]) throws(LedgerError) {
    let names = try LedgerError.typing { try directory.list(LedgerNames.segments) }
    var all: Set<ByteText>?
    var place = 0
    for entry in entries {
      while place < names.count, precedesInBytes(names[place], entry.file) { place += 1 }
      if place < names.count, names[place].hasSameBytes(as: entry.file) { continue }
      let known = all ?? Set(names.map(ByteText.init))
      all = known
      guard known.contains(ByteText(entry.file)) else {
        throw .missing(directory.pathOf(LedgerNames.inSegments(entry.file)))
      }
    }
  }
}

extension LedgerError {
  /// A file that the manifest names is not there.
  static func missing(_ path: String) -> LedgerError {
    LedgerError(
      .damaged, "a file that the manifest names is missing", path: path, hint: repairHint)
  }
}
