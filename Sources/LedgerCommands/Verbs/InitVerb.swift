import LedgerCore
import TaskLedger

/// `ledger init`
enum InitVerb: Verb {
  static let description = VerbDescription(
    "init", "make a ledger",
    usage: ["[PATH]"],
    operands: .optional("PATH"),
    details: [
      "Makes a ledger in a folder that is missing or empty: PATH, else --ledger, else LEDGER_PATH, else "
        + ".ledger in the working folder. A ledger that is there already is left alone, with exit code 73."
    ],
    examples: [
      .init("ledger init", "makes .ledger here; commands in this folder and below it use it"),
      .init("ledger init ~/tasks.ledger", "makes one elsewhere"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let path = try path(session)
    try PathKind.refuseObstacle(at: path, to: "make a ledger", holding: "a ledger")
    let ledger = try CommandFailure.creating { () throws(LedgerError) in
      try Ledger.create(at: path, configuration: session.context.configuration)
    }
    session.noteDone("the ledger was made", "`ledger verify` shows that it is sound")
    let statistics = try ledger.statistics()
    if session.isJSON {
      session.out.json { json in
        json.add("path", path)
        json.add("ledger", statistics.ledger)
        json.add("replica", statistics.replica)
      }
    } else {
      session.out.line("made a ledger in \(session.out.shown(path))")
    }
    return .done
  }

  private static func path(_ session: Session) throws(LedgerError) -> String {
    let context = session.context
    if let path = session.arguments.operands.first {
      guard !session.globals.has("ledger") else {
        throw LedgerError(
          .usage, "init is given two places: --ledger and PATH", hint: "give one of them")
      }
      guard !path.isEmpty else { throw LedgerError(.usage, "PATH is empty, expected a path") }
      return try context.resolve(path)
    }
    if let given = try LedgerLocation.given(session.globals, context) { return given.path }
    return try context.resolve(LedgerLocation.folderName)
  }
}
