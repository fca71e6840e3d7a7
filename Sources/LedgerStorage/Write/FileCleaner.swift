import LedgerCore
import LedgerFormat

/// Removes manifests and segments that neither the ledger nor any reader needs.
///
/// Only under the maintenance lock. A manifest is needed by whoever holds a shared lock on it; a segment by the current
/// manifest and by every manifest that is held.
struct FileCleaner {
  private let directory: any LedgerDirectory
  private let options: StoreOptions

  init(_ directory: any LedgerDirectory, options: StoreOptions) {
    self.directory = directory
    self.options = options
  }

  /// - Returns: how many files were removed.
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
    var needed = Set(held.manifest.segments.map { ByteText($0.file) })
    for name in try directory.list("") {
      guard let number = LedgerNames.manifestNumber(name), number != held.manifest.number else {
        continue
      }
      if let manifest = try heldManifest(name) {
        needed.formUnion(manifest.segments.map { ByteText($0.file) })
      } else {
        try ManifestStep.removeIfThere(name, in: directory)
        removed += 1
      }
    }
    for file in try directory.list(LedgerNames.segments) where !needed.contains(ByteText(file)) {
      guard LedgerNames.isSegment(file) else { continue }
      try ManifestStep.removeIfThere(LedgerNames.inSegments(file), in: directory)
      removed += 1
    }
    return removed
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
  func unneededFiles(under current: Manifest?) throws -> [String] {
    var needed = Set((current?.segments ?? []).map { ByteText($0.file) })
    var unneeded: [String] = []
    for name in try directory.list("") {
      guard let number = LedgerNames.manifestNumber(name), number != current?.number else {
        continue
      }
      if let manifest = try? heldManifest(name) {
        needed.formUnion(manifest.segments.map { ByteText($0.file) })
      } else {
        unneeded.append(name)
      }
    }
    let segments = try directory.list(LedgerNames.segments).filter { file in
      LedgerNames.isSegment(file) && !needed.contains(ByteText(file))
    }
    return unneeded + segments.map(LedgerNames.inSegments)
  }

  /// A manifest, when some reader holds it.
  private func heldManifest(_ name: String) throws -> Manifest? {
    let file = try directory.open(name, .read)
    defer { file.close() }
    if try file.tryLock(.exclusive) { return nil }
    let most = UInt64(Manifest.bytesMax)
    let bytes = try file.contents(atMost: most, path: directory.pathOf(name))
    return try Manifest(bytes)
  }
}
