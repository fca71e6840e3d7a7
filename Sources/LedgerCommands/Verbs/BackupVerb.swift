import LedgerCore
import TaskLedger

/// `ledger backup`
enum BackupVerb: Verb {
  static let description = VerbDescription(
    "backup", "copy the ledger to another folder, or what is new of it",
    usage: ["[--follow-fold] DEST"],
    operands: .one("DEST"),
    options: [
      .flag(
        "follow-fold",
        "fold in DEST, too, what was folded in the ledger since the last run: that history is then gone for good"
      )
    ],
    details: [
      "DEST is a folder that is missing, empty, or holds a backup of this ledger; anything else is refused, and so is the ledger's own "
        + "folder. It then holds the log up to one moment: all that was acknowledged before, and nothing of what comes later. "
        + "Others can read and write meanwhile. A second run copies the files that are not there yet, follows compaction, and "
        + "removes what it replaced.",
      "Each run reads all of DEST: it takes as long as that. A file that is damaged there is copied anew, and the answer names it.",
      "What is copied is read back before it counts. A run that was interrupted leaves what DEST held before, and the next one goes on "
        + "from there. A ledger that lacks events that DEST has is refused, also where a repair put on record that they are lost: nothing that is in a backup is ever taken out. So "
        + "is one in which history was folded that DEST still has, unless --follow-fold says otherwise: make a new backup elsewhere.",
      "DEST is read like any ledger, by `ledger --ledger DEST verify`, list, replay and all others. Nothing is appended to it but by the "
        + "next backup; only `verify --resume` writes into it, how far it came. `ledger restore --from DEST` makes a ledger of it. Snapshots "
        + "are not copied: they are made again. Nor is POLICY, the file of `ledger maintain`: copy it yourself.",
      "A folder that is copied by cp or rsync is no backup: it may be torn where a writer was at it, and it is the same replica. Two "
        + "ledgers that append as one replica give different events the same origin, which nobody can tell apart later.",
    ],
    examples: [
      .init("ledger backup /mnt/backup/tasks.ledger", "copies what is new, and says how much"),
      .init("ledger --json backup /mnt/backup/tasks.ledger", "one object, for a program"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let path = session.arguments.operands[0]
    let target = try session.context.resolve(path, called: "DEST")
    let ledger = try session.openForReading()
    try PathKind.refuseObstacle(at: target, to: "make a backup", holding: "a backup")
    let followsFold = session.arguments.has("follow-fold")
    let backup = try session.showingProgress("byte") { progress in
      try CommandFailure.creating { () throws(LedgerError) in
        try ledger.backup(to: target, followsFold: followsFold) { progress.update($0) }
      }
    }
    session.noteDone(
      "the backup is up to date",
      "`ledger --ledger \(path.shellWord) verify` shows that it is sound")
    if !backup.mended.isEmpty {
      session.note(
        "\(NumberText.count(backup.mended.count, "file")) of the backup had been damaged since the last run: look at its disk"
      )
    }
    session.isJSON ? writeJSON(backup, target, session.out) : write(backup, target, session.out)
    return .done
  }

  private static func write(_ backup: LedgerBackup, _ path: String, _ out: Output) {
    let events = NumberText.count(backup.events, "event")
    out.line("backed up \(events) to \(out.shown(path))")
    if let text = LossText.recorded(backup.lostEvents) { out.line("lost before   \(text)") }
    out.line("copied        \(amount(backup.copiedFiles, backup.copiedBytes))")
    let (files, bytes) = (backup.files - backup.copiedFiles, backup.bytes - backup.copiedBytes)
    out.line("unchanged     \(amount(files, bytes))")
    for mended in backup.mended {
      out.line("copied anew   \(out.shown(mended.file)): \(out.shown(mended.problem))")
    }
    out.line("log digest    \(backup.logDigest)")
  }

  static func amount(_ files: Int, _ bytes: UInt64) -> String {
    guard files > 0 else { return "nothing" }
    return "\(NumberText.count(files, "file")), \(NumberText.count(bytes, "byte"))"
  }

  private static func writeJSON(_ backup: LedgerBackup, _ path: String, _ out: Output) {
    out.json { json in
      json.add("path", path)
      json.add("sequence", backup.sequence)
      if !backup.lostEvents.isEmpty {
        json.add("events", backup.events)
        json.addRanges("lostBefore", backup.lostEvents)
      }
      json.add("copiedFiles", backup.copiedFiles)
      json.add("copiedBytes", backup.copiedBytes)
      json.add("files", backup.files)
      json.add("bytes", backup.bytes)
      json.addObjects("mended", backup.mended) { json, mended in
        json.add("file", mended.file)
        json.add("problem", mended.problem)
      }
      json.add("logDigest", backup.logDigest)
    }
  }
}
