import LedgerFormat

extension Transaction {
  /// Makes sure that a task is at a revision.
  ///
  /// - Parameter revision: nil: any; 0: no event ever touched the task.
  /// - Throws: `LedgerError` with code `conflict` that says who changed it since.
  package func require(_ revision: UInt64?, of id: TaskID) throws(LedgerError) {
    guard let revision else { return }
    try Self.require(revision, of: id, at: state(of: id).revision, in: wholeLog)
  }

  /// Makes sure that a task is at a revision, given the one at which it is.
  static func require(
    _ revision: UInt64, of id: TaskID, at found: UInt64, in log: WholeLog
  ) throws(LedgerError) {
    guard found != revision else { return }
    let since = try log.history(of: id).filter { $0.sequence > revision }
    throw isElsewhere(id, found, expected: revision, since)
  }

  /// Of more events since only the first are told.
  private static let eventsToldMax = 100

  private static func isElsewhere(
    _ id: TaskID, _ found: UInt64, expected: UInt64, _ since: [Event]
  ) -> LedgerError {
    guard found > expected, let first = since.first else {
      return LedgerError(
        .conflict, "the task \"\(id)\" is at revision \(found), expected \(expected)",
        hint: "`ledger get --revision \(id)` shows at which revision a task is")
    }
    var conflicts: [Conflict] = []
    for event in since.prefix(eventsToldMax) {
      // Who makes a task wins it as a whole, whatever it is given.
      if event.kind == .evict || (event.kind == .upsert && expected == 0) {
        conflicts.append(Conflict(id, by: event))
      } else {
        for change in event.changes {
          conflicts.append(Conflict(id, change.name, theirs: change.value, by: event))
        }
      }
    }
    let winner = conflicts.first?.reason ?? Conflict(id, by: first).reason
    let rest = conflicts.count > 1 ? ", and \(conflicts.count - 1) more" : ""
    var error = LedgerError(
      .conflict,
      "the task \"\(id)\" is at revision \(found), expected \(expected): \(winner)\(rest)",
      hint:
        "`ledger audit \(id.text.shellWord)` shows what was changed; look at it again, then decide")
    error.conflicts = conflicts
    return error
  }
}
