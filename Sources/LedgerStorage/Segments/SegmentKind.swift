import LedgerCore
import LedgerFormat

extension FileHeader.Kind {
  /// Whether files of this kind hold events.
  fileprivate var isSegment: Bool {
    switch self {
    case .active, .sealed, .baseline, .salvaged: true
    case .current, .manifest, .snapshot, .checkpoint, .verifyPosition: false
    }
  }
}

extension LedgerDirectory {
  /// What kind of segment a file in the folder `segments` is: by its first bytes, whatever its name, and by its name where they
  /// are no segment's. Nil for any other file, and for a segment in the making.
  func segmentKind(of file: String) -> FileHeader.Kind? {
    guard !file.hasSuffix(LedgerNames.draftSuffix) else { return nil }
    let start = try? FileSource(self, LedgerNames.inSegments(file)).withFile {
      (opened) throws(LedgerError) in try opened.read(at: 0, count: FileHeader.magicByteCount)
    }
    let kind = start.flatMap { FileHeader.Kind(rawValue: String(decoding: $0, as: UTF8.self)) }
    if let kind, kind.isSegment { return kind }
    return LedgerNames.segmentKind(file)
  }
}
