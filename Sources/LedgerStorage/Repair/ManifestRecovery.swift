import LedgerCore
import LedgerFormat

/// Finds out which files are the ledger where CURRENT, or the manifest that it names, cannot say so, or is out of date.
///
/// Invariants:
/// - a manifest is believed only where each file that it names is there as it says, and no file of the ledger holds an event after its
///   last, nor does another manifest lead to one: of two lists with different events the longer one counts, of two that are equally
///   long the one with the higher number;
/// - otherwise the files themselves are put together, bound to each other by their log digests, and only where they reach to the last
///   event of which any file or manifest knows;
/// - where there is a gap between them, and CURRENT tells of no other manifest, the manifest counts that leads to the most events;
///   and with no manifest at all the files count, with what is lost between them.
package struct ManifestRecovery {
  /// What was found.
  package struct Found {
    package var manifest: Manifest
    /// The number of the manifest that says so; nil where the files themselves do.
    package var source: UInt64?
    /// No manifest that is there, or was named, has a higher number.
    package var highestNumber: UInt64
    /// The events of which no file is left, where files had to be put together.
    package var lost = SequenceRanges()
    /// Whether it may be that of a backup, so that it must not go on as the same replica.
    package var mayBeBackup = false
    /// The last event that LOCK tells of, where the files do not lead to it.
    package var witness: UInt64?
  }

  private let directory: any LedgerDirectory
  private let pool: ZstdPool

  package init(_ directory: any LedgerDirectory, pool: ZstdPool) {
    self.directory = directory
    self.pool = pool
  }

  /// - Parameter isOutdated: whether CURRENT can be read, and is out of date.
  /// - Returns: nil where nothing fits.
  package func find(isOutdated: Bool = false) throws(LedgerError) -> Found? {
    guard var found = try found(isOutdated) else { return nil }
    found.witness = try witness(found.manifest)
    return found
  }

  /// The last event that LOCK tells of, where a manifest does not lead to it.
  package func witness(_ manifest: Manifest) throws(LedgerError) -> UInt64? {
    guard let word = DurableEnd(of: manifest.ledger, in: directory),
      word.segment != manifest.active.segment, word.sequence > manifest.lastFixedSequence
    else { return nil }
    return try word.sequence > lastSequence(manifest) ? word.sequence : nil
  }

  private func found(_ isOutdated: Bool) throws(LedgerError) -> Found? {
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
    for manifest in known where try !isSurpassed(manifest, files, known) {
      candidates.append(manifest)
    }
    for manifest in candidates where fits(manifest, files) {
      return Found(manifest: manifest, source: manifest.number, highestNumber: highest)
    }
    let remade = try remade(files, known, ledger: current?.ledger ?? known.first?.ledger)
    if let remade, remade.isWhole { return found(remade, highest) }
    // Where CURRENT is gone and a manifest is not, damage to its files is for the segments to tell of.
    if current == nil || isOutdated, let best = try leastDamaged(candidates) {
      return Found(manifest: best, source: best.number, highestNumber: highest)
    }
    return remade.map { found($0, highest) }
  }

  private func found(_ remade: SegmentChain.Remade, _ highest: UInt64) -> Found {
    Found(
      manifest: remade.manifest, source: nil, highestNumber: highest, lost: remade.lost,
      mayBeBackup: remade.mayBeBackup)
  }

  /// The list that the files themselves make; nil where a manifest knows of later events.
  private func remade(
    _ files: [SegmentInventory.File], _ known: [Manifest], ledger: ReplicaID?
  ) throws(LedgerError) -> SegmentChain.Remade? {
    let word = (ledger ?? files.first?.ledger).flatMap { DurableEnd(of: $0, in: directory) }
    guard let remade = SegmentChain(files, word: word).remade(ledger: ledger, known: known)
    else { return nil }
    let furthest = known.map(\.lastFixedSequence).max() ?? 0
    return try lastSequence(remade.manifest) >= furthest ? remade : nil
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
    } catch let error as LedgerError where Self.saysNothing(error) {
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
    } catch let error as LedgerError where Self.saysNothing(error) {
      return nil
    } catch {
      throw LedgerError.wrapping(error)
    }
  }

  private static func saysNothing(_ error: LedgerError) -> Bool {
    error.code == .damaged || error.code == .notFound || error.isOfOtherThanFile
  }

  /// Whether a file holds an event after the last one that a manifest leads to, or another manifest leads to one.
  private func isSurpassed(
    _ manifest: Manifest, _ files: [SegmentInventory.File], _ known: [Manifest]
  ) throws(LedgerError) -> Bool {
    let last = try lastSequence(manifest)
    return files.contains { $0.ledger == manifest.ledger && $0.lastSequence > last }
      || known.contains { $0.ledger == manifest.ledger && $0.lastFixedSequence > last }
  }

  private func lastSequence(_ manifest: Manifest) throws(LedgerError) -> UInt64 {
    try SegmentReading(directory, manifest, pool: pool).salvage(manifest.active).lastSequence
  }

  private func fits(_ manifest: Manifest, _ files: [SegmentInventory.File]) -> Bool {
    manifest.segments.allSatisfy { entry in
      !entry.hasFile || files.contains { $0.isWhole && $0.isWhat(entry) }
    }
  }
}
