import LedgerCore
import LedgerFormat
import LedgerStorage

/// The program `ledger`.
package enum Program {
  /// The version that `--version` prints.
  package static let version = "0.1.0"

  /// Carries out one command line.
  ///
  /// - Returns: the exit code.
  package static func run(_ context: CommandContext) -> Int32 {
    let out = Output(context.output)
    let errors = Output(context.errors)
    var globals = Arguments()
    var session: Session?
    var status: ExitStatus
    var isReported = false
    do {
      status = try run(context, &globals, &session, out, errors)
    } catch {
      // What was made before the error stands before it.
      out.flush()
      status = report(error, globals, errors, session)
      isReported = true
    }
    do throws(LedgerError) {
      try out.finish()
    } catch {
      // An error that was reported already matters more than the output that is missing because of it. An answer of no is
      // no error: what it is about is missing.
      if status == .done || (status == .no && !isReported) {
        status = report(session?.telling(ofOutput: error) ?? error, globals, errors, session)
      }
    }
    errors.flush()
    return status.rawValue
  }

  private static func run(
    _ context: CommandContext, _ globals: inout Arguments, _ running: inout Session?,
    _ out: Output, _ errors: Output
  ) throws -> ExitStatus {
    var rest = try hinting("`ledger --help` lists the options") {
      try ArgumentReader.readGlobals(context.arguments, into: &globals)
    }
    if globals.has("version") {
      showVersion(globals, out)
      return .done
    }
    var wantsHelp = globals.has("help")
    let isHelp = rest.first == "help"
    if isHelp {
      wantsHelp = true
      rest.removeFirst()
      // Whoever asks for help on help wants to see what there is.
      if rest.first == "help" { rest.removeFirst() }
    }
    guard let name = rest.popFirst() else {
      guard wantsHelp else {
        throw LedgerError(
          .usage, "no verb is given: ledger [options] VERB ...",
          hint: "`ledger --help` lists the verbs")
      }
      out.raw(HelpText.general())
      return .done
    }
    let verb = try Verbs.named(name)
    if isHelp, let other = rest.first, !ArgumentReader.isOption(other) {
      throw LedgerError(
        .usage, "help takes one verb, found \(rest.count + 1)",
        hint: "`ledger \(name) --help` shows that of one")
    }
    return try hinting(ArgumentReader.usageHint(verb.description)) {
      let arguments = wantsHelp ? nil : try ArgumentReader.read(rest, for: verb.description)
      guard let arguments, !arguments.has("help") else {
        out.raw(HelpText.verb(verb.description))
        return .done
      }
      let session = Session(
        context, globals: globals, arguments: arguments, out: out, errors: errors)
      running = session
      defer { session.close() }
      return try verb.run(session)
    }
  }

  /// The options before the verb, as far as they can be read: they tell how to print an error.
  static func globals(in arguments: [String]) -> Arguments {
    var globals = Arguments()
    _ = try? ArgumentReader.readGlobals(arguments, into: &globals)
    return globals
  }

  /// Gives an error about what was typed a hint, where it has none of its own.
  private static func hinting<R>(_ hint: String, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch {
      guard var error = error as? LedgerError, error.code == .usage || error.code == .invalid
      else { throw error }
      error.hint = error.hint ?? hint
      throw error
    }
  }

  private static func showVersion(_ globals: Arguments, _ out: Output) {
    if globals.has("json") {
      out.json { $0.add("version", version) }
    } else {
      out.line("ledger \(version)")
    }
  }

  /// What to do about an error that says nothing of its own.
  private static func generalHint(_ error: LedgerError) -> String? {
    switch error.code {
    case .damaged: LedgerError.repairHint
    case .io: error.path != nil ? "run `ledger verify` to see what can be read" : nil
    case .busy: "try again"
    default: nil
    }
  }

  /// Writes an error, and says how the program ends because of it.
  static func report(
    _ error: any Error, _ globals: Arguments, _ errors: Output, _ session: Session? = nil
  ) -> ExitStatus {
    let failure = error as? CommandFailure
    var error = BackupHint.added(to: failure?.error ?? LedgerError.wrapping(error))
    error.hint = error.hint ?? generalHint(error)
    error = session?.namingLedger(in: error) ?? error
    let status = failure?.status ?? ExitStatus(error)
    ErrorReport.write(error, status, isJSON: globals.has("json"), to: errors)
    return status
  }
}
