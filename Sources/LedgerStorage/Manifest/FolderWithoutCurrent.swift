import LedgerCore
import LedgerFormat

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a folder without a file CURRENT is.
///
/// A ledger is made with CURRENT last: an interrupted creation leaves everything else that an empty ledger consists of, and is
/// done again. A ledger that lost its CURRENT holds events, or a manifest that no creation makes.
enum FolderWithoutCurrent: Equatable {
  /// Nothing, or no more than an interrupted creation leaves, which can be removed.
  case unfinished(leftovers: [String])
  /// Parts of a ledger.
  case ledger
  /// Something else.
  case foreign

  init(_ directory: any LedgerDirectory) throws {
    let names = try directory.list("")
    guard let segments = try Self.segments(names, directory) else {
      self = names.contains(where: Self.isLaterManifest) ? .ledger : .foreign
      return
    }
    let ours: Set<String> = [
      LedgerNames.lock, LedgerNames.segments, LedgerNames.currentDraft, LedgerNames.manifest(1),
    ]
    if try names.contains(where: Self.isLaterManifest)
      || segments.contains(where: { try Self.holdsEvents($0, directory) })
    {
      self = .ledger
    } else if names.allSatisfy(ours.contains) {
      let others = names.filter { $0 != LedgerNames.lock && $0 != LedgerNames.segments }
      self = .unfinished(leftovers: segments + others)
    } else {
      self = .foreign
    }
  }

  private static func isLaterManifest(_ name: String) -> Bool {
    LedgerNames.manifestNumber(name).map { $0 > 1 } ?? false
  }

  /// The files of segments; nil where something else than a folder has that name.
  private static func segments(
    _ names: [String], _ directory: any LedgerDirectory
  ) throws -> [String]? {
    guard names.contains(LedgerNames.segments) else { return [] }
    do {
      return try directory.list(LedgerNames.segments).filter(LedgerNames.isSegment)
        .map(LedgerNames.inSegments)
    } catch let error as LedgerError where error.systemError == ENOTDIR {
      return nil
    }
  }

  /// Whether a file is anything but a header with zeros behind it.
  private static func holdsEvents(
    _ file: String, _ directory: any LedgerDirectory
  ) throws -> Bool {
    let file = try directory.open(file, .read)
    defer { file.close() }
    let (start, end) = (UInt64(ActiveHeader.byteCount), try file.size())
    return try start < end && !FileStretch(file: file, range: start..<end).isAllZero()
  }
}
