import LedgerCore
import TaskLedger

extension Session {
  /// The tasks that the operands name, by whole ids or prefixes; one that is named twice counts once.
  func namedTasks(_ ledger: Ledger) throws(LedgerError) -> [TaskID] {
    try unique { (text) throws(LedgerError) in try ledger.resolve(text) }
  }

  /// The tasks that the operands name by whole ids.
  func wholeIDs() throws(LedgerError) -> [TaskID] {
    try unique { (text) throws(LedgerError) in try TaskID(text) }
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

  /// The moment that an option names: digits are a sequence number, anything else is a time.
  func moment(_ option: String = "at") throws(LedgerError) -> Moment? {
    guard let text = arguments.value(option) else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      guard let number = UInt64(text) else {
        throw LedgerError(.usage, "--\(option) \(text) is beyond any sequence number")
      }
      return .sequence(number)
    }
    return try arguments.time(option).map(Moment.time)
  }
}
