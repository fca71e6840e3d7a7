import LedgerCore
import LedgerFormat
import TaskLedger

/// `ledger replay`
enum ReplayVerb: Verb {
  static let description = VerbDescription(
    "replay", "rebuild the state from the events alone, and print its digest",
    usage: ["[--at MOMENT] [--tasks]"],
    options: [
      .at,
      .flag(
        "tasks",
        "print the tasks on standard output: exactly the bytes that the digest is made of; the rest goes to standard error"
      ),
    ],
    details: [
      "Two ledgers with the same state digest hold the same tasks, whatever happened to them on the way. It is the SHA-256 "
        + "of one line of canonical JSON (RFC 8785, integers in full) per task, deleted ones included, sorted by id."
    ],
    examples: [
      .init("ledger replay", "counts, speed and digest"),
      .init("ledger replay --tasks | sha256sum", "the same digest, made by another program"),
      .init("ledger --json replay --at 1204", "the digest after event 1204, for a program"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let moment = try session.moment()
    let ledger = try session.openForReading()
    let progress = session.progress("event")
    let replay: Replay
    do throws(LedgerError) {
      replay = try session.reading { () throws(LedgerError) in
        try ledger.replay(at: moment) { progress.update($0) }
      }
      progress.clear()
    } catch {
      progress.clear()
      throw error
    }
    if session.arguments.has("tasks") {
      replay.forEachLines { if session.out.isOpen { session.out.machine($0) } }
      // The report on standard error follows what it is about.
      session.out.flush()
      write(replay, session, to: session.errors)
    } else {
      write(replay, session, to: session.out)
    }
    return .done
  }

  private static func write(_ replay: Replay, _ session: Session, to out: Output) {
    let rate = NumberText.rate(replay.events, seconds: replay.seconds)
    if session.isJSON {
      return out.json { json in
        json.add("events", replay.events)
        json.add("tasks", replay.tasks)
        json.add("digest", replay.digest)
        json.add("seconds", replay.seconds, decimals: 6)
        json.add("digestSeconds", replay.digestSeconds, decimals: 6)
        if let rate { json.add("eventsPerSecond", rate) }
        if let at = session.arguments.value("at") { json.add("at", at) }
      }
    }
    let seconds = DecimalText.text(replay.seconds, decimals: 3)
    let digestSeconds = DecimalText.text(replay.digestSeconds, decimals: 3)
    let speed = rate.map { ", \(NumberText.grouped($0)) a second" } ?? ""
    out.line("events  \(NumberText.grouped(replay.events))")
    out.line("tasks   \(NumberText.grouped(replay.tasks))")
    out.line("time    \(seconds) s to fold\(speed); \(digestSeconds) s for the digest")
    out.line("digest  \(replay.digest)")
  }
}
