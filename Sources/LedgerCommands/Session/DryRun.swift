import LedgerCore
import LedgerFormat
import TaskLedger

/// What a command would do: it is carried out as far as its events, without a lock, and nobody writes them.
extension Session {
  /// Whether nothing is to be changed.
  var isDryRun: Bool { arguments.has("dry-run") }

  /// Runs a transaction, in earnest or only as far as its events.
  func transaction<R>(on ledger: Ledger, _ body: (Transaction) throws -> R) throws -> R {
    guard isDryRun else { return try ledger.transaction(body) }
    return try Rehearsal(ledger).transaction(body)
  }

  /// A ledger in the place of the user's own where that is missing: a dry run makes none.
  func emptyLedger(
    insteadOf location: LedgerLocation, author: String, _ configuration: LedgerConfiguration
  ) throws(LedgerError) -> Ledger {
    note("your own ledger in \(location.path) would be made")
    return try Ledger.inMemory(author: author, configuration: configuration)
  }

  /// Says of a dry run for people that it was one.
  func noteDryRun(changing count: Int) {
    guard isDryRun, !isJSON else { return }
    note("\(NumberText.count(count, "task")) would change; nothing is changed")
  }

  /// What would become of a task, for programs.
  func writeTried(_ outcome: TaskOutcome) {
    out.json { json in
      json.add("task", outcome.id.text)
      json.add("dryRun", true)
      json.add("changed", outcome.entry != nil)
      guard let entry = outcome.entry else { return }
      json.add("kind", entry.kind.description)
      json.addChanges(entry.changes)
    }
  }
}

extension VerbDescription.Option {
  static let dryRun = flag("dry-run", "print what would be done, and change nothing")
}
