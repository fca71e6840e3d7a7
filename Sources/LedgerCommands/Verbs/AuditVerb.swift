import LedgerCore
import LedgerFormat
import TaskLedger

/// `ledger audit`
enum AuditVerb: Verb {
  static let description = VerbDescription(
    "audit", "show every event of one task: who, when, from what to what",
    usage: ["ID"],
    operands: .one("ID"),
    details: [
      "Each event is a line with its sequence number, time, author and kind, followed by its message and by each field with "
        + "its old and its new value. \"lost\" marks a value that never showed, because a change with a later time was there "
        + "already when it arrived; \"recorded\" is when the machine got to know of an event, where that is another time.",
      "ID is a whole id, or its beginning, at least 4 bytes, where only one task fits. A task that was evicted, and one that "
        + "does not exist any more, can be audited, too.",
    ],
    examples: [
      .init("ledger audit 123abc", "the whole story of a task"),
      .init("ledger --json audit 123abc", "the same for a program, one event a line"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let ledger = try session.openForReading()
    let (id, entries, task) = try story(session.arguments.operands[0], in: ledger)
    guard session.isJSON else {
      AuditText(session.out).write(entries, of: id, task: task)
      return .done
    }
    var line: [UInt8] = []
    for entry in entries where session.out.isOpen {
      line.removeAll(keepingCapacity: true)
      EventJSON.append(entry, to: &line)
      line.append(0x0a)
      session.out.machine(line)
    }
    return .done
  }

  /// A whole id is not looked up as a beginning first: that would read what the story does not need.
  private static func story(
    _ text: String, in ledger: Ledger
  ) throws(LedgerError) -> (TaskID, AuditedHistory, TaskItem?) {
    if let id = try? TaskID(text) {
      let (entries, task) = try ledger.auditAndTask(id)
      if !entries.isEmpty { return (id, entries, task) }
    }
    let id = try ledger.resolve(text)
    let (entries, task) = try ledger.auditAndTask(id)
    return (id, entries, task)
  }
}
