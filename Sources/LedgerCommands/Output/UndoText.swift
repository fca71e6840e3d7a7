import LedgerCore
import LedgerFormat
import TaskLedger

/// What an undo or redo did to the tasks, before and after.
///
/// ```
/// undid transaction 3 of ann, 2026-11-30T12:02:00.000Z “the cat is allergic”
///
/// reopened milk  Get milk
///     done → open
///     body: "Get oat milk" → "Get milk"
/// ```
extension Session {
  /// - Parameter moment: where it went back to, if it did.
  func report(_ outcome: UndoOutcome, in ledger: Ledger, backTo moment: Moment? = nil) {
    let events = outcome.tasks.reduce(0) { $0 + $1.steps.count { $0.event != nil } }
    noteAppended(events)
    if isJSON {
      for task in outcome.tasks where out.isOpen { writeJSON(task) }
      for conflict in outcome.leftAlone where out.isOpen { writeJSON(leftAlone: conflict) }
      writeJSON(outcome, backTo: moment)
    } else {
      let end = moment.map { ": " + arrival(outcome, at: $0) } ?? ""
      out.line(title(outcome) + end)
      let place = outcome.tasks.count <= Self.shortIDsMax ? ledger : nil
      for task in outcome.tasks where out.isOpen {
        let id = shown(task.id, in: task.after == nil ? nil : place)
        write(task, as: id, isDryRun: outcome.transaction == nil)
      }
      for conflict in outcome.leftAlone {
        let verb = outcome.transaction == nil ? "would be" : "is"
        note("\(conflict.task) \(verb) left alone: \(conflict.reason)")
      }
      // `redo` does not always lead there: it passes over what only did something again.
      if moment != nil, let transaction = outcome.transaction {
        note("`ledger undo --transaction \(transaction)` takes this back")
      }
    }
  }

  private func title(_ outcome: UndoOutcome) -> String {
    let verb =
      switch (outcome.transaction != nil, outcome.isRedo) {
      case (true, false): "undid"
      case (true, true): "redid"
      case (false, false): "would undo"
      case (false, true): "would redo"
      }
    guard outcome.sources.count == 1, let source = outcome.sources.first else {
      let count = NumberText.count(outcome.sources.count, "transaction")
      let numbers = outcome.sources.map(\.transaction)
      return "\(verb) \(count), \(numbers.min() ?? 0) to \(numbers.max() ?? 0)"
    }
    let message = source.message.map { " “\(out.shown($0))”" } ?? ""
    return "\(verb) transaction \(source.transaction) of \(out.shown(source.author)), "
      + out.styled("\(source.time)", .dim) + message
  }

  /// What going back to a moment came to.
  private func arrival(_ outcome: UndoOutcome, at moment: Moment) -> String {
    let isOne = outcome.tasks.count == 1
    let verb = outcome.transaction == nil ? "would be" : isOne ? "is" : "are"
    return
      "\(NumberText.count(outcome.tasks.count, "task")) \(verb) as \(isOne ? "it was" : "they were") \(moment.place)"
  }

  private func write(_ task: UndoOutcome.TaskChange, as id: String, isDryRun: Bool) {
    out.line()
    let word = Self.word(task)
    let body = (task.after ?? task.before).map { out.shown($0.body) } ?? ""
    let shown = isDryRun ? word.conditional : word.rawValue
    let start = "\(out.styled(shown, word.style)) \(id)"
    out.line(body.isEmpty ? start : "\(start)  \(body)")
    if let standing = standing(task) { out.line("    \(standing)") }
    for change in task.changes where !Self.isStanding(change.name, task) {
      out.line(ChangeText.line(change, on: out))
    }
  }

  /// How the task stands before and after, in words; nil where that is the same.
  private func standing(_ task: UndoOutcome.TaskChange) -> String? {
    let (before, after) = (Self.standing(task.before), Self.standing(task.after))
    guard before != after else { return nil }
    let why = task.isMadeSince ? ", since it did not exist then" : ""
    return "\(out.styled(before, .red)) → \(out.styled(after, .green))\(why)"
  }

  private static func standing(_ task: TaskItem?) -> String {
    guard let task else { return "not there" }
    return task.isDeleted && task.isCompleted ? "deleted, done" : task.status.rawValue
  }

  /// Whether a field is told in words already.
  private static func isStanding(_ name: FieldName, _ task: UndoOutcome.TaskChange) -> Bool {
    (name == .isCompleted || name == .isDeleted) && standing(task.before) != standing(task.after)
  }

  private static func word(_ task: UndoOutcome.TaskChange) -> ChangeWord {
    guard let before = task.before else {
      // Restored is what is no longer deleted: it can be back, and deleted all the same.
      return task.after == nil ? .unchanged : .broughtBack
    }
    guard let after = task.after else { return .evicted }
    if before.isDeleted != after.isDeleted { return after.isDeleted ? .deleted : .restored }
    if task.changes.isEmpty { return .unchanged }
    guard task.changes.allSatisfy({ $0.name == .isCompleted }) else { return .updated }
    return after.isCompleted ? .completed : .reopened
  }
}

extension Session {
  private func writeJSON(_ task: UndoOutcome.TaskChange) {
    out.json { json in
      json.add("task", task.id.text)
      json.addChanges(task.changes)
      if task.isMadeSince { json.add("madeSince", true) }
      if let before = task.before { json.add("before", json: before.canonicalJSON) }
      if let after = task.after { json.add("after", json: after.canonicalJSON) }
      json.addObjects("steps", task.steps) { json, step in
        json.add("undoes", step.undoes)
        json.add("kind", step.kind.description)
        if let event = step.event {
          json.add(
            "event",
            json: EventJSON.bytes(AuditEntry(event: event, changes: step.changes, lost: [])))
        }
      }
    }
  }

  private func writeJSON(leftAlone conflict: Conflict) {
    out.json { json in
      json.addObject("leftAlone") { ConflictJSON.write(conflict, to: &$0) }
    }
  }

  private func writeJSON(_ outcome: UndoOutcome, backTo moment: Moment?) {
    out.json { json in
      json.add("dryRun", outcome.transaction == nil)
      if let moment { json.add("to", moment) }
      json.addObjects("undone", outcome.sources) { json, source in
        json.add("transaction", source.transaction)
        json.add("author", source.author)
        json.add("time", source.time.description)
        if let message = source.message { json.add("message", message) }
      }
      if let transaction = outcome.transaction { json.add("transaction", transaction) }
      json.add("tasks", outcome.tasks.count)
    }
  }
}
