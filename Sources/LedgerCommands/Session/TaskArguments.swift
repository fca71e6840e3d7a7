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
    for operand in arguments.operands { ids.append(try TaskID(operand)) }
    return Self.unique(ids)
  }

  private static func unique(_ ids: [TaskID]) -> [TaskID] {
    var seen: Set<TaskID> = []
    return ids.filter { seen.insert($0).inserted }
  }

  /// The moment that `--at` names: digits are a sequence number, anything else is a time.
  func moment() throws(LedgerError) -> Moment? {
    guard let text = arguments.value("at") else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      guard let number = UInt64(text) else {
        throw LedgerError(.usage, "--at \(text) is beyond any sequence number")
      }
      return .sequence(number)
    }
    return try arguments.time("at").map(Moment.time)
  }
}
