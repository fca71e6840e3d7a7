import LedgerCore
import LedgerFormat

/// How errors look on standard error: a sentence and a hint, or one JSON object.
enum ErrorReport {
  /// As many conflicts are shown to a person.
  private static let linesMax = 8

  static func write(_ error: LedgerError, _ status: ExitStatus, isJSON: Bool, to output: Output) {
    if isJSON {
      writeJSON(error, status, to: output)
    } else {
      output.line(
        output.styled("ledger:", .red, .bold) + " " + output.shown(error.message))
      // The sentence names the first.
      let rest = error.conflicts.dropFirst()
      for conflict in rest.prefix(linesMax) {
        output.line("  \(output.shown(conflict.description))")
      }
      if rest.count > linesMax { output.line("  and \(rest.count - linesMax) more") }
      if let hint = error.hint {
        output.line(output.styled("hint:", .cyan) + " " + output.shown(hint))
      }
    }
    output.flush()
  }

  private static func writeJSON(_ error: LedgerError, _ status: ExitStatus, to output: Output) {
    output.json { json in
      json.addObject("error") { json in
        json.add("code", error.code.rawValue)
        json.add("message", error.message)
        if let path = error.path { json.add("path", path.shortenedPath) }
        if let offset = error.offset { json.add("offset", offset) }
        if let line = error.line { json.add("line", line) }
        if let column = error.column { json.add("column", column) }
        if let field = error.field { json.add("field", field.text) }
        if let hint = error.hint { json.add("hint", hint) }
        if !error.conflicts.isEmpty {
          json.addObjects("conflicts", error.conflicts) { ConflictJSON.write($1, to: &$0) }
        }
        json.add("exit", status.rawValue)
      }
    }
  }
}
