import LedgerCore
import LedgerFormat

/// The manifest step that puts new segments in the place of those whose events they stand for.
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
  ///   - new: what comes in their place, in order.
  ///   - old: neighbours, in order.
  ///   - check: throws when the step must not be taken; runs while nobody can append.
  ///   - note: changes the maintenance records in the same step.
  /// - Throws: `busy` when they are no longer there; else as `ManifestStep.takeNamingFiles`.
  func put(
    _ new: [SegmentEntry], inPlaceOf old: [SegmentEntry], checking check: () throws -> Void = {},
    noting note: (inout [MaintenanceRecord]) -> Void = { _ in }
  ) throws {
    let lock = FolderLock(directory)
    try lock.acquire(timeout: options.lockTimeoutMilliseconds)
    defer { lock.release() }
    let held = try HeldManifest.load(from: directory)
    // A list that is out of date is not built upon.
    var unlisted = UnlistedFiles(
      directory, held, eventsMax: UnlistedFiles.quicklyComparedEventsMax)
    try unlisted.checkList()
    var manifest = held.manifest
    guard let first = old.first, let place = manifest.segments.firstIndex(of: first),
      manifest.segments[place...].starts(with: old)
    else {
      throw LedgerError(
        .busy, "the segment \(old.first?.file ?? "?") is no longer there to be replaced",
        path: directory.path)
    }
    try check()
    manifest.number += 1
    manifest.segments.replaceSubrange(place..<place + old.count, with: new)
    note(&manifest.records)
    try ManifestStep.takeNamingFiles(manifest, in: directory)
  }
}
