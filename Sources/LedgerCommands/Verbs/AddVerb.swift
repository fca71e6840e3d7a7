import LedgerCore
import TaskLedger

/// `ledger add`
enum AddVerb: Verb {
  static let description = VerbDescription(
    "add", "add a task, and print its id",
    usage: ["BODY... [due:DAY] [pri:N] [+TAG]... [--set F=V]... [--id ID] [--message TEXT]"],
    operands: .some("BODY"),
    options: [
      .set,
      .init("id", "ID", "the id of the task, 1 to 256 bytes; a random UUID when left out"),
      .message,
    ],
    details: [
      "The words of BODY make up the text of the task. What begins with a dash goes behind --. A task that exists "
        + "already is left alone, with exit code 73; `ledger upsert --id` changes it."
    ] + ShortForms.details + [ShortForms.emptyAsText],
    examples: [
      .init("ledger add Get milk", "adds a task with the text \"Get milk\""),
      .init(
        "ledger add Buy milk due:tomorrow +home pri:1",
        "adds \"Buy milk\" with a date, the field tags.home and a priority"),
      .init(
        "ledger add Water the plants --set due=2026-12-01 --set priority=2 --id plants",
        "adds one with two more fields and a chosen id"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let misspelt = ShortForms.misspelt(in: session.arguments)
    let short = try session.takeShortForms(unsets: false)
    let arguments = session.arguments
    guard !arguments.operands.isEmpty else {
      throw LedgerError(
        .usage, "add needs a text beside what sets fields",
        hint: "where such a word is the text, put it behind --")
    }
    let body = arguments.operands.joined(separator: " ")
    guard !body.unicodeScalars.allSatisfy(\.properties.isWhitespace) else {
      throw LedgerError(
        .usage, "add needs a text: found \(body.isEmpty ? "an empty one" : "blanks alone")",
        hint: "`ledger upsert --id ID` makes a task without a text")
    }
    let changes = try ChangeSet(
      [FieldChange(.body, .text(body))] + short + FieldArguments.changes(arguments))
    let chosen = try arguments.value("id").map { (id) throws(LedgerError) in try TaskID(id) }
    let ledger = try session.openForWriting(makesOwn: true)
    let command = Command(
      .upsert, chosen ?? session.context.configuration.makeID(), changes, author: ledger.author,
      message: session.message)
    let slips = try session.fieldSlips(amongAll: ledger)
    let outcomes = try session.add(command, to: ledger)
    if session.isJSON {
      session.report(outcomes)
    } else {
      for outcome in outcomes { session.out.line(session.out.shown(outcome.id)) }
    }
    if let word = assignmentInText(arguments),
      misspelt?.word.hasSameBytes(as: word) != true
    {
      session.note("\"\(word)\" is part of the text; a field is set by --set \(word)")
    }
    if let misspelt {
      session.note("\"\(misspelt.word)\" is part of the text; a field is set by \(misspelt.meant)")
    }
    session.note(slips)
    session.noteDaysSetAsText()
    return .done
  }

  /// A word of the text that seems meant to set a field: beside one that does, or beside a quoted text.
  private static func assignmentInText(_ arguments: Arguments) -> String? {
    let words = arguments.operands.prefix(arguments.literalStart ?? arguments.operands.count)
    guard arguments.has("set") || words.contains(where: \.hasBlanks) else { return nil }
    return FieldArguments.assignment(among: Array(words))
  }
}

extension Session {
  /// Carries out the upsert of a task that must not exist yet.
  fileprivate func add(_ command: Command, to ledger: Ledger) throws -> [TaskOutcome] {
    try perform([command], on: ledger) { (transaction) throws(LedgerError) in
      guard try transaction.task(command.task) != nil else { return }
      throw LedgerError(
        .alreadyExists, "there already is a task \"\(command.task)\"",
        hint: "`ledger upsert --id` changes a task that is there")
    }
  }
}
