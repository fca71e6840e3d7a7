import LedgerCore
import LedgerFormat

/// Finds out which files are the ledger where CURRENT, or the manifest that it names, cannot say so.
///
/// Invariants:
/// - an older manifest is believed only where each file that it names is there as it says, and no file of the ledger holds an event
///   after its last: an older manifest never answers for a newer one;
/// - otherwise the files themselves are put together, and only where they reach from the first event to the last that any holds,
///   bound to each other by their log digests;
/// - where these have gaps, too, and it is CURRENT that is gone, the manifest counts that leads to the most events.
package struct ManifestRecovery {
  /// What was found.
  package struct Found {
    package var manifest: Manifest
    /// The number of the manifest that says so; nil where the files themselves do.
    package var source: UInt64?
    /// No manifest that is there, or was named, has a higher number.
    package var highestNumber: UInt64
  }

  private let directory: any LedgerDirectory
  private let pool: ZstdPool

  package init(_ directory: any LedgerDirectory, pool: ZstdPool) {
    self.directory = directory
    self.pool = pool
  }

  /// Nil where nothing fits.
  package func find() throws(LedgerError) -> Found? {
    let files = try SegmentInventory(directory, pool: pool).files()
    // A CURRENT of another ledger says nothing of this one.
    let current = try current().flatMap { current in
      files.isEmpty || files.contains { $0.ledger == current.ledger } ? current : nil
    }
    let numbers = try manifestNumbers()
    let highest = max(numbers.first ?? 0, current?.manifestNumber ?? 0)
    var known: [Manifest] = []
    for number in numbers {
      guard let manifest = try manifest(number),
        current.map({ $0.ledger == manifest.ledger }) ?? true
      else { continue }
      known.append(manifest)
    }
    var candidates: [Manifest] = []
    for manifest in known where try !isSurpassed(manifest, files) { candidates.append(manifest) }
    for manifest in candidates where fits(manifest, files) {
      return Found(manifest: manifest, source: manifest.number, highestNumber: highest)
    }
    if let manifest = SegmentChain(files).manifest(
      ledger: current?.ledger ?? known.first?.ledger, known: known)
    {
      return Found(manifest: manifest, source: nil, highestNumber: highest)
    }
    // Where CURRENT is gone and a manifest is not, damage to its files is for the segments to tell of.
    guard current == nil, let best = try leastDamaged(candidates) else { return nil }
    return Found(manifest: best, source: best.number, highestNumber: highest)
  }

  /// The one that leads to the most events that are intact, of several the newest: a step that was not taken, and whose files
  /// are gone, leaves a manifest as well.
  private func leastDamaged(_ manifests: [Manifest]) throws(LedgerError) -> Manifest? {
    var best: (manifest: Manifest, events: UInt64)?
    for manifest in manifests {
      let check = SegmentExamination(directory, manifest, pool: pool)
      let events = manifest.segments.reduce(0) { $0 + check.check($1).intact.count }
      if best.map({ $0.events < events }) ?? true { best = (manifest, events) }
    }
    return best?.manifest
  }

  /// CURRENT, where it can be read.
  private func current() throws(LedgerError) -> CurrentFile? {
    do {
      let most = UInt64(CurrentFile.byteCount)
      return try CurrentFile(try directory.contents(of: LedgerNames.current, atMost: most))
    } catch let error as LedgerError where error.code == .damaged || error.code == .notFound {
      return nil
    } catch {
      throw LedgerError.wrapping(error)
    }
  }

  /// In descending order.
  private func manifestNumbers() throws(LedgerError) -> [UInt64] {
    try LedgerError.typing { try directory.list("") }.compactMap(LedgerNames.manifestNumber)
      .sorted(by: >)
  }

  /// A manifest that is whole; nil for any other.
  private func manifest(_ number: UInt64) throws(LedgerError) -> Manifest? {
    do {
      let name = LedgerNames.manifest(number)
      let manifest = try Manifest(
        try directory.contents(of: name, atMost: UInt64(Manifest.bytesMax)))
      return manifest.number == number ? manifest : nil
    } catch let error as LedgerError where error.code == .damaged || error.code == .notFound {
      return nil
    } catch {
      throw LedgerError.wrapping(error)
    }
  }

  /// Whether a file holds an event after the last one that a manifest leads to.
  private func isSurpassed(
    _ manifest: Manifest, _ files: [SegmentInventory.File]
  ) throws(LedgerError) -> Bool {
    let active = try SegmentReading(directory, manifest, pool: pool).salvage(manifest.active)
    return files.contains {
      $0.ledger == manifest.ledger && $0.lastSequence > active.lastSequence
    }
  }

  private func fits(_ manifest: Manifest, _ files: [SegmentInventory.File]) -> Bool {
    manifest.segments.allSatisfy { entry in
      !entry.hasFile || files.contains { $0.isWhat(entry) }
    }
  }
}
