import LedgerPlainModel
import LedgerStorage
import TaskLedger

/// Reads a ledger in every way and compares what it says with what is expected of it.
struct LedgerInspection {
  let expected: ExpectedLog
  /// Where the history of the ledger may begin: before everything, or behind a fold that was asked for.
  let horizons: Set<Int>

  /// What was found.
  struct Finding {
    let model: PlainModel
    let horizon: Int
  }

  /// Reads the ledger by a handle.
  func inspect(_ ledger: Ledger) throws -> Finding {
    let (events, horizon) = try Self.log(of: ledger)
    guard horizons.contains(horizon) else {
      throw BrokenPromise("the history before event \(horizon) was folded, and nobody asked")
    }
    let model = try expected.model(of: events, after: horizon)
    try compareState(ledger, model)
    if horizon == 0, let task = model.ids.last { try compareHistory(ledger, model, task) }
    return Finding(model: model, horizon: horizon)
  }

  /// The events that a ledger lists, and after which one the list begins.
  static func log(of ledger: Ledger) throws -> (events: [PlainEvent], horizon: Int) {
    while true {
      let horizon = try horizon(of: ledger)
      let events = try events(of: ledger, after: horizon)
      // Somebody may have folded meanwhile.
      if try Self.horizon(of: ledger) == horizon { return (events, horizon) }
    }
  }

  private static func horizon(of ledger: Ledger) throws -> Int {
    let segments = try ledger.statistics().segments
    return segments.first?.kind == "baseline" ? Int(segments[1].firstSequence) - 1 : 0
  }

  private static func events(of ledger: Ledger, after horizon: Int) throws -> [PlainEvent] {
    var events: [PlainEvent] = []
    var wholeTransactions = 0
    try ledger.forEachEvent(EventFilter(after: UInt64(horizon))) { event in
      events.append(PlainEvent(event))
      if event.endsTransaction { wholeTransactions += 1 }
      return true
    }
    // A transaction that the fold cut counts by its rest.
    guard Set(events.map(\.transaction)).count == wholeTransactions else {
      throw BrokenPromise("a transaction is there in part")
    }
    return events
  }

  private func compareState(_ ledger: Ledger, _ model: PlainModel) throws {
    let documents = model.documents() ?? []
    let digest = model.digest()
    let replay = try ledger.replay(comparesSnapshot: true)
    guard replay.digest == digest else {
      throw BrokenPromise("replay gives the digest \(replay.digest), the model \(digest ?? "none")")
    }
    if let comparison = replay.comparison, !comparison.agrees {
      throw BrokenPromise("the snapshot does not agree with the events")
    }
    let listed = try ledger.tasks(TaskListOptions(includesDeleted: true))
    guard listed.map({ PlainModel.Document($0) }) == documents else {
      throw BrokenPromise("the list is not the model's")
    }
  }

  private func compareHistory(
    _ ledger: Ledger, _ model: PlainModel, _ task: PlainText
  ) throws {
    let id = try TaskID(task.string)
    let found = try ledger.audit(id).map { PlainModel.HistoryEntry($0) }
    guard found == model.history(of: task) else {
      throw BrokenPromise("the audit of \(task) is not the model's")
    }
    if let shown = try ledger.task(id) {
      let document = model.task(task)?.document.canonical
      guard PlainModel.Document(shown).json == document else {
        throw BrokenPromise("the task \(task) is not the model's")
      }
    }
  }

  /// What a crash left, opened and verified by itself, is as it should be.
  func inspect(remains: MemoryDirectory, _ configuration: LedgerConfiguration) throws {
    let ledger = try Ledger(remains, author: "inspector", configuration: configuration)
    let finding = try inspect(ledger)
    let verification = try Ledger.verify(remains)
    try verification.requireNoFault()
    guard verification.digest == finding.model.digest(), verification.isSound else {
      throw BrokenPromise("verify gives the digest \(verification.digest ?? "none"), or not sound")
    }
  }
}

extension Verification {
  /// Requires that there is nothing but what steps and crashes leave behind.
  func requireNoFault() throws {
    for file in files {
      switch file.status {
      case .sound, .absent, .unlisted, .unneeded, .tornTail: continue
      // A write of what it says that failed may have been made in part.
      case .leftOut where file.name == "LOCK": continue
      default: throw BrokenPromise("verify finds \(file.name) \(file.status)")
      }
    }
  }
}
