import LedgerCore
import LedgerFormat

/// The manifests beside a reader's list of files that were made after it: one of them may be the list that counts.
///
/// Whoever puts an older copy over a ledger, LOCK included, takes CURRENT back, and the newer manifest still lies there. An
/// interrupted step leaves a newer one as well, and a step that somebody takes just now; what the files hold tells them apart.
///
/// Invariants:
/// - where no newer manifest lies in the folder, one listing of it is all that this costs;
/// - what is found while others may write is believed only where it is found again while nobody does, or, where somebody keeps the
///   folder lock, at every look with CURRENT and its manifest untouched: a reader is not refused for what others are in the middle of;
/// - what cannot be looked at keeps nobody from reading.
struct NewerManifests {
  /// So often it is looked, while somebody holds the folder lock.
  private static let looksMax = 4
  private static let pauseMilliseconds: UInt64 = 5

  private let directory: any LedgerDirectory
  private let held: HeldManifest
  private let pool: ZstdPool

  init(beside held: HeldManifest, in directory: any LedgerDirectory, pool: ZstdPool) {
    self.directory = directory
    self.held = held
    self.pool = pool
  }

  /// Requires that none of them shows that the list is out of date.
  ///
  /// - Throws: `damaged` where one does, as to who opens the ledger to write.
  func checkList() throws(LedgerError) {
    if held.manifest.isBackup { try checkBackup() }
    var outdated: LedgerError?
    for look in 0..<Self.looksMax {
      if look > 0 { sleep(milliseconds: Self.pauseMilliseconds) }
      guard isAnyThere, let found = whyOutdated() else { return }
      outdated = found
      guard let rest = FolderAtRest(directory) else { continue }
      defer { rest.end() }
      guard isAnyThere, let found = whyOutdated() else { return }
      throw found
    }
    if let outdated { throw outdated }
  }

  /// A backup is refused as a ledger is, but while a run is under way: the run makes it whole.
  private func checkBackup() throws(LedgerError) {
    guard isAnyThere else { return }
    do throws(LedgerError) {
      try NewerBackup(beside: held, in: directory).check()
    } catch {
      guard error.code != .damaged else { throw error }
    }
  }

  private var isAnyThere: Bool {
    guard let names = try? directory.list("") else { return false }
    return names.contains { name in
      LedgerNames.manifestNumber(name).map { $0 > held.manifest.number } ?? false
    }
  }

  /// Nil, too, where others took a step meanwhile: the list is as things were when it was read.
  private func whyOutdated() -> LedgerError? {
    // Its end is read anew, behind the files: others may have appended since it was opened.
    var unlisted = UnlistedFiles(
      directory, held, pool: pool, eventsMax: UnlistedFiles.quicklyComparedEventsMax)
    guard let outdated = (try? unlisted.find())?.outdated,
      (try? held.isUntouched(in: directory)) == true
    else { return nil }
    return outdated
  }
}
