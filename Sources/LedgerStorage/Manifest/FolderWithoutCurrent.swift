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
/// done again. A ledger that lost its CURRENT holds events, or what no creation makes: a later manifest, a snapshot, a segment that
/// does not begin with the first event, or is closed. A restoration keeps what is to
/// become CURRENT, and the first manifest, beside the files that it copies; both are durable before it makes any of these.
///
/// Others may be making a ledger there meanwhile: where what was listed is gone a moment later, all is looked at anew. Whether there
/// is a CURRENT by then is the caller's to ask.
enum FolderWithoutCurrent: Equatable {
  /// Nothing, or no more than an interrupted creation leaves, which can be removed.
  case unfinished(leftovers: [String])
  /// What an interrupted restoration leaves, which can be removed: what is in folders first, then what it is known by.
  case unfinishedRestoration(leftovers: [String])
  /// Parts of a ledger.
  case ledger
  /// Something else.
  case foreign

  private static let looksMax = 100

  init(_ directory: any LedgerDirectory) throws {
    for _ in 1..<Self.looksMax {
      do {
        self = try Self(lookingAt: directory)
        return
      } catch let error as LedgerError where error.code == .notFound {}
    }
    self = try Self(lookingAt: directory)
  }

  private init(lookingAt directory: any LedgerDirectory) throws {
    let names = try directory.list("")
    guard let segments = try Self.segments(names, directory) else {
      self = names.contains(where: Self.isLaterManifest) ? .ledger : .foreign
      return
    }
    if let leftovers = try UnfinishedRestoration(directory, names)?.leftovers {
      self = .unfinishedRestoration(leftovers: leftovers)
      return
    }
    let ours: Set<String> = [
      LedgerNames.lock, LedgerNames.segments, LedgerNames.currentDraft, LedgerNames.manifest(1),
    ]
    if try names.contains(where: Self.isLaterManifest) || Self.holdsSnapshots(names, directory)
      || segments.contains(where: {
        try !LedgerNames.isFirstActive($0) || directory.holdsFrames($0)
      })
    {
      self = .ledger
    } else if try names.allSatisfy({ try ours.contains($0) || Self.isEmptyAside($0, directory) }) {
      let folders = [LedgerNames.lock, LedgerNames.segments, LedgerNames.aside]
      let others = names.filter { !folders.contains($0) }
      self = .unfinished(leftovers: segments + others)
    } else {
      self = .foreign
    }
  }

  private static func holdsSnapshots(
    _ names: [String], _ directory: any LedgerDirectory
  ) throws -> Bool {
    guard names.contains(LedgerNames.snapshots) else { return false }
    do {
      return try directory.list(LedgerNames.snapshots).contains(where: LedgerNames.isSnapshot)
    } catch let error as LedgerError where error.systemError == ENOTDIR {
      return false
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
      return try directory.list(LedgerNames.segments)
        .filter { directory.segmentKind(of: $0) != nil }.map(LedgerNames.inSegments)
    } catch let error as LedgerError where error.systemError == ENOTDIR {
      return nil
    }
  }

  /// Whether it is a folder `aside` with nothing in it: an interrupted restoration cannot take that away again.
  private static func isEmptyAside(
    _ name: String, _ directory: any LedgerDirectory
  ) throws -> Bool {
    guard name == LedgerNames.aside else { return false }
    do {
      return try directory.list(name).isEmpty
    } catch let error as LedgerError where error.systemError == ENOTDIR {
      return false
    }
  }
}

extension LedgerDirectory {
  /// Whether a file is anything but the header of an active segment with zeros behind it.
  func holdsFrames(_ name: String) throws -> Bool {
    let file = try open(name, .read)
    defer { file.close() }
    let (start, end) = (UInt64(ActiveHeader.byteCount), try file.size())
    return try start < end && !FileStretch(file: file, range: start..<end).isAllZero()
  }
}
