import LedgerCore
import LedgerFormat
import TaskLedger

/// What a command would do to the tasks that it chooses: found by reading alone, and without a lock.
extension Session {
  /// Says what commands would change.
  ///
  /// - Parameter word: what to call a change; nil: by what it is.
  func preview(
    _ choice: TaskChoice, named ids: [TaskID], on ledger: Ledger, word: ChangeWord?,
    _ command: (TaskID) -> Command
  ) throws {
    try choice.check(amongAll: ledger)
    let found = try choice.query.map { (query) throws(LedgerError) in try ledger.find(query) }
    let commands = (found?.map(\.id) ?? ids).map(command)
    let expected = try expectedRevision(of: commands)
    let previews = try ledger.preview(commands, expecting: expected)
    let place = previews.count <= Self.shortIDsMax ? ledger : nil
    for preview in previews where out.isOpen { write(preview, word, in: place) }
    if let query = choice.query, let found {
      noteUnknown(try UnknownField.find(in: query, amongAll: ledger, found: found))
    }
    let changed = previews.count { $0.changes != nil }
    guard !isJSON else { return }
    if choice.query != nil, previews.isEmpty {
      return note("no task meets the query: nothing would change")
    }
    note("\(NumberText.count(changed, "task")) would change; nothing is changed")
  }

  private func write(_ preview: CommandPreview, _ word: ChangeWord?, in ledger: Ledger?) {
    guard !isJSON else { return writeJSON(preview) }
    let word = preview.changes.map { word ?? Self.word(preview.command, $0) } ?? .unchanged
    let id = shown(preview.command.task, in: word == .evicted ? nil : ledger)
    write(word.conditional, word.style, id, body: preview.before.body)
    if word.tellsFields { writeFields(preview.changes ?? []) }
  }

  private static func word(_ command: Command, _ changes: [AuditEntry.Change]) -> ChangeWord {
    switch command.kind {
    case .upsert, .update: .updated
    case .toggle: changes.first?.new == .bool(true) ? .completed : .reopened
    case .delete: .deleted
    case .evict: .evicted
    }
  }

  private func writeJSON(_ preview: CommandPreview) {
    out.json { json in
      json.add("task", preview.command.task.text)
      json.add("dryRun", true)
      json.add("changed", preview.changes != nil)
      guard let changes = preview.changes else { return }
      json.add("kind", preview.command.kind.description)
      json.addObject("changes") { json in
        for change in changes {
          json.addObject(change.name.text) { values in
            if let old = change.old { values.add("old", old) }
            if let new = change.new { values.add("new", new) }
          }
        }
      }
    }
  }
}

extension VerbDescription.Option {
  static let dryRun = flag("dry-run", "print what would be done, and change nothing")
}
