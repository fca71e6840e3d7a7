import LedgerCore
import LedgerFormat
import TaskLedger

/// What a command did to one task.
struct TaskOutcome {
  var id: TaskID
  /// The text of the task afterwards; of an evicted one, before.
  var body: String
  /// What happened, in a word.
  var word: ChangeWord
  /// The event that was appended; nil when there was nothing to change.
  var entry: AuditEntry?
  /// Whether it was changed although it is deleted, and still is: no list shows what was done.
  var isHidden = false

  /// Whether it took the text from a task that is there.
  var isEmptied: Bool {
    guard let entry, [.upsert, .update].contains(entry.event.kind) else { return false }
    return body.isEmpty && word != .created && entry.changes.contains { $0.name == .body }
  }
}

extension Session {
  /// Carries out commands in one transaction: all of them, or none; with `--dry-run` only as far as their events.
  ///
  /// - Parameters:
  ///   - word: what to call a change; nil: by its kind.
  ///   - check: throws what speaks against it.
  func perform(
    _ commands: [Command], on ledger: Ledger, word: ChangeWord? = nil,
    check: (Transaction) throws(LedgerError) -> Void = { _ in }
  ) throws -> [TaskOutcome] {
    try perform(on: ledger, word: word) { (transaction) throws(LedgerError) in
      try transaction.prefetch(commands)
      try check(transaction)
      return commands
    }
  }

  /// Carries out the commands that a transaction calls for: all of them, or none.
  func perform(
    on ledger: Ledger, word: ChangeWord? = nil,
    _ commands: (Transaction) throws(LedgerError) -> [Command]
  ) throws -> [TaskOutcome] {
    var outcomes = try transaction(on: ledger) { transaction in
      let commands = try commands(transaction)
      if let expected = try expectedRevision(of: commands) {
        try transaction.require(expected.revision, of: expected.task)
      }
      return try commands.map { (command) throws(LedgerError) in
        try checkTags(of: command.task, in: transaction)
        return try Self.perform(command, in: transaction, word: word)
      }
    }
    if let last = outcomes.lastIndex(where: { $0.entry != nil }) {
      outcomes[last].entry?.event.endsTransaction = true
    }
    if !isDryRun { noteAppended(outcomes.count { $0.entry != nil }) }
    return outcomes
  }

  /// Refuses to add a tag by a word where the tags are of another kind: it would replace them all, and reads as if it added one.
  private func checkTags(of id: TaskID, in transaction: Transaction) throws(LedgerError) {
    guard let name = tagWords.first, let tags = try transaction.task(id)?[ShortForms.tagsField.text]
    else { return }
    let tag = name.text.dropping("\(ShortForms.tagsField).")
    throw LedgerError(
      .invalid,
      "+\(tag) would replace the tags of task \"\(id)\", which are \(tags.typeName): \(ValueText.quoted(tags).shortened)",
      hint:
        "a list is set as a whole by --set tags='[…]'; to replace it all the same: --set \(name)=true"
    )
  }

  /// The revision that `--if-revision` names, and whose it is.
  func expectedRevision(
    of commands: [Command]
  ) throws(LedgerError) -> (task: TaskID, revision: UInt64)? {
    guard let revision = try arguments.number("if-revision") else { return nil }
    guard let task = commands.first?.task, commands.allSatisfy({ $0.task == task }) else {
      throw LedgerError(
        .usage,
        "--if-revision is the revision of one task, found \(Set(commands.map(\.task)).count) tasks",
        hint: "change one task at a time")
    }
    return (task, revision)
  }

  private static func perform(
    _ command: Command, in transaction: Transaction, word: ChangeWord?
  ) throws(LedgerError) -> TaskOutcome {
    let before = try transaction.state(of: command.task)
    let event = try transaction.perform(command)
    let isEvict = command.kind == .evict
    let after = isEvict ? before : try transaction.state(of: command.task)
    let item = after.item(command.task)
    return TaskOutcome(
      id: command.task, body: item?.body ?? "",
      word: event.map { word ?? self.word($0, existed: before.exists) } ?? .unchanged,
      entry: event.map { TaskHistory.entry($0, after: before) },
      isHidden: event != nil && !isEvict && item?.isDeleted == true
        && before.item(command.task)?.isDeleted == true)
  }

  private static func word(_ event: Event, existed: Bool) -> ChangeWord {
    switch event.kind {
    case .upsert: existed ? .updated : .created
    case .update: .updated
    case .toggle: event.changes.first?.value == .bool(true) ? .completed : .reopened
    case .delete: .deleted
    case .evict: .evicted
    }
  }

  /// Each of them costs a look into the ledger.
  static let shortIDsMax = 100

  /// Says what was done, or would be, a line for each task.
  ///
  /// - Parameter ledger: where the tasks are, if their ids may be shown in short on a terminal.
  func report(_ outcomes: [TaskOutcome], in ledger: Ledger? = nil) {
    let place = outcomes.count <= Self.shortIDsMax ? ledger : nil
    for outcome in outcomes where out.isOpen {
      if isJSON, isDryRun {
        writeTried(outcome)
      } else if isJSON {
        out.json { json in
          json.add("task", outcome.id.text)
          json.add("changed", outcome.entry != nil)
          if let entry = outcome.entry { json.add("event", json: EventJSON.bytes(entry)) }
        }
      } else {
        // Who wants an evicted task back, or made anew, needs all of its id.
        let id = shown(outcome.id, in: outcome.word == .evicted ? nil : place)
        let word = isDryRun ? outcome.word.conditional : outcome.word.rawValue
        write(word, outcome.word.style, id, body: outcome.body)
        if outcome.word.tellsFields { writeFields(outcome.entry?.changes ?? []) }
      }
    }
    noteHidden(outcomes.filter(\.isHidden).map(\.id))
    noteEmptied(outcomes.filter(\.isEmptied).map(\.id))
  }

  /// A line about one task; on a terminal its text is cut to the width.
  func write(_ word: String, _ style: TextStyle, _ id: String, body: String) {
    let start = "\(out.styled(word, style)) \(id)"
    let body = out.shown(body)
    let used = TextColumns.count("\(word) \(id)  ")
    let shown = out.isTerminal ? TextColumns.cut(body, to: max(16, out.columns - used)) : body
    out.line(shown.isEmpty ? start : "\(start)  \(shown)")
  }

  /// From what to what, a line for each field.
  func writeFields(_ changes: [AuditEntry.Change]) {
    for change in changes where out.isOpen { out.line(ChangeText.line(change, on: out)) }
  }

  private func noteHidden(_ ids: [TaskID]) {
    guard let first = ids.first else { return }
    note(
      ids.count == 1
        ? "\(first) is deleted, and stays so; `ledger restore` brings it back"
        : "\(ids.count) of these tasks are deleted, and stay so; `ledger restore` brings them back")
  }

  /// A text may be empty: only it is said, where a list then shows nothing.
  private func noteEmptied(_ ids: [TaskID]) {
    guard let first = ids.first else { return }
    let wayBack = isDryRun ? "" : "; `ledger undo` takes it back"
    let verb = isDryRun ? "would have" : ids.count == 1 ? "has" : "have"
    note(
      ids.count == 1
        ? "\(first) \(verb) no text any more, which is what lists show\(wayBack)"
        : "\(ids.count) of these tasks \(verb) no text any more, which is what lists show\(wayBack)"
    )
  }

  /// Why the change is made.
  var message: String? { arguments.value("message") }
}
