import LedgerCore
import LedgerFormat
import TaskLedger

/// `ledger repair`
enum RepairVerb: Verb {
  static let description = VerbDescription(
    "repair", "save what is intact of a damaged ledger",
    usage: ["[--dry-run]"],
    options: [.dryRun],
    details: [
      "Does what `ledger verify` shows to be needed, and nothing on a sound ledger. What is intact of a damaged segment goes into "
        + "a new one, and every event keeps its sequence number; the tasks are what the events that are left add up to. "
        + "A segment is found under another name, too, and where it was lost and is back, its events take their place again. "
        + "A CURRENT or manifest that is missing, broken or out of date is made anew from the newest manifest that fits the files, or "
        + "from the segments themselves: what is missing between them is named, and they are a new replica's where they may be a "
        + "backup's. A backup under an older copy of it gets its newer list back. Where two lists of files with different events "
        + "lie in the folder, because a copy was put back over a newer ledger, the longer one counts; what was acknowledged on the "
        + "other is named, its files are kept, and the exit code is 65. What stands in the place of a file is moved "
        + "aside. Snapshots of lost events are no longer used, and kept; the plan says how many tasks they hold and how many are left, and "
        + "`ledger replay --snapshot FILE --tasks` prints them.",
      "The broken bytes are kept in the folder `aside` of the ledger. What was done is on record, with what was lost, the digest "
        + "of the broken bytes and where they are: `ledger stats` shows it. From then on `ledger verify` and every verb that reads say "
        + "which events were lost. Where nobody can tell how many were lost at the end, the ledger goes on as a new replica.",
      "Where a backup has more, restore that instead. A file that the system does not let be read is not repaired: whether it is lost "
        + "cannot be told. A repair that was interrupted left the ledger as damaged as before, or repaired; run it again.",
    ],
    examples: [
      .init("ledger repair --dry-run", "what is wrong, what can be saved, and what is lost"),
      .init("ledger repair", "does that"),
      .init("ledger --json repair", "an object for each part, then one for the whole"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let isDryRun = session.isDryRun
    let location = try LedgerLocation.find(session.globals, session.context)
    let configuration = session.context.configuration
    let repair: Repair
    do throws(LedgerError) {
      repair = try session.showingProgress("event") { (progress) throws(LedgerError) in
        guard !isDryRun else {
          return try Ledger.repairPlan(at: location.path, configuration: configuration) {
            progress.update($0)
          }
        }
        return try Ledger.repair(at: location.path, configuration: configuration) {
          progress.update($0)
        }
      }
    } catch {
      throw location.explain(error)
    }
    if !isDryRun, !repair.steps.isEmpty {
      session.noteDone("the ledger was repaired", "`ledger stats` shows what was done")
    }
    if session.isJSON {
      RepairJSON.write(repair, isDryRun, session.out)
    } else {
      RepairText.write(repair, isDryRun, of: location.path, session.out)
    }
    if repair.droppedEvents > 0 { throw dropping(repair, isDryRun, path: location.path) }
    return .done
  }

  /// What was acknowledged is never dropped in silence.
  private static func dropping(_ repair: Repair, _ isDryRun: Bool, path: String) -> LedgerError {
    let count = repair.droppedEvents
    let verb = isDryRun ? "would not be" : count == 1 ? "is not" : "are not"
    return LedgerError(
      .damaged,
      "\(NumberText.count(count, "event")) that had been acknowledged \(verb) part of the ledger any more: \(repair.dropped.text()), of another list of files",
      path: path,
      hint: isDryRun
        ? "copy the folder first: a copy of it can be repaired in another way"
        : "their files are kept in the folder aside, as `ledger stats` shows; make these changes again"
    )
  }
}
