import LedgerCore
import LedgerFormat

/// The lists of a backup that were made after the one that CURRENT names: an older copy of the backup was put over it, and the newer
/// list is still there.
///
/// Invariants:
/// - a run takes two steps, of which the second changes nothing: when it is interrupted it leaves the next number at most, and a list
///   with a number beyond that had been the backup's;
/// - a list that leads to the same event is as good as the one of CURRENT;
/// - what is found while a run is under way is looked at again when it is not.
struct NewerBackup {
  private static let looksMax = 200
  private static let pauseMilliseconds: UInt64 = 5

  private let directory: any LedgerDirectory
  private let held: HeldManifest
  private let isAlone: Bool

  /// - Parameter isAlone: whether the caller keeps everybody else from writing: nobody's run is under way then.
  init(beside held: HeldManifest, in directory: any LedgerDirectory, isAlone: Bool = false) {
    self.directory = directory
    self.held = held
    self.isAlone = isAlone
  }

  /// Those lists, in ascending order; none where the folder is no backup.
  ///
  /// - Throws: `busy` where somebody keeps the backup locked.
  func lists() throws(LedgerError) -> [Manifest] {
    guard held.manifest.isBackup else { return [] }
    for _ in 0..<Self.looksMax {
      let rest = isAlone ? nil : FolderAtRest(directory)
      defer { rest?.end() }
      let found = try laterLists()
      if found.isEmpty || isAlone || rest != nil {
        // Whoever took a step meanwhile left what was read as it was.
        return try HeldManifest.readCurrent(directory) == held.current ? found : []
      }
      sleep(milliseconds: Self.pauseMilliseconds)
    }
    throw LedgerError(
      .busy, "others hold the lock of the backup", path: directory.path, hint: "try again")
  }

  /// Requires that there is none.
  ///
  /// - Throws: `damaged` where an older copy was put over the backup.
  func check() throws(LedgerError) {
    if let newest = try lists().last { throw outdated(by: newest) }
  }

  /// Requires that none of the lists, that of CURRENT included, has other events than the one that is to count.
  ///
  /// - Throws: `damaged` where one has: which of them are wanted nobody can tell then.
  func check(isPartOf counting: Manifest, _ pool: ZstdPool) throws(LedgerError) {
    let newer = try lists()
    guard !newer.isEmpty else { return }
    let ends = ([held.manifest] + newer).map(\.closedEnd)
    var digests = ListDigests(directory, counting, pool: pool)
    try digests.look(at: Set(ends.map(\.sequence)))
    // Of what was folded or lost since there is no digest to compare.
    for end in ends where digests[end.sequence].map({ $0 != end.value }) ?? false {
      var error = outdated(by: newer.last ?? counting)
      error.sentence += ", of another history"
      throw error
    }
  }

  func outdated(by newer: Manifest) -> LedgerError {
    let name = LedgerNames.manifest(newer.number)
    return LedgerError(
      .damaged,
      "CURRENT is out of date: the backup that it names ends with event \(held.manifest.lastFixedSequence), and \(name) leads to event \(newer.lastFixedSequence)",
      path: directory.pathOf(LedgerNames.current),
      cause: "an older copy of the backup was put over it",
      hint:
        "run `ledger backup` to it again, or put the newer copy back; where the ledger is gone, `ledger repair` brings the newer list back; who wants the older one moves \(name) elsewhere"
    )
  }

  private func laterLists() throws(LedgerError) -> [Manifest] {
    let known = held.manifest
    var found: [Manifest] = []
    for name in try LedgerError.typing({ try directory.list("") }) {
      guard let number = LedgerNames.manifestNumber(name), number > known.number + 1,
        let list = try list(name), list.number == number, list.ledger == known.ledger,
        list.isBackup, list.closedEnd != known.closedEnd
      else { continue }
      found.append(list)
    }
    return found.sorted { $0.number < $1.number }
  }

  /// Nil for what is no whole list.
  private func list(_ name: String) throws(LedgerError) -> Manifest? {
    do {
      return try Manifest(directory.contents(of: name, atMost: UInt64(Manifest.bytesMax)))
    } catch let error as LedgerError
      where error.code == .damaged || error.code == .notFound || error.isOfOtherThanFile
    {
      return nil
    } catch {
      throw LedgerError.wrapping(error)
    }
  }
}

extension LogView {
  /// Requires of a backup that no older copy was put over it, and that it was not put over the ledger itself; asks nothing of a
  /// ledger, whose writers look for that.
  ///
  /// - Throws: `damaged` where one was, `busy` where somebody keeps the backup locked.
  package func checkIsNewestBackup() throws(LedgerError) {
    try NewerBackup(beside: held, in: directory).check()
    guard manifest.isBackup else { return }
    var unlisted = UnlistedFiles(directory, held, pool: pool)
    try unlisted.checkList()
  }
}
