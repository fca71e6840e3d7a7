import LedgerCore
import TaskLedger

extension Session {
  /// The tasks that the operands name, by whole ids or prefixes; one that is named twice counts once.
  func namedTasks(_ ledger: Ledger) throws(LedgerError) -> [TaskID] {
    try unique { (text) throws(LedgerError) in try ledger.resolve(text) }
  }

  /// The tasks that the operands name by whole ids.
  func wholeIDs() throws(LedgerError) -> [TaskID] {
    try unique { (text) throws(LedgerError) in
      do throws(LedgerError) {
        return try TaskID(text)
      } catch {
        var error = error
        error.hint = "name a task by its whole id; `ledger list` shows them"
        throw error
      }
    }
  }

  private func unique(
    _ id: (String) throws(LedgerError) -> TaskID
  ) throws(LedgerError) -> [TaskID] {
    var seen: Set<TaskID> = []
    var result: [TaskID] = []
    for operand in arguments.operands {
      let id = try id(operand)
      if seen.insert(id).inserted { result.append(id) }
    }
    return result
  }
}

extension Ledger {
  /// The one task whose id begins with another id, which never existed itself; nil where there is none.
  func task(beginningWith prefix: TaskID) -> TaskID? {
    guard let found = try? resolve(prefix.text), found != prefix else { return nil }
    return found
  }
}
