import LedgerCore
import LedgerFormat

/// Finds out which files are the ledger where CURRENT, or the manifest that it names, cannot say so, or is out of date.
///
/// Invariants:
/// - a manifest is believed only where each file that it names is there as it says, and no file of the ledger holds an event after its
///   last, nor does another manifest lead to one: of two lists with different events the longer one counts, of those that are equally
///   long the one that has folded least (a fold that was never taken leaves a manifest and a baseline), then the one with the higher
///   number;
/// - the files themselves count where they lead as far without a loss, and such a manifest has folded more;
/// - otherwise the files themselves are put together, bound to each other by their log digests, and only where they reach to the last
///   event of which any file or manifest knows;
/// - where there is a gap between them, and CURRENT tells of no other manifest, the manifest counts that leads to the most intact events,
///   unless the files lead to more; and with no manifest at all the files count, with what is lost between them;
/// - a manifest that counts for want of a better one is never silently short: it leads at least as far as any file.
struct ManifestRecovery {
  /// What was found.
  struct Found {
    var manifest: Manifest
    /// The number of the manifest that says so; nil where the files themselves do.
    var source: UInt64?
    /// No manifest that is there, or was named, has a higher number.
    var highestNumber: UInt64
    /// The events of which no file is left, where files had to be put together.
    var lost = SequenceRanges()
    /// Whether it may be that of a backup, so that it must not go on as the same replica.
    var mayBeBackup = false
    /// The last event that LOCK or a snapshot tells of, where the segments do not lead to it.
    var witness: UInt64?
    /// The files of segments of which nothing can be told, with what is wrong with them, where files had to be put together.
    var unread: [(name: String, problem: LedgerError)] = []
  }

  private let directory: any LedgerDirectory
  private let pool: ZstdPool

  init(_ directory: any LedgerDirectory, pool: ZstdPool) {
    self.directory = directory
    self.pool = pool
  }

  /// - Parameter isOutdated: whether CURRENT can be read, and is out of date.
  /// - Returns: what counts, or why nothing does.
  func find(isOutdated: Bool = false) throws(LedgerError) -> Result<Found, ListObstacle> {
    let result = try found(isOutdated)
    guard case .success(var found) = result else { return result }
    found.witness = try witness(found.manifest)
    return .success(found)
  }

  /// The last event that LOCK or a snapshot tells of, where a manifest does not lead to it.
  func witness(_ manifest: Manifest) throws(LedgerError) -> UInt64? {
    let word = DurableEnd(of: manifest.ledger, in: directory)
    let told = word.flatMap { $0.segment != manifest.active.segment ? $0.sequence : nil }
    let most = max(told ?? 0, newestSnapshot(of: manifest.ledger))
    guard most > manifest.lastFixedSequence else { return nil }
    return try most > lastSequence(manifest) ? most : nil
  }

  /// The last event of which a snapshot has the state; 0 where none can be read.
  private func newestSnapshot(of ledger: ReplicaID) -> UInt64 {
    snapshots().filter { $0.footer.ledger == ledger }.map(\.footer.lastSequence).max() ?? 0
  }

  /// The lists of two ledgers that both have segments here; nil where there are none: then nothing tells whose the folder is.
  private func listsOfTwo(_ known: [Manifest], _ files: [SegmentInventory.File]) -> [String]? {
    let ledgers = Set(files.map(\.ledger))
    let lists = known.filter { ledgers.contains($0.ledger) }
    guard let first = lists.first, let other = lists.first(where: { $0.ledger != first.ledger })
    else { return nil }
    return [first, other].map { LedgerNames.manifest($0.number) }
  }

  /// A snapshot of a ledger of which there is no segment; nil where there is none. Its segments may be lost, or it may have come here with
  /// those of another one: nothing tells.
  private func snapshotOfNone(_ files: [SegmentInventory.File]) -> String? {
    let ledgers = Set(files.map(\.ledger))
    return snapshots().first { !ledgers.contains($0.footer.ledger) }?.name
  }

  /// The snapshots that can be read.
  private func snapshots() -> [(name: String, footer: RunFooter)] {
    let names = (try? directory.list(LedgerNames.snapshots)) ?? []
    return names.filter(LedgerNames.isSnapshot).compactMap { file in
      let name = LedgerNames.inSnapshots(file)
      guard !file.hasSuffix(LedgerNames.draftSuffix),
        let run = try? SnapshotFile.openRun(FileSource(directory, name), pool)
      else { return nil }
      return (name, run.footer)
    }
  }

