import LedgerCore

/// The manual page, in the language of man(7), made of what `--help` is made of.
///
/// It is ASCII: other characters are named by their numbers, as groff and mandoc know them.
enum ManPage {
  /// The page.
  static func text() -> String {
    var page = Roff()
    page.line(".TH LEDGER 1 \"\" \"ledger \(Program.version)\" \"User Commands\"")
    // An option that is cut at the end of a line could not be copied.
    page.line(".nh")
    page.line(".ad l")
    page.section("NAME")
    page.text("ledger - a task list that remembers everything")
    page.section("SYNOPSIS")
    page.synopsis("ledger", "[--ledger PATH] [--author NAME] [--json] VERB ...")
    page.section("DESCRIPTION")
    page.text(
      "Every change of a task is an immutable event, synced to disk before the answer; the list is what the events add up "
        + "to, now or at any moment before. A verb says what is done; the options below precede it, its own follow it."
    )
    page.section("OPTIONS")
    page.terms(HelpText.globalOptions)
    page.section("VERBS")
    for verb in Verbs.all { write(verb.description, to: &page) }
    page.section("SHORT FORMS")
    for paragraph in ShortForms.details { page.paragraph(paragraph) }
    page.section("DAYS AND TIMES")
    page.text(LocalDays.rule)
    page.section("THE LEDGER")
    page.text("It is the first of")
    page.terms(HelpText.places)
    page.section("ENVIRONMENT")
    page.terms(HelpText.variables)
    page.section("EXIT STATUS")
    page.terms(HelpText.exitCodes)
    return page.text
  }

  private static func write(_ verb: VerbDescription, to page: inout Roff) {
    page.subsection(verb.names.joined(separator: ", ") + ": " + verb.summary)
    for form in verb.usage { page.synopsis("ledger \(verb.name)", form) }
    for paragraph in verb.details where !ShortForms.details.contains(paragraph) {
      page.paragraph(paragraph)
    }
    page.terms(verb.options.map { ($0.spelled, $0.help) })
    page.paragraph(verb.examples.count == 1 ? "For example:" : "Examples:")
    page.terms(verb.examples.map { ($0.command, $0.effect) })
  }
}

/// Builds a text in the language of man(7).
private struct Roff {
  private(set) var text = ""

  /// A line as it stands.
  mutating func line(_ line: String) { text += line + "\n" }

  mutating func section(_ title: String) { line(".SH \(title)") }
  mutating func subsection(_ title: String) {
    line(".SS \"\(Self.escaped(title, inQuotes: true))\"")
  }

  /// A line of running text; what stands between backquotes is bold.
  mutating func text(_ paragraph: String) {
    var isBold = false
    let parts = paragraph.split(separator: "`", omittingEmptySubsequences: false)
    var shown = ""
    for part in parts {
      let escaped = Self.escaped(String(part))
      shown += isBold ? "\\fB\(escaped)\\fR" : escaped
      isBold.toggle()
    }
    line(Self.guarded(shown))
  }

  mutating func paragraph(_ paragraph: String) {
    line(".PP")
    text(paragraph)
  }

  /// A form of a command line, with what goes on below indented.
  mutating func synopsis(_ start: String, _ form: String) {
    line(".PP")
    let parts = HelpText.parts(form).map { Self.escaped($0).replacingSpaces() }
    line("\\fB\(Self.escaped(start))\\fR " + parts.joined(separator: " "))
  }

  /// Terms, each with what there is to say about it.
  mutating func terms(_ rows: [(String, String)]) {
    for (term, explanation) in rows {
      line(".TP")
      line(Self.guarded("\\fB\(Self.escaped(term))\\fR"))
      text(explanation)
    }
  }

  /// A line that begins with a dot or an apostrophe would be a request.
  private static func guarded(_ line: String) -> String {
    line.utf8.first == 0x2e || line.utf8.first == 0x27 ? "\\&" + line : line
  }

  /// Text as it is to be read: a backslash, a dash and quotes as they are typed.
  static func escaped(_ text: String, inQuotes: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "\"": result += inQuotes ? "\\(dq" : "\""
      default:
        if scalar.isASCII {
          result.unicodeScalars.append(scalar)
        } else {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.utf8.count)))\(digits)]"
        }
      }
    }
    return result
  }
}

extension String {
  /// The text with spaces at which no line is broken.
  fileprivate func replacingSpaces() -> String {
    split(separator: " ", omittingEmptySubsequences: false).joined(separator: "\\ ")
  }
}
