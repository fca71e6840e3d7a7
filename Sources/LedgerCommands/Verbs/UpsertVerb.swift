import LedgerCore
import LedgerFormat
import TaskLedger

/// `ledger upsert`
enum UpsertVerb: Verb {
  static let description = VerbDescription(
    "upsert", "make tasks, or set fields of tasks that are there",
    usage: [
      "JSON... [--if-revision N] [--dry-run] [--message TEXT]",
      "- [--dry-run] [--message TEXT]",
      "--id ID [due:DAY] [pri:N] [+TAG]... [--set F=V]... [--if-revision N] [--dry-run] [--message TEXT]",
    ],
    operands: .any("JSON"),
    options: [
      .init("id", "ID", "the whole id of the task"),
      .set, .ifRevision, .dryRun, .message,
    ],
    details: [
      "Each JSON is a document: an object with \"_id\" (a random UUID when left out), \"body\", \"isCompleted\", "
        + "\"isDeleted\" and any further fields; null unsets a field. The fields that are given are set, others stay as "
        + "they are. All documents are one transaction: all are in, or none. One with \"id\" and without \"_id\" is refused.",
      "- reads documents from standard input, one a line, as `ledger --json list` and `ledger --json get` print them: at most "
        + "\(Limits.transactionEventsMax) lines of \(Limits.transactionBytesMax >> 20) MiB together.",
    ] + ShortForms.details + [
      "Beside --id, single words such as due:fri, pri:1 and +home set fields, too. \(ShortForms.unsetting)"
    ],
    examples: [
      .init(
        "ledger upsert '{\"_id\":\"123abc\",\"body\":\"Get milk\",\"tags\":{\"home\":true}}'",
        "makes the task 123abc, or sets its text and its field tags.home"),
      .init("ledger upsert --id 123abc --set isDeleted=false", "brings it back if it was deleted"),
      .init(
        "cat tasks.ndjson | ledger upsert -",
        "sets what the documents of a file hold, one a line"),
      .init(
        "cat tasks.ndjson | ledger upsert - --dry-run",
        "what that would make and change, and which document would be refused"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let documents = try documents(session)
    let ledger = try session.openForWriting(makesOwn: true)
    let commands = documents.map { document in
      Command(
        .upsert, document.id ?? session.context.configuration.makeID(), document.changes,
        author: ledger.author, message: session.message)
    }
    // A document says its id in full; what is typed behind --id may be meant for a prefix.
    let chosen = try session.arguments.value("id").map { (id) throws(LedgerError) in try TaskID(id)
    }
    let similar = chosen.flatMap { ledger.task(beginningWith: $0) }
    let slips = try session.fieldSlips(amongAll: ledger)
    let outcomes = try session.perform(commands, on: ledger)
    session.report(outcomes)
    if documents.isEmpty {
      session.note("standard input holds no document: nothing is changed")
    } else {
      session.noteDryRun(changing: Set(outcomes.filter { $0.entry != nil }.map(\.id)).count)
    }
    session.note(slips)
    session.noteDaysSetAsText()
    session.noteTextless(outcomes.filter { $0.word == .created }, among: documents.count)
    if let similar, let made = outcomes.first(where: { $0.word == .created }) {
      let verb = session.isDryRun ? "would be" : "is"
      session.note(
        "\(made.id) \(verb) a new task, for upsert takes whole ids; the id \(similar) begins alike")
    }
    return .done
  }

  private static func documents(
    _ session: Session
  ) throws(LedgerError) -> [(id: TaskID?, changes: ChangeSet)] {
    let short = try session.takeShortForms(unsets: true)
    let arguments = session.arguments
    let operands = arguments.operands
    guard operands.isEmpty else {
      guard !arguments.hasAny(of: ["id", "set"]), short.isEmpty else {
        throw LedgerError(
          .usage, "upsert takes documents, or --id and --set, not both",
          hint: FieldArguments.hint(about: operands) ?? textHint(operands)
            ?? ArgumentReader.usageHint(description))
      }
      if operands == ["-"] { return try DocumentStream.read(session.context.input) }
      var documents: [(id: TaskID?, changes: ChangeSet)] = []
      for (index, operand) in operands.enumerated() {
        let place = operands.count == 1 ? "the document" : "document \(index + 1)"
        do throws(LedgerError) {
          documents.append(try document(operand, place: place))
        } catch {
          var error = error
          if isStream(operand, session) {
            error.hint =
              operand == "-"
              ? "- stands alone: it reads documents from standard input"
              : "`ledger upsert - < \(operand.shortenedPath.shellWord)` reads documents, `ledger apply \(operand.shortenedPath.shellWord)` commands, one a line"
          }
          throw error
        }
      }
      return documents
    }
    guard let id = arguments.value("id") else {
      throw LedgerError(
        .usage, "upsert needs a JSON document, or --id", hint: "`ledger add` makes a new task")
    }
    return [(try TaskID(id), try ChangeSet(short + FieldArguments.changes(arguments)))]
  }

  /// Words beside --id that are no document were meant for the text of the task.
  private static func textHint(_ operands: [String]) -> String? {
    guard operands != ["-"], operands.allSatisfy({ $0.utf8.first != 0x7b }) else { return nil }
    return "the text is set by --set body=\"\(operands.joined(separator: " ").shortened)\""
  }

  /// Whether it names what can be read rather than says it.
  private static func isStream(_ operand: String, _ session: Session) -> Bool {
    if operand == "-" { return true }
    guard !operand.isEmpty, let path = try? session.context.resolve(operand),
      case .other = PathKind.of(path)
    else { return false }
    return true
  }

  private static func document(
    _ json: String, place: String
  ) throws(LedgerError) -> (id: TaskID?, changes: ChangeSet) {
    do throws(LedgerError) {
      return try DocumentReader.documentToUpsert(Array(json.utf8)[...])
    } catch {
      var error = error.under(place)
      if json.utf8.first != 0x7b { error.hint = error.hint ?? "`ledger add` takes plain text" }
      throw error
    }
  }
}

extension Session {
  /// Says which of the tasks that documents made nobody can read.
  fileprivate func noteTextless(_ made: [TaskOutcome], among documents: Int) {
    guard arguments.value("id") == nil else { return }
    let textless = made.count { $0.body.isEmpty }
    guard textless > 0 else { return }
    let which =
      documents == 1
      ? "the new task has no text"
      : "\(textless) of the new tasks \(textless == 1 ? "has" : "have") no text"
    let wayBack = isDryRun ? "" : "; `ledger undo` takes it back"
    note("\(which), for what is shown in lists is the field \"body\"\(wayBack)")
  }
}
