import LedgerCore
import TaskLedger

/// A field that is set or unset under a name that no task has, and that is close to one with a meaning: most likely a slip, such as
/// `isComplete`, `prio` or `tag.home`.
///
/// It is no error: a name is free to be anybody's. Only it is said, where `ledger undo` is still near.
struct FieldSlip {
  let name: FieldName
  let meant: [String]

  /// What the product itself gives a meaning to.
  private static let known =
    [FieldName.body, .isCompleted, .isDeleted, ShortForms.dueField, ShortForms.priorityField]
    .map(\.text)

  /// The slips among changes, before these are made: afterwards the fields are there.
  static func find(
    in changes: [FieldChange], amongAll tasks: any TaskReading
  ) throws(LedgerError) -> [FieldSlip] {
    var slips: [FieldSlip] = []
    for name in changes.map(\.name) where name.defaultValue == nil && !ShortForms.sets(name) {
      let meant = meant(by: name)
      guard !meant.isEmpty, try tasks.hasNone(with: name) else { continue }
      slips.append(FieldSlip(name: name, meant: meant))
    }
    return slips
  }

  private static func meant(by name: FieldName) -> [String] {
    let tags = ShortForms.tagsField.text
    guard let (first, rest) = name.text.cut(at: ".") else {
      return Suggestion.closest(to: name.text.shortened, among: known + [tags])
    }
    return Suggestion.closest(to: first, among: [tags]).map { "\($0).\(rest)" }
  }
}

extension Session {
  /// The slips in what `--set` and `--unset` name.
  func fieldSlips(amongAll tasks: any TaskReading) throws(LedgerError) -> [FieldSlip] {
    guard arguments.hasAny(of: ["set", "unset"]) else { return [] }
    return try FieldSlip.find(in: try FieldArguments.changes(arguments), amongAll: tasks)
  }

  func note(_ slips: [FieldSlip]) {
    for slip in slips {
      note("no task had the field \"\(slip.name)\"; \(Suggestion.sentence(slip.meant, else: ""))")
    }
  }
}
