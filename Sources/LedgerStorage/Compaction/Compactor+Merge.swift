import LedgerCore
import LedgerFormat

/// What became of the bytes of segments that were rewritten.
package struct ReplacedBytes: Hashable, Sendable {
  /// The bytes of the new segments.
  package var after: UInt64 = 0
  /// The bytes of old segments that are gone.
  package var removed: UInt64 = 0
  /// The bytes of old segments that stay for now, because somebody still reads them.
  package var held: UInt64 = 0
}

// The policy `merge`.
extension Compactor {
  /// What ``merge(progress:letGo:)`` would do now. It writes nothing.
  package func mergePlan() throws(LedgerError) -> MergePlan {
    let held = try HeldManifest.load(from: directory)
    return try MergePlanner(directory, options: options, pool: pool).plan(held.manifest)
  }

  /// Merges neighbouring segments as ``mergePlan()`` says.
  ///
  /// - Parameters:
  ///   - progress: called with the number of events done so far.
  ///   - letGo: called before old segments are removed: whoever holds them can let them go.
  /// - Throws: `busy` when another process is at it for too long.
  package func merge(
    progress: ((UInt64) -> Void)? = nil, letGo: () throws -> Void = {}
  ) throws(LedgerError) -> (plan: MergePlan, bytes: ReplacedBytes) {
    try underLock {
      let (plan, after) = try mergeUnderLock(progress)
      return (plan, try remove(plan.groups.flatMap(\.entries), after: after, letGo))
    }
  }

  private func mergeUnderLock(
    _ progress: ((UInt64) -> Void)?
  ) throws -> (plan: MergePlan, bytesAfter: UInt64) {
    let (ledger, plan) = try readingManifest { manifest in
      (
        manifest.ledger,
        try MergePlanner(directory, options: options, pool: pool).plan(manifest)
      )
    }
    var record = MergeRecord()
    var done: UInt64 = 0
    var bytesAfter: UInt64 = 0
    for group in plan.groups {
      let merged = try replace(group.entries, ledger, level: options.compactionLevel) {
        records, merged, follows in
        record.note(group, into: merged, &records, follows: follows, time: clock())
      }
      bytesAfter += merged.end
      done += group.events
      progress?(done)
    }
    return (plan, bytesAfter)
  }

  /// Runs the body on the manifest, and holds it no longer than that.
  private func readingManifest<R>(_ body: (Manifest) throws -> R) throws -> R {
    try body(try HeldManifest.load(from: directory).manifest)
  }
}

// What all policies do.
extension Compactor {
  /// Runs the body under the maintenance lock.
  func underLock<R>(_ body: () throws -> R) throws(LedgerError) -> R {
    try HeldManifest.load(from: directory).manifest.checkIsNoBackup(directory.path)
    let timeout = options.lockTimeoutMilliseconds
    guard let result = try MaintenanceLock(directory).hold(timeout: timeout, body) else {
      throw LedgerError(
        .busy, "another process is sealing or rewriting segments", path: directory.path,
        hint: "try again when it is done; nothing was changed")
    }
    return result
  }

  /// Removes old segments, and tells which of them are gone.
  func remove(
    _ old: [SegmentEntry], after: UInt64, _ letGo: () throws -> Void
  ) throws -> ReplacedBytes {
    var bytes = ReplacedBytes(after: after)
    guard !old.isEmpty else { return bytes }
    try letGo()
    try FileCleaner(directory, options: options).removeUnneeded()
    let left = Set(try directory.list(LedgerNames.segments).map(ByteText.init))
    for entry in old {
      if left.contains(ByteText(entry.file)) {
        bytes.held += entry.end
      } else {
        bytes.removed += entry.end
      }
    }
    return bytes
  }
}
