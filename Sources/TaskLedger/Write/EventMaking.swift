import LedgerFormat

/// From commands to events.
extension WriteSession {
  /// The event that a command makes of a task; nil when it would change nothing.
  ///
  /// - Parameters:
  ///   - task: the command's task, as this session keeps it.
  ///   - transaction: the sequence number of the first event of its transaction; nil when it is the first itself.
  ///   - now: when the transaction is recorded.
  /// - Throws: `LedgerError` with code `invalid` or `noSuchTask` for what the rules refuse.
  func event(
    for command: Command, of task: KeptTask, transaction: UInt64?, now: LedgerTime
  ) throws(LedgerError) -> Event? {
    let stamp = try stamp(for: command.time, now: now)
    let changes =
      task.state.isOlder(than: stamp)
      ? try task.state.changes(for: command) : try lateChanges(for: command, of: task, at: stamp)
    guard let changes else { return nil }
    let sequence = tip.sequence + 1
    return Event(
      sequence: sequence, stamp: stamp, kind: command.kind, task: command.task, changes: changes,
      author: command.author, message: command.message.flatMap { $0.isEmpty ? nil : $0 },
      transaction: transaction ?? sequence, endsTransaction: false, recorded: now,
      undoes: command.undoes)
  }

  /// The changes of a command that acts on its task as it stood at an earlier stamp.
  private func lateChanges(
    for command: Command, of task: KeptTask, at stamp: Stamp
  ) throws(LedgerError) -> [FieldChange]? {
    let past = try state(of: task, before: stamp)
    do {
      return try past.changes(for: command)
    } catch {
      guard error.code == .noSuchTask, task.state.exists else { throw error }
      var error = error
      error.sentence += " at \(stamp.time)"
      error.hint = "a command with a time acts on the task as it stood then; the task came later"
      throw error
    }
  }

  /// An event without a given time is stamped no earlier than the newest of the ledger.
  private func stamp(for time: LedgerTime?, now: LedgerTime) throws(LedgerError) -> Stamp {
    let count = tip.ownCount + 1
    if let time {
      let ahead = time.milliseconds - now.milliseconds
      guard ahead <= Limits.futureMillisecondsMax else {
        throw LedgerError(
          .invalid, "the time \(time) lies more than a day in the future",
          hint: "the machine's clock says \(now)")
      }
      return Stamp(time: time, replica: replica, count: count)
    }
    var stamped = now
    if let newest = tip.newest {
      let least = newest.time.milliseconds + (newest.isForeign ? 1 : 0)
      if least > now.milliseconds { stamped = try LedgerTime(milliseconds: least) }
    }
    return Stamp(time: stamped, replica: replica, count: count)
  }
}

extension Event {
  /// Refuses an event that is larger than one can be.
  ///
  /// - Returns: its size in bytes of canonical JSON.
  func checkedSize() throws(LedgerError) -> Int {
    let size = canonicalSize
    guard size <= Limits.eventBytesMax else { throw tooLarge }
    return size
  }

  /// Refuses an event that is larger than one can be.
  func checkSize() throws(LedgerError) {
    guard isWithinLimit else { throw tooLarge }
  }

  private var tooLarge: LedgerError {
    LedgerError(
      .invalid, "an event has \(canonicalSize) bytes, expected at most \(Limits.eventBytesMax)",
      hint: "split the change into smaller ones")
  }
}

extension TaskState {
  /// Whether every event of the task has a smaller stamp.
  fileprivate func isOlder(than stamp: Stamp) -> Bool { newest.map { $0 < stamp } ?? true }
}
