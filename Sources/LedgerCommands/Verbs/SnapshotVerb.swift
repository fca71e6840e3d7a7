import LedgerCore
import TaskLedger

/// `ledger snapshot`
enum SnapshotVerb: Verb {
  static let description = VerbDescription(
    "snapshot", "keep the tasks on disk, so that reading starts there",
    usage: [""],
    details: [
      "list, get and everything else that needs the tasks start from the newest snapshot that fits and read only the events after "
        + "it; --at does so, too, at any moment. Snapshots are made by themselves as a ledger grows. The newest two are kept, and "
        + "those nearest before half of the events, a quarter of them, an eighth and so on.",
      "A snapshot says nothing that the events do not say: all can be deleted. One that is damaged, or does not fit the events, is "
        + "left out and reported. `ledger verify` compares all of them with the events, `ledger replay` the newest.",
    ],
    examples: [
      .init("ledger snapshot", "makes one of the last event, from the events alone"),
      .init("ledger --json snapshot", "one object, for a program"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let ledger = try session.openForWriting()
    let snapshot = try session.showingProgress("event") { (progress) throws(LedgerError) in
      try ledger.snapshot { progress.update($0) }
    }
    if snapshot?.isNew == true {
      session.noteDone("the snapshot was made", "`ledger stats` shows it")
    }
    session.isJSON ? writeJSON(snapshot, session.out) : write(snapshot, session.out)
    return .done
  }

  private static func write(_ snapshot: LedgerSnapshot?, _ out: Output) {
    guard let snapshot else { return out.line("nothing to do: there are no events") }
    let tasks = NumberText.count(snapshot.tasks, "task")
    let bytes = NumberText.count(snapshot.bytes, "byte")
    let start = snapshot.isNew ? "made" : "there already is"
    out.line("\(start) a snapshot of event \(snapshot.sequence): \(tasks), \(bytes)")
    out.line("digest  \(snapshot.digest)")
  }

  private static func writeJSON(_ snapshot: LedgerSnapshot?, _ out: Output) {
    out.json { json in
      json.add("made", snapshot?.isNew ?? false)
      guard let snapshot else { return }
      json.add("sequence", snapshot.sequence)
      json.add("tasks", snapshot.tasks)
      json.add("digest", snapshot.digest)
      json.add("file", snapshot.file)
      json.add("bytes", snapshot.bytes)
    }
  }
}
