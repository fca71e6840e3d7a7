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
  /// Standard output: what was asked for.
  let out: Output
  /// Standard error: what is to be said about it.
  let errors: Output
  private var opened: [Ledger] = []
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
    let folded = try ledger.foldedLoss
    let lost = try ledger.lostEvents.without(folded?.events ?? SequenceRanges())
    let proof = showsRepairs ? "" : "; `ledger stats` shows the repair"
    if let folded { note("\(LossText.sentence(folded)), and what is shown lacks it\(proof)") }
    if !lost.isEmpty {
      let them = lost.count == 1 ? "it" : "them"
      note("\(LossText.sentence(lost)), and what is shown lacks \(them)\(proof)")
    }
    if let last = try ledger.lossUncertainAfter {
      note(LossText.sentence(uncertainAfter: last))
    }
  }

  /// Opens a ledger that is named on the command line, for a verb that only reads.
  func open(_ path: String) throws(LedgerError) -> Ledger {
    guard !path.isEmpty else { throw LedgerError(.usage, "the path of a ledger is empty") }
    let location = LedgerLocation(path: try context.resolve(path), origin: .given)
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
    let isThere = !PathKind.of(location.path).isMissing
    let ledger =
      makesOwn
      ? try location.openOrMake(author: author, configuration)
      : try location.open(author: author, configuration)
    opened.append(ledger)
    if makesOwn { noteOwn(location, isThere: isThere) }
    return ledger
  }

  /// Says into which ledger something goes where nobody named it, and none is near: that it is made, or, to a person, that it is
  /// their own. Programs that use it day by day need not hear that.
  private func noteOwn(_ location: LedgerLocation, isThere: Bool) {
    guard location.origin == .ownData else { return }
    if !isThere {
      note("made your own ledger in \(location.path); `ledger init` makes one for a folder")
    } else if errors.isTerminal, !isJSON {
      note("no ledger is in this folder or above it: this goes into your own, \(location.path)")
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
  func progress(_ noun: String) -> Progress {
    Progress(errors, noun: noun, clock: context.monotonicSeconds)
  }

  /// Says something about the work on standard error.
  func note(_ text: String) {
    if isJSON {
      errors.json { $0.add("note", text) }
    } else {
      errors.line("note: \(errors.shown(text))")
    }
    errors.flush()
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
