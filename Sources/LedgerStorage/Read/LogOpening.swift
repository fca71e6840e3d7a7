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

  /// The view with what others appended since; the same view when nothing was.
  package static func refresh(_ view: LogView) throws(LedgerError) -> LogView {
    let directory = view.directory
    guard try HeldManifest.readCurrent(directory) == view.held.current else {
      let held = try HeldManifest.load(from: directory)
      return try open(held, directory, pool: view.pool, reusing: view.sealed).view
    }
    let name = LedgerNames.inSegments(view.active.entry.file)
    do {
      let file = try directory.open(name, .read)
      defer { file.close() }
      let next = try file.read(at: view.active.end, count: 8)
      guard next.contains(where: { $0 != 0 }) else { return view }
      let length = try file.size()
      let bytes = try file.read(
        at: view.active.end, count: Int(clamping: length - min(length, view.active.end)))
      let scan = try TailScan(
        bytes, after: view.active, fileLength: length, path: directory.pathOf(name))
      var refreshed = view
      refreshed.active.frames.append(scan.frames)
      return refreshed
    } catch {
      throw LedgerError.wrapping(error)
    }
  }
}
