import LedgerCore
import LedgerFormat

/// Opens and refreshes views of a ledger without writing anything.
package enum LogOpening {
  /// What a reader is told beside the view.
  package struct Result: Sendable {
    package var view: LogView
    /// Bytes at the end that no whole transaction claims.
    package var tail: TailScan.Tail
    package var durablePosition: UInt64
    package var durableLength: UInt64
    package var fileLength: UInt64
  }

  /// Reads CURRENT, the manifest and the unsealed segments.
  package static func open(
    _ directory: any LedgerDirectory, pool: ZstdPool
  ) throws(LedgerError) -> Result {
    try open(try HeldManifest.load(from: directory), directory, pool: pool, known: nil)
  }

  /// The same for somebody who is going to answer from it, and may never ask to write.
  ///
  /// - Throws: `damaged`, too, where a newer list of files than that of CURRENT lies beside it.
  package static func openToRead(
    _ directory: any LedgerDirectory, pool: ZstdPool
  ) throws(LedgerError) -> Result {
    let opened = try open(directory, pool: pool)
    try NewerManifests(beside: opened.view.held, in: directory, pool: pool).checkList()
    return opened
  }

  /// - Parameter known: an earlier view, of which files and frames are not read again.
  static func open(
    _ held: HeldManifest, _ directory: any LedgerDirectory, pool: ZstdPool, known: LogView?
  ) throws(LedgerError) -> Result {
    let manifest = held.manifest
    try manifest.checkIsNoUnfinishedBackup(directory.path)
    try checkSegments(directory)
    var opened: [String: SealedSegment] = [:]
    for segment in known?.sealed ?? [] { opened[segment.entry.file] = segment }
    let runs = manifest.segments.filter { $0.isRun && $0.hasFile }
    try NamedFiles(directory).check(runs.filter { opened[$0.file]?.entry != $0 })
    let sealed = runs.map { entry in
      opened[entry.file].flatMap { $0.entry == entry ? $0 : nil }
        ?? SealedSegment(entry, ledger: manifest.ledger, in: directory)
    }
    let reader = FrameSegmentReader(ledger: manifest.ledger, in: directory)
    var segments: [FrameSegment] = []
    var last: FrameSegmentReader.Result?
    for entry in manifest.segments where !entry.isRun {
      let before = known?.frameSegments.first { $0.header.segment == entry.segment }
      let read = try reader.read(entry, known: before)
      segments.append(read.segment)
      last = read
    }
    guard let last else {
      throw LedgerError(.damaged, "the manifest names no active segment", path: directory.path)
    }
    let view = LogView(
      held: held, sealed: sealed, frameSegments: segments,
      snapshots: known?.snapshots ?? SnapshotShelf(directory, pool: pool), pool: pool,
      directory: directory)
    try checkIsCurrent(view, last.durableEnd)
    return Result(
      view: view, tail: last.scan.tail, durablePosition: last.scan.durablePosition,
      durableLength: last.scan.durableLength, fileLength: last.fileLength)
  }
}

extension LogOpening {
  /// Requires the list of files to be no older than what LOCK tells of.
  private static func checkIsCurrent(
    _ view: LogView, _ word: DurableEnd?
  ) throws(LedgerError) {
    guard let word, word.segment != view.active.header.segment,
      word.sequence > view.lastSequence, !view.manifest.isBackup,
      // Otherwise others took a step since the view was begun, which is as things were then.
      try HeldManifest.readCurrent(view.directory) == view.held.current
    else { return }
    throw .outdatedCurrent(word, end: view.lastSequence, in: view.directory)
  }

  static let missingSegmentsHint =
    "mount it or put it back, or restore a backup: without it there is nothing to repair"

  /// Requires the folder of the segments to be one, and no link to one: what is written through a link is not made durable
  /// with the ledger.
  static func checkSegments(_ directory: any LedgerDirectory) throws(LedgerError) {
    do {
      try directory.open(LedgerNames.segments, .folder).close()
    } catch let error as LedgerError where error.code == .notFound {
      throw LedgerError(
        .damaged, "the folder of the segments is missing",
        path: directory.pathOf(LedgerNames.segments), hint: missingSegmentsHint)
    } catch {
      throw LedgerError.wrapping(error)
    }
  }
}

// Following what others append.
extension LogOpening {
  /// The view with what others appended since, and the bytes behind it that no whole transaction claims; the same view when
  /// nothing was appended.
  package static func refresh(
    _ view: LogView
  ) throws(LedgerError) -> (view: LogView, tail: TailScan.Tail) {
    let directory = view.directory
    guard try HeldManifest.readCurrent(directory) == view.held.current else {
      return try reopen(view, try HeldManifest.load(from: directory))
    }
    guard try hasMore(view) else { return (view, .clean) }
    return try reopen(view, view.held)
  }

  private static func reopen(
    _ view: LogView, _ held: HeldManifest
  ) throws(LedgerError) -> (view: LogView, tail: TailScan.Tail) {
    let opened = try open(held, view.directory, pool: view.pool, known: view)
    return (opened.view, opened.tail)
  }

  /// Whether the active segment goes on after the view, or what the view ends with is no longer there.
  private static func hasMore(_ view: LogView) throws(LedgerError) -> Bool {
    let source = FileSource(view.directory, LedgerNames.inSegments(view.active.entry.file))
    return try source.withFile { (source) throws(LedgerError) in
      if let last = view.active.frames.last, try !last.isStill(in: source.file) { return true }
      let end = view.active.end
      let size = try source.size()
      // Shorter than what was read of it: reading it again says so.
      guard size >= end else { return true }
      return try source.read(at: end, count: Int(min(8, size - end))).contains { $0 != 0 }
    }
  }

  /// How often what looks like damage is read again while somebody is appending.
  private static let rereadsMax = 3

  /// Reads again what looks like damage: a read is not atomic, and one that several appends overtake can see the last of them
  /// without the first. What is damaged is so when nobody appends, too.
  static func rereading<R>(
    _ directory: any LedgerDirectory, _ read: () throws(LedgerError) -> R
  ) throws(LedgerError) -> R {
    for _ in 0..<rereadsMax {
      do throws(LedgerError) {
        return try read()
      } catch {
        guard error.code == .damaged else { throw error }
      }
      if let rest = FolderAtRest(directory) {
        defer { rest.end() }
        return try read()
      }
      sleep(milliseconds: 1)
    }
    return try read()
  }
}

// Torn tails.
extension LogOpening {
  /// The tail behind a view when nobody is appending: what is torn then was left by a process that died.
  ///
  /// - Returns: `clean` also when somebody is appending, and when the ledger has moved on.
  package static func tailAtRest(_ view: LogView) throws(LedgerError) -> TailScan.Tail {
    guard let rest = FolderAtRest(view.directory) else { return .clean }
    defer { rest.end() }
    guard try HeldManifest.readCurrent(view.directory) == view.held.current else { return .clean }
    let reader = FrameSegmentReader(ledger: view.manifest.ledger, in: view.directory)
    return try reader.read(view.active.entry).scan.tail
  }
}
