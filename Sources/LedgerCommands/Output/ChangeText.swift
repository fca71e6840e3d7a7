import LedgerCore
import TaskLedger

/// What a change did to one field, in one line: `priority: 1 → 2`.
enum ChangeText {
  private static let indent = "    "

  /// The line; on a terminal it is cut to the width.
  static func line(_ change: AuditEntry.Change, on out: Output) -> String {
    let name = out.shown(change.name.text)
    let old = change.old.map(ValueText.quoted)
    let new = change.new.map(ValueText.quoted) ?? "(unset)"
    let plain = "\(indent)\(name): \(old.map { "\($0) → " } ?? "")\(new)"
    guard !out.isTerminal || TextColumns.count(plain) <= out.columns else {
      return TextColumns.cut(plain, to: out.columns)
    }
    let before = old.map { out.styled($0, .red) + " → " } ?? ""
    return "\(indent)\(name): \(before)\(change.new == nil ? new : out.styled(new, .green))"
  }
}
