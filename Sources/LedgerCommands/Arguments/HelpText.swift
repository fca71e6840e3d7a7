/// The help texts, made from the descriptions of the verbs.
package enum HelpText {
  private static let columns = 80

  /// What `ledger --help` prints.
  package static func general() -> String {
    var text = """
      ledger: a task list that remembers everything

      Usage: ledger [--ledger PATH] [--author NAME] [--json] VERB ...

      Verbs:

      """
    text += table(
      Verbs.all.map { ($0.description.names.joined(separator: ", "), $0.description.summary) }
        + [("help", "print help, or that of a verb")])
    text += "\nOptions, before the verb:\n"
    text += table(globalOptions)
    for section in sections {
      text += "\n\(section.title):\n"
      text += table(section.rows)
    }
    text += "\nDays and times:\n"
    for line in TextColumns.wrap(LocalDays.rule, to: columns - 2) { text += "  \(line)\n" }
    text += "\n`ledger VERB --help` tells more about a verb, with examples.\n"
    return text
  }

  /// The options before the verb, and what ends options.
  static var globalOptions: [(String, String)] {
    ArgumentReader.globalOptions.map { ($0.spelled, $0.help) }
      + [("--", "behind the verb: ends its options; what follows may begin with a dash")]
  }

  /// What else there is to know of the whole program, as titles and rows.
  static let sections: [(title: String, rows: [(String, String)])] = [
    ("The ledger is the first of", places), ("Environment", variables), ("Exit codes", exitCodes),
  ]

  static let places = [
    ("--ledger PATH", "where it is given"),
    ("LEDGER_PATH", "where it is set"),
    (
      ".ledger",
      "in the working folder, or the nearest above it; one that belongs to another user is refused, and has to be named"
    ),
    ("your own", "in your data folder; the first add, upsert or apply makes it"),
  ]

  static let variables = [
    ("LEDGER_PATH", "the ledger's folder, where --ledger is not given"),
    ("LEDGER_AUTHOR", "who makes the changes, where --author is not given; else the login name"),
    ("TZ", "the time zone in which words such as today are read; else that of the system"),
    ("NO_COLOR", "when set, no colours on a terminal; there are none either where TERM is dumb"),
  ]

  static let exitCodes = [
    ("0", "done, also when there was nothing to change"),
    (
      "1",
      "the answer is no, and nothing was changed: there is no such task; somebody else's change is in the way "
        + "(--if-revision, undo, redo); there is nothing to undo or redo; diff: tasks differ; replay --expect: "
        + "another digest"
    ),
    ("64", "the command line or a value in it is wrong; nothing was changed"),
    (
      "65",
      "data that cannot be used: a bad line, a file that is not what was written, or that a newer version wrote"
    ),
    ("66", "there is no such ledger, backup or input file"),
    ("73", "it cannot be made, or is there already"),
    (
      "74",
      "input or output failed, such as a full disk; maintain: a job failed, and the others were done"
    ),
    ("75", "others are busy with the ledger: try again"),
  ]

  /// What `ledger VERB --help` prints.
  package static func verb(_ verb: VerbDescription) -> String {
    var text = "ledger \(verb.name): \(verb.summary)\n\nUsage:\n"
    for form in verb.usage { text += usage(verb.name, form) }
    if !verb.shortNames.isEmpty {
      text += "\nA short name of it is \(verb.shortNames.joined(separator: ", ")).\n"
    }
    for paragraph in verb.details {
      text += "\n" + TextColumns.wrap(paragraph, to: columns).joined(separator: "\n") + "\n"
    }
    if !verb.options.isEmpty {
      text += "\nOptions:\n" + table(verb.options.map { ($0.spelled, $0.help) })
    }
    text += "\nExamples:\n"
    for example in verb.examples {
      text += "  \(example.command)\n"
      for line in TextColumns.wrap(example.effect, to: columns - 6) { text += "      \(line)\n" }
    }
    text += "\n`ledger --help` lists the options that go before the verb, and the exit codes.\n"
    return text
  }

  /// A form of the command line; a long one goes on below, never in the middle of an option.
  private static func usage(_ name: String, _ form: String) -> String {
    var lines = ["  ledger [global options] \(name)"]
    for part in parts(form) {
      if TextColumns.count(lines[lines.count - 1]) + 1 + TextColumns.count(part) > columns {
        lines.append("     ")
      }
      lines[lines.count - 1] += " \(part)"
    }
    return lines.map { "\($0)\n" }.joined()
  }

  /// What stands in brackets is one part, everything else a word.
  static func parts(_ form: String) -> [String] {
    var parts: [String] = []
    var depth = 0
    for word in form.split(separator: " ") {
      if depth > 0 {
        parts[parts.count - 1] += " \(word)"
      } else {
        parts.append(String(word))
      }
      depth += word.reduce(0) { $0 + ($1 == "[" ? 1 : $1 == "]" ? -1 : 0) }
    }
    return parts
  }

  /// Rows of a term and what there is to say about it.
  private static func table(_ rows: [(String, String)]) -> String {
    let width = rows.reduce(0) { max($0, TextColumns.count($1.0)) }
    var text = ""
    for (term, explanation) in rows {
      var start = "  " + TextColumns.pad(term, to: width)
      for line in TextColumns.wrap(explanation, to: columns - width - 4) {
        text += "\(start)  \(line)\n"
        start = String(repeating: " ", count: width + 2)
      }
    }
    return text
  }
}
