import LedgerCore
import TaskLedger

extension Session {
  /// The tasks that the operands name, by whole ids or prefixes; one that is named twice counts once.
  func namedTasks(_ ledger: Ledger) throws(LedgerError) -> [TaskID] {
    Self.unique(try ledger.resolve(arguments.operands))
  }

  /// The tasks that the operands name by whole ids.
  func wholeIDs() throws(LedgerError) -> [TaskID] {
    var ids: [TaskID] = []
    for operand in arguments.operands {
      do throws(LedgerError) {
        ids.append(try TaskID(operand))
      } catch {
        var error = error
        error.hint = "name a task by its whole id; `ledger list` shows them"
        throw error
      }
    }
    return Self.unique(ids)
  }

  private static func unique(_ ids: [TaskID]) -> [TaskID] {
    var seen: Set<TaskID> = []
    return ids.filter { seen.insert($0).inserted }
  }
}

extension Ledger {
  /// The one task whose id begins with another id, which never existed itself; nil where there is none.
  func task(beginningWith prefix: TaskID) -> TaskID? {
    guard let found = try? resolve(prefix.text), found != prefix else { return nil }
    return found
  }
}
