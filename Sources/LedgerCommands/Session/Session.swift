import LedgerCore
import LedgerFormat
import TaskLedger

/// One run of one command: what it was given, where it writes, and the ledger that it opened.
package final class Session {
  let context: CommandContext
  /// The options before the verb.
  let globals: Arguments
  /// What follows the verb.
  private(set) var arguments: Arguments
  /// The fields of the tags that words such as `+home` set.
  private(set) var tagWords: [FieldName] = []
  /// Standard output: what was asked for.
  let out: Output
  /// Standard error: what is to be said about it.
  let errors: Output
  private var opened: [Ledger] = []
  /// The ledgers that operands name.
  private var operandLedgers: [NamedLedger] = []
  /// What the command has changed for good, in words, and what shows it; nil while it is nothing.
  private var achievement: (sentence: String, hint: String)?

  init(
    _ context: CommandContext, globals: Arguments, arguments: Arguments, out: Output,
    errors: Output
  ) {
    self.context = context
    self.globals = globals
    self.arguments = arguments
    self.out = out
    self.errors = errors
  }

  /// Whether output is for programs.
  var isJSON: Bool { globals.has("json") }

  /// Opens the ledger for a verb that only reads.
  ///
  /// - Parameter showsRepairs: whether the verb is the one that shows what was lost in which repair.
  func openForReading(showsRepairs: Bool = false) throws(LedgerError) -> Ledger {
    let location = try LedgerLocation.find(globals, context)
    let ledger = try location.open(author: globals.value("author"), context.configuration)
    opened.append(ledger)
    try noteLosses(of: ledger, showsRepairs: showsRepairs)
    return ledger
  }

  /// Says of what is going to be shown which events it lacks.
  private func noteLosses(
    of ledger: Ledger, showsRepairs: Bool = false
  ) throws(LedgerError) {
    let (all, folded, uncertainAfter) = try ledger.losses()
    let lost = all.without(folded?.events ?? SequenceRanges())
    let proof = showsRepairs ? "" : "; `ledger stats` shows the repair"
    func note(_ text: String) { self.note(text, about: ledger.path) }
    if let folded { note("\(LossText.sentence(folded)), and what is shown lacks it\(proof)") }
    if !lost.isEmpty {
      let them = lost.count == 1 ? "it" : "them"
      note("\(LossText.sentence(lost)), and what is shown lacks \(them)\(proof)")
    }
    if let last = uncertainAfter {
      note(LossText.sentence(uncertainAfter: last))
    }
  }

  /// Opens a ledger that is named on the command line, for a verb that only reads.
  ///
  /// - Parameter name: what the command line calls it.
  func open(_ path: String, called name: String) throws(LedgerError) -> Ledger {
    let location = LedgerLocation(
      path: try context.resolve(path, called: name), origin: .operand)
    operandLedgers.append(NamedLedger(name: path, path: location.path))
    let ledger = try location.open(author: globals.value("author"), context.configuration)
    opened.append(ledger)
    try noteLosses(of: ledger)
    return ledger
  }

  /// Opens the ledger for a verb that changes tasks.
  ///
  /// - Parameters:
  ///   - makesOwn: whether the user's own ledger is made when it is missing; pointless for a change that needs a task.
  ///   - configure: changes how the files are kept.
  func openForWriting(
    makesOwn: Bool = false, configure: (inout LedgerConfiguration) -> Void = { _ in }
  ) throws -> Ledger {
    var configuration = context.configuration
    // A command that ends at once has no background.
    configuration.sealsInBackground = false
    configure(&configuration)
    let location = try LedgerLocation.find(globals, context)
    let author = try author()
    let ledger: Ledger
    if !makesOwn {
      ledger = try location.open(author: author, configuration)
    } else if isDryRun, location.isOwnAndMissing {
      ledger = try emptyLedger(insteadOf: location, author: author, configuration)
    } else {
      let isThere = !PathKind.of(location.path).isMissing
      ledger = try location.openOrMake(author: author, configuration)
      noteOwn(location, isThere: isThere)
    }
    opened.append(ledger)
    return ledger
  }

  /// Says into which ledger something goes where nobody named it, and none is near: that it is made, or, to a person, that it is
  /// their own. Programs that use it day by day need not hear that.
  private func noteOwn(_ location: LedgerLocation, isThere: Bool) {
    guard location.origin == .ownData else { return }
    if !isThere {
      note("made your own ledger in \(location.path); `ledger init` makes one for a folder")
    } else if errors.isTerminal, !isJSON {
      let verb = isDryRun ? "would go" : "goes"
      note("no ledger is in this folder or above it: this \(verb) into your own, \(location.path)")
    }
  }

  /// Who makes the changes.
  private func author() throws(LedgerError) -> String {
    if let name = globals.value("author") { return name }
    return try context.variable("LEDGER_AUTHOR") ?? context.loginName()
  }

  /// Takes the words that set fields out of the operands.
  ///
  /// - Parameter unsets: whether `due:` with nothing behind it unsets the field; else it is text.
  func takeShortForms(unsets: Bool) throws(LedgerError) -> [FieldChange] {
    let reading = try ShortForms.read(
      arguments, today: LocalDays(context).today, unsets: unsets)
    arguments.operands = reading.words
    tagWords = reading.changes.map(\.name).filter { ShortForms.tagsField.isPrefix(of: $0) }
    return reading.changes
  }

  /// Says of `--set due=tomorrow` that it sets a text: the short form sets a day.
  func noteDaysSetAsText() {
    for text in arguments.all("set") {
      guard let (name, value) = text.cut(at: "="), name.hasSameBytes(as: "due"),
        let date = NamedDay.date(value, today: LocalDays(context).today)
      else { continue }
      note("--set due=\(value) sets the text \"\(value)\"; due:\(value) sets the day, \(date)")
    }
  }

  /// How far long work is, on a terminal.
  ///
  /// - Parameter noun: what is counted, such as "event".
  func progress(_ noun: String) -> Progress {
    Progress(errors, noun: noun, clock: context.monotonicSeconds)
  }

  /// Does long work, and shows how far it is until it ends, whichever way.
  func showingProgress<R, E>(
    _ noun: String, _ work: (Progress) throws(E) -> R
  ) throws(E) -> R {
    let progress = progress(noun)
    defer { progress.clear() }
    return try work(progress)
  }

  /// Says something about the work on standard error.
  ///
  /// - Parameter path: what it is about, where that need not be the ledger of the command.
  func note(_ text: String, about path: String? = nil) {
    let text = ledger(of: path)?.named(in: text) ?? text
    if isJSON {
      errors.json { $0.add("note", text) }
    } else {
      errors.line("note: \(errors.shown(text))")
    }
    errors.flush()
  }

  /// The ledger that the command line names, of which a file or folder is a part; without one, the ledger of the command.
  private func ledger(of path: String?) -> NamedLedger? {
    if let path, let ledger = operandLedgers.first(where: { $0.holds(path) }) { return ledger }
    guard let ledger = NamedLedger.given(globals, context) else { return nil }
    return path.map(ledger.holds) ?? true ? ledger : nil
  }

  /// An error of which the hint names the ledger that it is about.
  func namingLedger(in error: LedgerError) -> LedgerError {
    var error = error
    error.hint = error.hint.map { ledger(of: error.path)?.named(in: $0) ?? $0 }
    return error
  }

  /// Notes that events are in the ledger for good.
  func noteAppended(_ events: Int) {
    guard events > 0 else { return }
    noteDone(
      events == 1 ? "the change is in the ledger" : "the changes are in the ledger",
      "`ledger log --last \(events)` shows what is in")
  }

  /// Notes what the command has done for good: whoever reads that its report is lost must not do it again.
  ///
  /// - Parameters:
  ///   - sentence: what was done, such as "the ledger was made".
  ///   - proof: which command shows it.
  func noteDone(_ sentence: String, _ proof: String) {
    achievement = (sentence, "do not repeat it: \(proof)")
  }

  /// An error of standard output, with what was changed in spite of it: who reads of an error alone would do it again.
  func telling(ofOutput error: LedgerError) -> LedgerError {
    guard let achievement else { return error }
    var error = error
    error.sentence = "\(achievement.sentence), but the program \(error.sentence)"
    error.hint = achievement.hint
    return error
  }

  /// Ends the work on the ledger, and passes on what recovery did or found.
  func close() {
    guard !opened.isEmpty else { return }
    // A full segment is sealed beside the command: the answer comes first, but the program must not end in the middle of it, or
    // no command would ever seal it.
    out.flush()
    for ledger in opened {
      ledger.finishBackgroundWork()
      for notice in ledger.takeNotices() { note(notice) }
    }
  }
}