  private func found(_ isOutdated: Bool) throws(LedgerError) -> Result<Found, ListObstacle> {
    let named = try current()
    let contents = try SegmentInventory(directory, pool: pool).contents(of: named?.ledger)
    let files = contents.files
    // A CURRENT of another ledger says nothing of this one.
    let current = named.flatMap { named in
      files.isEmpty || files.contains { $0.ledger == named.ledger } ? named : nil
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
    if current == nil, known.isEmpty, let file = files.first, let other = snapshotOfNone(files) {
      return .failure(.severalLedgers([LedgerNames.inSegments(file.name), other]))
    }
    if current == nil, let two = listsOfTwo(known, files) { return .failure(.severalLedgers(two)) }
    var candidates: [Manifest] = []
    for manifest in known where try !isSurpassed(manifest, files, known) {
      candidates.append(manifest)
    }
    func found(_ manifest: Manifest) -> Result<Found, ListObstacle> {
      .success(Found(manifest: manifest, source: manifest.number, highestNumber: highest))
    }
    let remade = remade(files, known, ledger: current?.ledger ?? known.first?.ledger)
    let fitting = candidates.filter { fits($0, files) }
    if let manifest = fitting.min(by: { $0.foldedThrough < $1.foldedThrough }) {
      guard case .success(let remade) = remade, remade.isWhole,
        remade.manifest.foldedThrough < manifest.foldedThrough,
        try !isSurpassed(remade.manifest, files, known)
      else { return found(manifest) }
    }
    // A list that a manifest knows to be too short is none.
    let furthest = known.map(\.lastFixedSequence).max() ?? 0
    var (isLong, isWhole) = (false, false)
    if case .success(let remade) = remade {
      isLong = try lastSequence(remade.manifest) >= furthest
      isWhole = isLong && remade.isWhole
    }
    // Where CURRENT is gone and a manifest is not, damage to its files is for the segments to tell of.
    let prefersManifest = current == nil || isOutdated || !isLong
    if !isWhole, prefersManifest, let best = leastDamaged(candidates) {
      // Files that no manifest names may hold what those of the manifest have lost.
      guard case .success(let remade) = remade, isLong,
        intactEvents(of: remade.manifest) > best.events
      else { return found(best.manifest) }
    }
    return remade.map { remade in
      // It is none of the manifests that lie there.
      var manifest = remade.manifest
      manifest.number = highest + 1
      return Found(
        manifest: manifest, source: nil, highestNumber: highest, lost: remade.lost,
        mayBeBackup: remade.mayBeBackup, unread: contents.unread)
    }
  }

  /// The list that the files themselves make.
  private func remade(
    _ files: [SegmentInventory.File], _ known: [Manifest], ledger: ReplicaID?
  ) -> Result<SegmentChain.Remade, ListObstacle> {
    let word = (ledger ?? files.first?.ledger).flatMap { DurableEnd(of: $0, in: directory) }
    return Result { () throws(ListObstacle) in
      try SegmentChain(files, word: word).remade(ledger: ledger, known: known)
    }
  }

  /// The one that leads to the most events that are intact, of several the newest: a step that was not taken, and whose files
  /// are gone, leaves a manifest as well.
  private func leastDamaged(_ manifests: [Manifest]) -> (manifest: Manifest, events: UInt64)? {
    var best: (manifest: Manifest, events: UInt64)?
    for manifest in manifests {
      let events = intactEvents(of: manifest)
      if best.map({ $0.events < events }) ?? true { best = (manifest, events) }
    }
    return best
  }

  private func intactEvents(of manifest: Manifest) -> UInt64 {
    let check = SegmentExamination(directory, manifest, pool: pool)
    return manifest.segments.reduce(0) { $0 + check.check($1).intact.count }
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
    var digests = ListDigests(directory, manifest, pool: pool)
    return try digests.lastSequence()
  }

  private func fits(_ manifest: Manifest, _ files: [SegmentInventory.File]) -> Bool {
    manifest.segments.allSatisfy { entry in
      !entry.hasFile || files.contains { $0.isWhole && $0.isWhat(entry) }
    }
  }
}
