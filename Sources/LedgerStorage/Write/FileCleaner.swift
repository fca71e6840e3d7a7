import LedgerCore
import LedgerFormat

/// Removes manifests and segments that neither the ledger nor any reader needs.
///
/// Only under the maintenance lock. A manifest is needed by whoever holds a shared lock on it; a segment by the current
/// manifest and by every manifest that is held.
///
/// Invariants:
/// - a file with events that the list of files lacks is never removed, nor, but for those that a step has replaced, one with events of a
///   segment of the list that is damaged;
/// - where the list is out of date, nothing is.
struct FileCleaner {
  private let directory: any LedgerDirectory
  private let options: StoreOptions

  init(_ directory: any LedgerDirectory, options: StoreOptions) {
    self.directory = directory
    self.options = options
  }

  /// - Returns: how many files were removed.
  /// - Throws: `damaged` where CURRENT is out of date.
  @discardableResult
  func removeUnneeded() throws -> Int {
    var removed = 0
    // Under the folder lock no segment or manifest is in the making.
    let lock = FolderLock(directory)
    try lock.acquire(timeout: options.lockTimeoutMilliseconds)
    defer { lock.release() }
    let held = try HeldManifest.load(from: directory)
    // Files go only once the manifest that no longer names them is durable.
    try directory.syncFolder("")
    let unneeded = try unneededFiles(under: held.manifest)
    guard !unneeded.isEmpty else { return 0 }
    var unlisted = UnlistedFiles(directory, held)
    let finding = try unlisted.find()
    if let outdated = finding.outdated { throw outdated }
    let listed = unneeded.compactMap { finding.listed[ByteText($0)] }
    let damaged = damagedEvents(held.manifest, in: listed)
    for name in unneeded where !finding.names.contains(ByteText(name)) {
      if let events = finding.listed[ByteText(name)], !damaged.clamped(to: events).isEmpty {
        continue
      }
      guard try remove(name) else { continue }
      removed += 1
    }
    return removed
  }

  /// The events of damaged segments of the list, of those that hold some of certain ranges.
  private func damagedEvents(
    _ manifest: Manifest, in ranges: [ClosedRange<UInt64>]
  ) -> SequenceRanges {
    let check = SegmentExamination(directory, manifest, pool: ZstdPool())
    var damaged = SequenceRanges()
    for entry in manifest.segments {
      let last = entry.kind == .active ? UInt64(Int64.max) : entry.lastSequence
      guard entry.firstSequence <= last,
        ranges.contains(where: { $0.overlaps(entry.firstSequence...last) }),
        check.check(entry).status.isFault
      else { continue }
      damaged.formUnion(SequenceRanges(entry.firstSequence...last))
    }
    return damaged
  }

  /// - Returns: whether it was a file; a folder under the name of one stays.
  private func remove(_ name: String) throws -> Bool {
    do {
      try ManifestStep.removeIfThere(name, in: directory)
      return true
    } catch {
      guard try directory.extent(name)?.isFile == false else { throw error }
      return false
    }
  }

  /// The files that the ledger's manifest names, or one that some reader holds.
  ///
  /// Under the folder lock, so that no manifest is in the making.
  ///
  /// - Parameter files: which files a manifest names.
  func filesNeeded(_ files: (Manifest) -> [ByteText]) throws -> Set<ByteText> {
    let lock = FolderLock(directory)
    try lock.acquire(timeout: options.lockTimeoutMilliseconds)
    defer { lock.release() }
    let held = try HeldManifest.load(from: directory)
    // Files go only once the manifest that no longer names them is durable.
    try directory.syncFolder("")
    var needed = Set(files(held.manifest))
    for name in try directory.list("") {
      guard let number = LedgerNames.manifestNumber(name), number != held.manifest.number else {
        continue
      }
      if let manifest = try heldManifest(name) { needed.formUnion(files(manifest)) }
    }
    return needed
  }

  /// The segments and manifests that neither a manifest names nor one that some reader holds; the folder lock must be held.
  ///
  /// - Parameter passesOverDamage: whether a manifest that is held, and damaged, needs nothing.
  func unneededFiles(
    under current: Manifest?, passesOverDamage: Bool = false
  ) throws -> [String] {
    var needed = Set((current?.segments ?? []).map { ByteText($0.file) })
    var unneeded: [String] = []
    for name in try directory.list("") {
      guard let number = LedgerNames.manifestNumber(name), number != current?.number else {
        continue
      }
      let held = passesOverDamage ? try? heldManifest(name) : try heldManifest(name)
      if let held {
        needed.formUnion(held.segments.map { ByteText($0.file) })
      } else {
        unneeded.append(name)
      }
    }
    let segments = try directory.list(LedgerNames.segments).filter { file in
      LedgerNames.isSegment(file) && !needed.contains(ByteText(file))
    }
    // As long as an older manifest is there, it tells that its segments were replaced.
    return segments.map(LedgerNames.inSegments) + unneeded
  }

  /// A manifest, when some reader holds it.
  private func heldManifest(_ name: String) throws -> Manifest? {
    let file: any LedgerFile
    do {
      file = try directory.open(name, .read)
    } catch let error as LedgerError where error.isOfOtherThanFile {
      return nil
    }
    defer { file.close() }
    if try file.tryLock(.exclusive) { return nil }
    let most = UInt64(Manifest.bytesMax)
    let bytes = try file.contents(atMost: most, path: directory.pathOf(name))
    return try Manifest(bytes)
  }
}
