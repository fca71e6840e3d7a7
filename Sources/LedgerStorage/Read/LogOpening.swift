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
    let held = try HeldManifest.load(from: directory)
    return try open(held, directory, pool: pool, reusing: [])
  }

  static func open(
    _ held: HeldManifest, _ directory: any LedgerDirectory, pool: ZstdPool,
    reusing known: [SealedSegment]
  ) throws(LedgerError) -> Result {
    let manifest = held.manifest
    var opened: [String: SealedSegment] = [:]
    for segment in known { opened[segment.entry.file] = segment }
    let sealed = manifest.segments.filter { $0.kind == .sealed }.map { entry in
      opened[entry.file] ?? SealedSegment(entry, ledger: manifest.ledger, in: directory)
    }
    var segments: [FrameSegment] = []
    var last: (scan: TailScan, length: UInt64)?
    for entry in manifest.segments where entry.kind != .sealed {
      let read = try FrameSegmentReader.read(entry, ledger: manifest.ledger, in: directory)
      segments.append(read.segment)
      last = (read.scan, read.length)
    }
    guard let last else {
      throw LedgerError(.damaged, "the manifest names no active segment", path: directory.path)
    }
    let view = LogView(
      held: held, sealed: sealed, frameSegments: segments, pool: pool, directory: directory)
    return Result(
      view: view, tail: last.scan.tail, durablePosition: last.scan.durablePosition,
      durableLength: last.scan.durableLength, fileLength: last.length)
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
    return try rereading(directory) { () throws(LedgerError) in
      if let further = try readOn(view) { return further }
      return try reopen(view, view.held)
    }
  }

  private static func reopen(
    _ view: LogView, _ held: HeldManifest
  ) throws(LedgerError) -> (view: LogView, tail: TailScan.Tail) {
    let opened = try open(held, view.directory, pool: view.pool, reusing: view.sealed)
    return (opened.view, opened.tail)
  }

  /// Reads on where the view ends; nil when what it ends with is no longer there: the frames of a write that failed are seen by
  /// readers before they are moved aside.
  private static func readOn(
    _ view: LogView
  ) throws(LedgerError) -> (view: LogView, tail: TailScan.Tail)? {
    let directory = view.directory
    let name = LedgerNames.inSegments(view.active.entry.file)
    do {
      let file = try directory.open(name, .read)
      defer { file.close() }
      if let last = view.active.frames.last, try !last.isStill(in: file) { return nil }
      let next = try file.read(at: view.active.end, count: 8)
      guard next.contains(where: { $0 != 0 }) else { return (view, .clean) }
      let length = try file.size()
      let bytes = try file.read(
        at: view.active.end, count: Int(clamping: length - min(length, view.active.end)))
      let scan = try TailScan(
        bytes, after: view.active, fileLength: max(length, try file.size()),
        path: directory.pathOf(name))
      var refreshed = view
      refreshed.active.frames.append(contentsOf: scan.frames)
      return (refreshed, scan.tail)
    } catch {
      throw LedgerError.wrapping(error)
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
    let read = try FrameSegmentReader.read(
      view.active.entry, ledger: view.manifest.ledger, in: view.directory)
    return read.scan.tail
  }
}
