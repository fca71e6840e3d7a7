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

  /// - Parameter known: an earlier view, of which files and frames are not read again.
  static func open(
    _ held: HeldManifest, _ directory: any LedgerDirectory, pool: ZstdPool, known: LogView?
  ) throws(LedgerError) -> Result {
    let manifest = held.manifest
    var opened: [String: SealedSegment] = [:]
    for segment in known?.sealed ?? [] { opened[segment.entry.file] = segment }
    let sealed = manifest.segments.filter { $0.kind == .sealed }.map { entry in
      opened[entry.file] ?? SealedSegment(entry, ledger: manifest.ledger, in: directory)
    }
    let reader = FrameSegmentReader(ledger: manifest.ledger, in: directory)
    var segments: [FrameSegment] = []
    var last: FrameSegmentReader.Result?
    for entry in manifest.segments where entry.kind != .sealed {
      let before = known?.frameSegments.first { $0.header.segment == entry.segment }
      let read = try reader.read(entry, known: before)
      segments.append(read.segment)
      last = read
    }
    guard let last else {
      throw LedgerError(.damaged, "the manifest names no active segment", path: directory.path)
    }
    let view = LogView(
      held: held, sealed: sealed, frameSegments: segments, pool: pool, directory: directory)
    return Result(
      view: view, tail: last.scan.tail, durablePosition: last.scan.durablePosition,
      durableLength: last.scan.durableLength, fileLength: last.fileLength)
  }

  /// The view with what others appended since; the same view when nothing was.
  package static func refresh(_ view: LogView) throws(LedgerError) -> LogView {
    let directory = view.directory
    guard try HeldManifest.readCurrent(directory) == view.held.current else {
      let held = try HeldManifest.load(from: directory)
      return try open(held, directory, pool: view.pool, known: view).view
    }
    let next = try LedgerError.typing {
      let name = LedgerNames.inSegments(view.active.entry.file)
      let file = try directory.open(name, .read)
      defer { file.close() }
      return try file.read(at: view.active.end, count: 8)
    }
    guard next.contains(where: { $0 != 0 }) else { return view }
    let reader = FrameSegmentReader(ledger: view.manifest.ledger, in: directory)
    var refreshed = view
    refreshed.active = try reader.read(view.active.entry, known: view.active).segment
    return refreshed
  }
}
