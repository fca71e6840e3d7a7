import LedgerCore
import TaskLedger

/// `ledger undo`
enum UndoVerb: Verb {
  static let description = VerbDescription(
    "undo", "take changes back, by events that name what they undo",
    usage: [
      "[--force] [--dry-run] [--message TEXT]", "ID [--force] [--dry-run] [--message TEXT]",
      "--transaction N [--force] [--dry-run] [--message TEXT]",
      "--to MOMENT [--force] [--dry-run] [--message TEXT]",
    ],
    operands: .optional("ID"),
    options: [
      .init(
        "transaction", "N",
        "undo transaction N, whoever made it; `ledger log` and `ledger audit` show the numbers. One that is an undo is redone"
      ),
      .init(
        "to", "MOMENT",
        "undo all that came after a moment, whoever did it: a number is a sequence number, anything else a time, or a day such as yesterday"
      ),
      .force, .dryRun, .message,
    ],
    details: [
      "Without more, what is undone is the author's last transaction: one command, however many tasks it changed. Again, and "
        + "it is the one before that; `ledger redo` comes forward. With ID it is the last change of that task, whoever made it; "
        + "what the same command did to other tasks stays.",
      "Nothing is rewritten: a creation is undone by a delete, a delete by a restore, an evict by an upsert of what was there, a "
        + "toggle by a toggle, an update by setting the old values.",
      "With --to every task is afterwards as it was at the moment, as `ledger list --at MOMENT` shows it. One that was made since is "
        + "deleted, which `ledger restore` takes back. All of it is one transaction, whose number is printed: `ledger undo "
        + "--transaction N` is the way back to where you were. (`ledger redo` is, too, unless all that the way back did was to take "
        + "earlier undos back: then it looks for an undo before that.)",
      "Where a later change, by anyone, would be lost, nothing is undone, and each is told: exit code 1, as where there is nothing to "
        + "undo. With --force it is done nevertheless; a task that was evicted since is left alone. History that was folded "
        + "cannot be undone.",
    ],
    examples: [
      .init("ledger undo", "takes back what you did last"),
      .init("ledger undo 123abc", "takes back the last change of one task"),
      .init(
        "ledger undo --to 2026-11-30T09:00:00Z --dry-run",
        "what going back to this morning would change"),
      .init(
        "ledger undo --transaction 1204 --message 'wrong list'", "takes back what somebody did"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let arguments = session.arguments
    let moment = try session.moment("to")
    let number = try arguments.number("transaction")
    let named = [!arguments.operands.isEmpty, moment != nil, number != nil].count { $0 }
    guard named <= 1 else {
      throw LedgerError(
        .usage, "undo takes one of ID, --transaction and --to, found \(named)",
        hint: ArgumentReader.usageHint(description))
    }
    let ledger = try session.openForWriting()
    var target = UndoTarget.last
    if let id = arguments.operands.first { target = .task(try task(id, in: ledger)) }
    if let number { target = .transaction(number) }
    if let moment { target = .moment(moment) }
    let outcome = try session.showingProgress("event") { progress in
      try ledger.undo(
        target, message: session.message, isForced: arguments.has("force"),
        isDryRun: session.isDryRun
      ) { progress.update($0) }
    }
    session.report(outcome, in: ledger, backTo: moment)
    return .done
  }

  private static func task(_ id: String, in ledger: Ledger) throws(LedgerError) -> TaskID {
    do throws(LedgerError) {
      return try ledger.resolve(id)
    } catch {
      var error = error
      if !id.isEmpty, id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        error.hint = "a transaction is named by --transaction \(id.shortened)"
      }
      throw error
    }
  }
}

/// `ledger redo`
enum RedoVerb: Verb {
  static let description = VerbDescription(
    "redo", "take the last undo back",
    usage: ["[--force] [--dry-run] [--message TEXT]"],
    options: [.force, .dryRun, .message],
    details: [
      "What is redone is what the author undid last. Again, and it is the undo before that. A new change by the author ends "
        + "what can be redone; `ledger undo --transaction N` takes any undo back.",
      "Where a later change would be lost nothing is redone: exit code 1, as where there is nothing to redo.",
    ],
    examples: [
      .init("ledger redo", "does again what `ledger undo` took back"),
      .init("ledger redo --dry-run", "what that would change"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let ledger = try session.openForWriting()
    let outcome = try session.showingProgress("event") { progress in
      try ledger.redo(
        message: session.message, isForced: session.arguments.has("force"),
        isDryRun: session.isDryRun
      ) { progress.update($0) }
    }
    session.report(outcome, in: ledger)
    return .done
  }
}

extension VerbDescription.Option {
  fileprivate static let force = flag("force", "do it although later changes are lost")
}
