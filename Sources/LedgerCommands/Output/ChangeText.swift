import LedgerCore
import TaskLedger

/// What a change did to one field: `priority: 1 → 2`.
enum ChangeText {
  private static let indent = "    "

  /// A line of its own; on a terminal it is cut to the width.
  static func line(_ change: AuditEntry.Change, on out: Output) -> String {
    let start = "\(indent)\(out.shown(change.name.text)): "
    let plain = start + values(change.old, change.new)
    guard !out.isTerminal || TextColumns.count(plain) <= out.columns else {
      return TextColumns.cut(plain, to: out.columns)
    }
    return start + styledValues(change.old, change.new, on: out)
  }

  /// From what to what, without styles.
  static func values(_ old: Value?, _ new: Value?) -> String {
    let before = old.map { "\(ValueText.quoted($0)) → " } ?? ""
    return before + (new.map(ValueText.quoted) ?? unset)
  }

  /// From what, in red, to what, in green.
  static func styledValues(_ old: Value?, _ new: Value?, on out: Output) -> String {
    let before = old.map { out.styled(ValueText.quoted($0), .red) + " → " } ?? ""
    return before
      + (new.map { out.styled(ValueText.quoted($0), .green) } ?? out.styled(unset, .dim))
  }

  /// What stands for the value of a field that is unset.
  static let unset = "(unset)"
}
