import LedgerCore
import LedgerFormat

/// Values as people read them.
enum ValueText {
  /// The text itself, or the JSON of anything else: for a place where only the value stands.
  static func plain(_ value: Value, on out: Output) -> String {
    if case .text(let text) = value { return out.column(text) }
    return quoted(value)
  }

  /// The JSON of the value, so that 2 and "2" look different.
  static func quoted(_ value: Value) -> String { TerminalText.escaped(value.description) }

  /// The fields beside the standard three, those first that matter most in a list.
  static func furtherFields(_ task: TaskItem) -> [(name: String, value: Value)] {
    let further = task.fields.filter { (try? FieldName($0.name))?.defaultValue == nil }
    return further.filter { rank($0.name) > 0 }.sorted { rank($0.name) > rank($1.name) }
      + further.filter { rank($0.name) == 0 }
  }

  private static func rank(_ name: String) -> Int {
    if name.hasSameBytes(as: "due") { return 2 }
    return name.hasSameBytes(as: "priority") ? 1 : 0
  }
}
