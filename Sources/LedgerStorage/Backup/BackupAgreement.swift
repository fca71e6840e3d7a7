import LedgerCore
import LedgerFormat

/// Whether a log may become what a backup holds: a backup never loses an event to it, but by a fold that it was asked to follow.
///
/// Each check throws `alreadyExists`, and says what to do instead.
struct BackupAgreement {
  private let view: LogView
  private let target: any LedgerDirectory
  private let followsFold: Bool

  init(_ view: LogView, _ target: any LedgerDirectory, followsFold: Bool) {
    self.view = view
    self.target = target
    self.followsFold = followsFold
  }

  /// - Parameters:
  ///   - known: the list that the backup has.
  ///   - newer: those that came after it, where an older copy was put over the backup.
  func check(_ known: Manifest, newer: [Manifest]) throws(LedgerError) {
    try checkFits(known)
    try checkKeepsHistory(known)
    try checkKeepsLost([known] + newer)
    try checkHolds(newer)
  }

  /// Refuses a folder whose list is not that of a backup of this ledger.
  func checkFits(_ known: Manifest) throws(LedgerError) {
    guard known.isBackup else { throw refusal("the folder holds a ledger that is no backup") }
    guard known.ledger == view.manifest.ledger else {
      throw refusal("the folder holds a backup of another ledger")
    }
  }

  /// Refuses to take the only history that is left of what was folded by mistake.
  private func checkKeepsHistory(_ known: Manifest) throws(LedgerError) {
    guard !followsFold, let horizon = view.horizon?.sequence else { return }
    let kept = Horizon(known)?.sequence ?? 0
    guard horizon > kept, known.closedEnd.sequence > kept else { return }
    // A backup that ends inside of what was folded cannot be followed: whether it has the same events can no longer be told.
    let isFollowable = known.closedEnd.sequence >= horizon
    throw refusal(
      "the history that was folded in the ledger, up to event \(horizon), is still there",
      hint: "back up to another folder, which keeps that history here"
        + (isFollowable ? ", or use --follow-fold, which folds it here, too" : "")
        + "; nothing was changed")
  }

  /// Refuses a log without the events of a newer list, over which an older copy was put.
  private func checkHolds(_ newer: [Manifest]) throws(LedgerError) {
    guard !newer.isEmpty else { return }
    var digests = ListDigests(view.directory, view.manifest, pool: view.pool)
    try digests.look(at: Set(newer.map(\.closedEnd.sequence)))
    for list in newer where digests[list.closedEnd.sequence] != list.closedEnd.value {
      throw otherEvents(
        "an older copy was put over the backup, and \(LedgerNames.manifest(list.number)) in it leads to event \(list.closedEnd.sequence)"
      )
    }
  }

  /// Refuses to take events out that the ledger has lost.
  private func checkKeepsLost(_ lists: [Manifest]) throws(LedgerError) {
    for list in lists {
      let loss = LossBesideBackup(of: view.manifest, beside: list)
      guard !loss.isEmpty else { continue }
      throw refusal(
        "the folder holds events that the ledger has lost", cause: loss.text, hint: loss.hint)
    }
  }

  func refusal(
    _ sentence: String, cause: String? = nil,
    hint: String = "name another folder, which is new or empty; nothing was changed"
  ) -> LedgerError {
    LedgerError(.alreadyExists, sentence, path: target.path, cause: cause, hint: hint)
  }

  func otherEvents(_ cause: String) -> LedgerError {
    refusal("the folder holds events that the ledger does not have", cause: cause)
  }
}
