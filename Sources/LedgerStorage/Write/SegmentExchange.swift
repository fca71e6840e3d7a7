import LedgerCore
import LedgerFormat

/// The manifest step that puts a sealed segment in the place of those whose events it holds.
///
/// The folder lock is held for the step alone.
struct SegmentExchange {
  private let directory: any LedgerDirectory
  private let options: StoreOptions

  init(_ directory: any LedgerDirectory, options: StoreOptions) {
    self.directory = directory
    self.options = options
  }

  /// - Parameters:
  ///   - old: neighbours, in order.
  ///   - note: changes the maintenance records in the same step.
  /// - Throws: `busy` when they are no longer there; `SealedButUnsure` when the step may or may not be durable.
  func put(
    _ sealed: SegmentEntry, inPlaceOf old: [SegmentEntry],
    noting note: (inout [MaintenanceRecord]) -> Void = { _ in }
  ) throws {
    let lock = FolderLock(directory)
    let inOrder = try lock.acquire(timeout: options.lockTimeoutMilliseconds)
    defer { lock.release(inOrder: inOrder) }
    let held = try HeldManifest.load(from: directory)
    var manifest = held.manifest
    guard let first = old.first, let place = manifest.segments.firstIndex(of: first),
      manifest.segments[place...].starts(with: old)
    else {
      throw LedgerError(
        .busy, "the segment \(old.first?.file ?? "?") is no longer there to be replaced",
        path: directory.path)
    }
    manifest.number += 1
    manifest.segments.replaceSubrange(place..<place + old.count, with: [sealed])
    note(&manifest.records)
    do {
      try ManifestStep.take(manifest, in: directory)
    } catch {
      switch error {
      case .before(let error): throw error
      case .unknown(let error): throw SealedButUnsure(error: error)
      }
    }
  }
}

/// The step was taken, but whether it is durable is unknown: the files before it and after it must stay.
struct SealedButUnsure: Error {
  var error: LedgerError
}
