import LedgerCore
import TaskLedger

/// `ledger restore`
enum RestoreVerb: Verb {
  static let description = VerbDescription(
    "restore", "bring deleted tasks back, or a ledger from a backup",
    usage: TaskChangeHelp.usage + ["--from BACKUP"],
    operands: .any("ID"),
    options: TaskChangeHelp.options + [
      .init("from", "BACKUP", "make a ledger of a backup, where `ledger init` would make one")
    ],
    details: [
      "What was evicted cannot be restored: `ledger undo ID` takes an evict back, `ledger audit ID` shows the history that "
        + "stays.",
      TaskChangeHelp.ids,
      "With --where it is every deleted task that meets QUERY, in the order of ids; `ledger list 'isDeleted && (QUERY)'` shows "
        + "them. That none does is no error.",
      TaskChangeHelp.oneTransaction,
      "With --from no task is named: a new ledger is made of the backup, in .ledger in the working folder, or where --ledger or "
        + "LEDGER_PATH says. That folder must be missing or empty, else the exit code is 73: nothing is ever "
        + "overwritten. The ledger has all events of the backup, and is a new replica: what it appends is told apart from what "
        + "the original may still append. What was lost before, as a repair recorded, is named and not counted. A backup "
        + "over which an older copy was put is refused, with exit code 65, while the newer list of its files is there. An interrupted run leaves no ledger; the next one begins anew.",
    ],
    examples: [
      .init("ledger restore 123abc", "takes the deletion of a task back"),
      .init("ledger restore --where 'starts_with(body, \"Get\")'", "brings back what begins so"),
      .init(
        "ledger --ledger tasks.ledger restore --from /mnt/backup/tasks.ledger",
        "makes the ledger tasks.ledger of a backup"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    if let backup = session.arguments.value("from") {
      return try LedgerRestoring.run(session, from: backup)
    }
    let choice = try session.choice(description, needs: "ID, --where or --from") { query in
      query.mentions(.isDeleted) ? query : query && Field(.isDeleted)
    }
    let ledger = try session.openForWriting()
    // There is no event kind of its own: restoring is an update of isDeleted.
    let changes = try ChangeSet([FieldChange(.isDeleted, .bool(false))])
    let ids: [TaskID]
    do throws(LedgerError) {
      ids = try session.namedTasks(ledger)
    } catch {
      var error = error
      if let place = session.arguments.operands.first,
        let path = try? session.context.resolve(place), PathKind.of(path).isFolder
      {
        let word = place.shortenedPath.shellWord
        error.hint = "a ledger is restored by `ledger restore --from \(word)`"
      }
      throw error
    }
    try session.change(choice, named: ids, on: ledger, word: .restored) {
      Command(.update, $0, changes, author: ledger.author, message: session.message)
    }
    return .done
  }
}

/// `ledger restore --from`
private enum LedgerRestoring {
  static func run(_ session: Session, from backup: String) throws -> ExitStatus {
    let others: [(given: Bool, name: String)] = [
      (!session.arguments.operands.isEmpty, "a task"),
      (session.arguments.value("where") != nil, "a query"),
      (session.arguments.has("arg"), "an argument"),
      (session.arguments.has("message"), "a message"),
      (session.arguments.has("if-revision"), "a revision"),
      (session.arguments.has("dry-run"), "--dry-run"),
    ]
    if let found = others.first(where: \.given)?.name {
      throw LedgerError(
        .usage, "restore is given a backup and \(found)",
        hint: "restore a ledger by --from BACKUP alone, and tasks by ID without it")
    }
    let source = try session.context.resolve(backup, called: "--from")
    try check(source)
    let location = try LedgerLocation.ofNew(session.globals, session.context)
    try PathKind.refuseObstacle(
      at: location.path, to: "restore a ledger", holding: "a ledger", hint: hint(backup))
    let restored = try session.showingProgress("byte") { progress in
      try CommandFailure.creating { () throws(LedgerError) in
        do throws(LedgerError) {
          return try Ledger.restore(
            from: source, to: location.path, configuration: session.context.configuration
          ) { progress.update($0) }
        } catch {
          // With a cause it is the place that does not do, in the backup or around it.
          guard error.code == .alreadyExists, error.cause == nil else { throw error }
          var error = error
          error.hint = hint(backup)
          throw error
        }
      }
    }
    for altered in restored.altered {
      session.note(
        "\(altered.file) of the backup, moved aside before, is not what it was: \(altered.problem)")
    }
    session.noteDone("the ledger was restored", "`ledger verify` shows that it is sound")
    session.isJSON
      ? writeJSON(restored, location.path, session.out)
      : write(restored, location.path, session.out)
    return .done
  }

  private static func hint(_ backup: String) -> String {
    "name a new or an empty folder: `ledger --ledger NEW restore --from \(backup.shellWord)`"
  }

  /// Refuses what cannot be a backup, which is another failure than that of a place where no ledger can be made.
  private static func check(_ backup: String) throws(LedgerError) {
    let cause: String?
    switch PathKind.of(backup) {
    case .folder, .unknown: return
    case .missing: cause = nil
    case .other: cause = "it is a file, a backup is a folder"
    case .danglingLink: cause = "it is a link that leads nowhere"
    }
    throw LedgerError(
      .notFound, "there is no backup", path: backup, cause: cause,
      hint: "name a folder that `ledger backup` made")
  }

  private static func write(_ restored: LedgerRestoration, _ path: String, _ out: Output) {
    let events = NumberText.count(restored.events, "event")
    out.line("restored \(events) to \(out.shown(path))")
    if let text = LossText.recorded(restored.lostEvents) { out.line("lost before   \(text)") }
    out.line("copied        \(BackupVerb.amount(restored.files, restored.bytes))")
    out.line("from replica  \(restored.source)")
    out.line("new replica   \(restored.replica)")
    out.line("log digest    \(restored.logDigest)")
  }

  private static func writeJSON(
    _ restored: LedgerRestoration, _ path: String, _ out: Output
  ) {
    out.json { json in
      json.add("path", path)
      json.add("sequence", restored.sequence)
      if !restored.lostEvents.isEmpty {
        json.add("events", restored.events)
        json.addRanges("lostBefore", restored.lostEvents)
      }
      json.add("files", restored.files)
      json.add("bytes", restored.bytes)
      json.add("sourceReplica", restored.source)
      json.add("replica", restored.replica)
      json.add("logDigest", restored.logDigest)
    }
  }
}
