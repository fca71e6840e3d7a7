import LedgerCore
import LedgerFormat
import LedgerStorage
import TaskLedger

/// `ledger watch`
enum WatchVerb: Verb {
  static let description = VerbDescription(
    "watch", "show changes as they are made, by any process",
    usage: ["[QUERY] [--arg NAME=V]... [--after N] [--limit N]"],
    operands: .optional("QUERY"),
    options: [
      .queryArgument,
      .init("after", "N", "begin with the events after sequence number N, not with the next one"),
      .init("limit", "N", "end after N events"),
    ],
    details: [
      "Each event is a line as soon as it is committed: sequence number, time, author, kind, task, what changed from old → new, and "
        + "the message. On a terminal the text of the task stands before what changed, and the line is cut to the width; "
        + "elsewhere there are tabs between, as in `ledger log`. With --json each event is an object, as in `ledger --json log`."
    ] + QueryHelp.details + [
      "With a query only events are shown whose task met it before the event or meets it after. Deleted tasks count as not "
        + "meeting it, unless it asks for isDeleted itself.",
      "It ends after --limit events, when it is interrupted (SIGINT, SIGTERM) or when nobody reads its output any more, each time "
        + "with exit code 0; with the code of the error when the ledger cannot be read any more, 66 when its folder was moved, "
        + "deleted or replaced.",
    ],
    examples: [
      .init("ledger watch", "what anyone does from now on"),
      .init("ledger watch 'priority >= 2'", "what happens to tasks of high priority"),
      .init("ledger --json watch --after 1204", "every event after 1204, then each new one"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let typed = try session.query(session.arguments.operands.first)
    let matcher = typed.map { QueryMatcher($0.query.hidingDeleted) }
    var left = try session.arguments.number("limit") ?? .max
    let after = try session.arguments.number("after")
    let location = try LedgerLocation.find(session.globals, session.context)
    let ledger = try session.openForReading()
    if let typed {
      session.noteUnknown(try UnknownField.find(in: typed.query, amongAll: ledger, found: []))
    }
    try session.noteDateSlips(typed, amongAll: ledger)
    try session.noteTypeSlips(typed, amongAll: ledger)
    let follower = EventFollower(ledger, after: try after ?? ledger.lastSequence)
    session.context.onInterruption { follower.stop() }
    let out = session.out
    if out.isTerminal { session.note("waiting for changes; Ctrl-C ends") }
    while left > 0, out.isOpen {
      let event: Event?
      var isElsewhere = false
      do throws(LedgerError) {
        event = try follower.nextOnThread(beforeWaiting: {
          isElsewhere = !ledger.isAtItsPath
          return prepareToWait(session, ledger) && !isElsewhere
        })
      } catch {
        throw explain(error, ledger, location)
      }
      if isElsewhere { throw moved(location) }
      guard event != nil, let effect = try follower.effectOfLast() else { break }
      guard matcher.map(effect.concerns) ?? true else { continue }
      write(effect, out, isJSON: session.isJSON)
      left -= 1
    }
    return .done
  }

  private static func moved(_ location: LedgerLocation) -> LedgerError {
    LedgerError(
      .notFound, "the folder of the ledger was moved or deleted while it was watched",
      path: location.path, hint: "name its new place with --ledger, or restore a backup")
  }

  /// Whoever deletes a folder takes its files first: what is wrong with half of it tells nobody why.
  private static func explain(
    _ error: LedgerError, _ ledger: Ledger, _ location: LedgerLocation
  ) -> LedgerError {
    guard [.damaged, .notFound, .io].contains(error.code) else { return error }
    for _ in 0..<looksMax {
      if !ledger.isAtItsPath { return moved(location) }
      sleep(milliseconds: pauseMilliseconds)
    }
    return error
  }

  /// A folder that is being deleted is gone after as many looks.
  private static let looksMax = 20
  private static let pauseMilliseconds: UInt64 = 25

  /// Hands over what there is.
  ///
  /// - Returns: whether anybody reads it.
  private static func prepareToWait(_ session: Session, _ ledger: Ledger) -> Bool {
    session.out.flush()
    for notice in ledger.takeNotices() { session.note(notice) }
    return session.out.isOpen
  }

  private static func write(_ effect: EventEffect, _ out: Output, isJSON: Bool) {
    guard !isJSON else { return out.machine(EventJSON.bytes(effect.entry) + [0x0a]) }
    let tellsBody = effect.entry.changes.contains { $0.name == .body }
    let body = tellsBody ? nil : (effect.after ?? effect.before)?.body
    out.line(EventLine.text(effect.entry, title: body, on: out))
  }
}

extension EventEffect {
  /// Whether the task met a query before or meets it after.
  fileprivate func concerns(_ matcher: QueryMatcher) -> Bool {
    (before.map(matcher.matches) ?? false) || (after.map(matcher.matches) ?? false)
  }
}
