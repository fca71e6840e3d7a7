/// What a verb is called and takes: the one source of its help text and of how its arguments are read.
package struct VerbDescription: Sendable {
  /// An option of a verb, or of `ledger` itself.
  package struct Option: Sendable {
    /// Its name without the dashes.
    package let name: String
    /// What its value is called; nil for one that takes none.
    package let value: String?
    /// Whether it may be given more than once.
    package let repeats: Bool
    /// What a shell can offer for its value.
    package let offered: Offered
    /// What it does.
    package let help: String

    /// An option with a value.
    ///
    /// - Parameter words: the values that there are, where there are few.
    package init(
      _ name: String, _ value: String, repeats: Bool = false, words: [String] = [], _ help: String
    ) {
      self.init(
        name: name, value: value, repeats: repeats,
        offered: words.isEmpty ? Offered(for: value) : .words(words), help: help)
    }

    private init(name: String, value: String?, repeats: Bool, offered: Offered, help: String) {
      self.name = name
      self.value = value
      self.repeats = repeats
      self.offered = offered
      self.help = help
    }

    /// An option without one.
    package static func flag(_ name: String, _ help: String) -> Option {
      Option(name: name, value: nil, repeats: false, offered: .nothing, help: help)
    }

    /// As help and messages show it: `--set F=V`.
    package var spelled: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
  }

  /// What a shell can offer where a value or an operand is to be typed.
  package enum Offered: Hashable, Sendable {
    case nothing, ids, files, folders
    case words([String])

    /// What is offered for a value, by what it is called.
    init(for name: String) {
      self =
        switch name {
        case "ID": .ids
        case "FILE": .files
        case "PATH", "DEST", "BACKUP", "A B": .folders
        default: .nothing
        }
    }
  }

  /// What stands beside the options.
  package struct Operands: Sendable {
    /// What each is called; "" when there are none.
    package let name: String
    /// The operands that there are, where there are few.
    package var words: [String] = []
    /// How many there may be.
    package let count: ClosedRange<Int>

    package static let none = Operands(name: "", count: 0...0)
    package static func one(_ name: String) -> Operands { Operands(name: name, count: 1...1) }
    package static func optional(_ name: String) -> Operands { Operands(name: name, count: 0...1) }
    package static func some(_ name: String) -> Operands {
      Operands(name: name, count: 1...Int.max)
    }
    package static func any(_ name: String) -> Operands { Operands(name: name, count: 0...Int.max) }

    /// Any number, of which there are only a few words.
    package static func any(_ name: String, of words: [String]) -> Operands {
      var operands = any(name)
      operands.words = words
      return operands
    }

    /// What a shell can offer for them.
    package var offered: Offered { words.isEmpty ? Offered(for: name) : .words(words) }
  }

  /// A command line that works, and what it does.
  package struct Example: Sendable {
    package let command: String
    package let effect: String

    package init(_ command: String, _ effect: String) {
      self.command = command
      self.effect = effect
    }
  }

  /// The verb itself.
  package let name: String
  /// Other names of the same verb, for who types it often.
  package let shortNames: [String]
  /// What it does, in one line that starts with a small letter.
  package let summary: String
  /// What follows the verb; several where there are several forms.
  package let usage: [String]
  package let operands: Operands
  package let options: [Option]
  /// What else there is to know, in paragraphs.
  package let details: [String]
  package let examples: [Example]

  package init(
    _ name: String, short shortNames: [String] = [], _ summary: String, usage: [String],
    operands: Operands = .none, options: [Option] = [], details: [String] = [], examples: [Example]
  ) {
    self.name = name
    self.shortNames = shortNames
    self.summary = summary
    self.usage = usage
    self.operands = operands
    self.options = options
    self.details = details
    self.examples = examples
  }
}

extension VerbDescription {
  /// What it can be called on a command line, its own name first.
  package var names: [String] { [name] + shortNames }
}

extension VerbDescription.Option {
  /// Why a change was made; for every verb that makes one.
  static let message = Self("message", "TEXT", "why: a message that the events keep")

  /// For every verb that changes one task.
  static let ifRevision = Self(
    "if-revision", "N",
    "only if the task is at revision N, the number of the last event that touched it, 0 for none; else the "
      + "exit code is 1, and the error says who changed it")

  static let set = Self(
    "set", "F=V", repeats: true,
    "give field F the value V: JSON where V is JSON (2, true, \"text\", [1,2], {\"home\":1}; null "
      + "unsets), else the text as it stands. A dot leads into a nested object: tags.home=true; a name with "
      + "other characters can stand in brackets and quotes, as in queries: [\"odd key\"]=3. For "
      + "body V is always text.")

  static let at = Self(
    "at", "MOMENT",
    "as it was at a moment: a number is a sequence number (what this ledger knew after that event); "
      + "anything else a time (all events not later), such as 2026-11-30, 2026-11-30T12:00 or "
      + "2026-11-30T12:00:00+01:00; without a zone it is UTC, and a date alone is its first instant in UTC. A word such as "
      + "today, yesterday, -3d or mon-1w is the first instant of that day where you are"
  )
}
