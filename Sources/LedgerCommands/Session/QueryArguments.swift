import LedgerCore
import LedgerFormat
import TaskLedger

extension Session {
  /// The query of a command line, with what `--arg` gives it; nil where there is none.
  ///
  /// - Parameter place: what to call it in messages, where it is the value of an option.
  func query(_ text: String?, _ place: String? = nil) throws(LedgerError) -> TypedQuery? {
    guard let text else {
      _ = try queryArguments()
      guard !arguments.has("arg") else {
        throw LedgerError(
          .usage, "--arg is given without a query", hint: "in the query it is $NAME")
      }
      return nil
    }
    let values = try queryArguments()
    let context = context
    do throws(LedgerError) {
      return try TypedQuery(text, values) { name in
        NamedDay.date(name, today: LocalDays(context).today).map(Value.text)
      }
    } catch {
      var error = place.map(error.under) ?? error
      // What the library says to programs of its own is no help here.
      if let parts = error.hint?.split(separator: " in Swift, "), parts.count == 2 {
        error.hint = "give one: \(parts[1].split(separator: " on the command line")[0])"
      }
      if let meant = ShortForms.query(text) { error.hint = Suggestion.sentence([meant], else: "") }
      throw error
    }
  }

  private func queryArguments() throws(LedgerError) -> [String: Value?] {
    var values: [String: Value?] = [:]
    for text in arguments.all("arg") {
      guard let (name, value) = text.cut(at: "=") else {
        throw LedgerError(
          .usage, "--arg \"\(text.shortened)\" has no =, expected NAME=VALUE",
          hint: "for example --arg project=garden, for $project in the query")
      }
      guard !name.isEmpty else {
        throw LedgerError(
          .usage, "--arg \"\(text.shortened)\" has no name before =, expected NAME=VALUE",
          hint: "for example --arg project=garden, for $project in the query")
      }
      guard values[name] == nil else {
        throw LedgerError(.usage, "--arg gives \"\(name.shortened)\" twice")
      }
      do throws(LedgerError) {
        values[name] = .some(try FieldArguments.value(value))
      } catch {
        throw error.under("--arg")
      }
    }
    return values
  }
}

extension Query {
  /// The query as the command line means it: deleted tasks are among them where it asks for isDeleted itself.
  var hidingDeleted: Query { mentions(.isDeleted) ? self : self && Query.undeleted }
}

extension VerbDescription.Option {
  static let queryArgument = Self(
    "arg", "NAME=V", repeats: true,
    "what $NAME stands for in the query: JSON where V is JSON (2, true, \"text\", [1,2], null), else the text as it "
      + "stands")
}
