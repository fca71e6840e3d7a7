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

  /// Adds from what, in red, to what, in green.
  static func add(_ old: Value?, _ new: Value?, to line: inout LineWriter) {
    if let old {
      line.styled(.red) { $0.add(quoted: old) }
      line.add(" → ")
    }
    if let new {
      line.styled(.green) { $0.add(quoted: new) }
    } else {
      line.add(unset, .dim)
    }
  }

  /// The same, without styles.
  static func values(_ old: Value?, _ new: Value?) -> String {
    var line = LineWriter(isStyled: false)
    add(old, new, to: &line)
    return String(decoding: line.bytes, as: UTF8.self)
  }

  /// The same, with the styles that a stream has.
  static func styledValues(_ old: Value?, _ new: Value?, on out: Output) -> String {
    var line = out.lineWriter
    add(old, new, to: &line)
    return String(decoding: line.bytes, as: UTF8.self)
  }

  /// What stands for the value of a field that is unset.
  static let unset = "(unset)"
}
