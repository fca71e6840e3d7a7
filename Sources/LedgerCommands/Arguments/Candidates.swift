import LedgerCore
import LedgerFormat
import TaskLedger

/// What may stand in the place of a word that is being typed: what the shells offer.
///
/// It is found from the descriptions of the verbs, as `--help` is, when it is asked for: a shell's script need not be made anew when
/// the program is.
struct Candidates {
  /// What can be typed, and what it means, in few words.
  struct Candidate: Equatable {
    var text: String
    var about = ""
  }

  /// What is offered.
  private(set) var found: [Candidate] = []
  /// What the shell is to offer by itself: `files` or `folders`.
  private(set) var ofShell: String?

  private let typed: String
  private let context: CommandContext
  private var globals = Arguments()

  /// - Parameter words: the words behind the name of the program; the last is being typed.
  init(_ words: [String], _ context: CommandContext) {
    typed = words.last ?? ""
    self.context = context
    read(words.dropLast().map { Self.expanded($0, context) }[...])
  }

  /// A shell hands over `~/` as it is typed, for it has not yet read the line.
  private static func expanded(_ word: String, _ context: CommandContext) -> String {
    guard word.utf8.starts(with: "~/".utf8), let home = (try? context.variable("HOME")) ?? nil
    else { return word }
    return home + String(word.dropFirst())
  }

  private mutating func read(_ words: ArraySlice<String>) {
    var rest = words
    while let word = rest.first, ArgumentReader.isOption(word) {
      guard passOption(&rest, ArgumentReader.globalOptions) else { return }
    }
    globals = Program.globals(in: Array(words.dropLast(rest.count)))
    guard let name = rest.popFirst() else { return offerVerbs() }
    if name.hasSameBytes(as: "help") {
      if rest.isEmpty { offer(Self.verbs) }
    } else if let verb = try? Verbs.named(name) {
      readArguments(rest, of: verb.description)
    }
  }

  private mutating func readArguments(_ words: ArraySlice<String>, of verb: VerbDescription) {
    var rest = words
    var operands = 0
    var endsOptions = false
    while let word = rest.first {
      if !endsOptions, ArgumentReader.isOption(word) {
        endsOptions = word == "--"
        guard passOption(&rest, verb.options) else { return }
      } else {
        rest.removeFirst()
        operands += 1
      }
    }
    if !endsOptions, typed.utf8.first == 0x2d {
      return offerOptions(verb.options + [.flag("help", "print help")], behind: words)
    }
    if !endsOptions, ShortForms.verbs.contains(verb.name) { offer(ShortForms.candidates) }
    guard verb.operands.count.upperBound > operands else { return }
    offer(verb.operands.offered, for: verb)
  }

  /// Passes an option with its value; false where the value is being typed, and is offered.
  private mutating func passOption(
    _ rest: inout ArraySlice<String>, _ options: [VerbDescription.Option]
  ) -> Bool {
    let word = rest.removeFirst()
    let option = options.first { "--\($0.name)".hasSameBytes(as: word) }
    guard let option, option.value != nil, rest.popFirst() == nil else { return true }
    offer(option.offered, for: nil)
    return false
  }

  private mutating func offerVerbs() {
    guard typed.utf8.first != 0x2d else {
      return offerOptions(ArgumentReader.globalOptions, behind: [])
    }
    offer(Self.verbs + [Candidate(text: "help", about: "print help")])
  }

  private static var verbs: [Candidate] {
    Verbs.all.flatMap { verb in
      verb.description.names.map { Candidate(text: $0, about: verb.description.summary) }
    }
  }

  /// Options that can still be given, or the value of the one that is typed with its equals sign.
  private mutating func offerOptions(
    _ options: [VerbDescription.Option], behind words: ArraySlice<String>
  ) {
    if let (name, _) = typed.cut(at: "=") {
      guard let option = options.first(where: { "--\($0.name)".hasSameBytes(as: name) }) else {
        return
      }
      return offer(option.offered, for: nil, behind: name + "=")
    }
    for option in options {
      let name = "--\(option.name)"
      let isGiven = words.contains {
        $0.hasSameBytes(as: name) || $0.utf8.starts(with: "\(name)=".utf8)
      }
      if option.repeats || !isGiven { offer([Candidate(text: name, about: option.help)]) }
    }
  }

  private mutating func offer(
    _ offered: VerbDescription.Offered, for verb: VerbDescription?, behind start: String = ""
  ) {
    switch offered {
    case .nothing: break
    case .files: ofShell = "files"
    case .folders: ofShell = "folders"
    case .words(let words): offer(words.map { Candidate(text: start + $0) })
    case .ids:
      let typed = String(decoding: typed.utf8.dropFirst(start.utf8.count), as: UTF8.self)
      offer(ids(beginningWith: typed, for: verb).map { Candidate(text: start + $0, about: $1) })
    }
  }

  /// Keeps those that begin with what is typed.
  private mutating func offer(_ candidates: [Candidate]) {
    found += candidates.filter { $0.text.utf8.starts(with: typed.utf8) }
  }
}

extension Candidates {
  /// So many ids are looked at: it must take no time to speak of, however large the ledger is.
  static let idsMax = 200

  /// The ids that begin so, with the text of the task. A ledger that cannot be read has none: this is no place for an error.
  private func ids(
    beginningWith start: String, for verb: VerbDescription?
  ) -> [(String, String)] {
    guard let location = try? LedgerLocation.find(globals, context),
      let ledger = try? location.open(author: nil, context.configuration),
      let ids = try? ledger.ids(startingWith: start, limit: Self.idsMax)
    else { return [] }
    // The shell shows a candidate as it is typed: what must not reach a terminal is none.
    let shown = ids.filter { !$0.text.unicodeScalars.contains(where: TerminalText.isEscaped) }
    return shown.compactMap { id in
      let task = (try? ledger.task(id)) ?? nil
      return Self.isFitting(task, for: verb) ? (id.text, task?.body ?? "evicted") : nil
    }
  }

  private static func isFitting(_ task: TaskItem?, for verb: VerbDescription?) -> Bool {
    switch verb?.name {
    case "audit", "undo": true
    case "restore": task?.isDeleted == true
    case "done": task.map { !$0.isDeleted && !$0.isCompleted } ?? false
    case "get", "evict": task != nil
    default: task?.isDeleted == false
    }
  }
}
