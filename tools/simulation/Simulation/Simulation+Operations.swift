import LedgerPlainModel
import LedgerStorage
import TaskLedger

/// What a handle does in one step.
enum Operation: String {
  case write, read, seal, snapshot, merge, fold, maintain, backup, verify, reopen

  /// Each as often as it is to be done.
  static let weighted: [Operation] =
    Array(repeating: .write, count: 26) + Array(repeating: .read, count: 3) + [
      .seal, .seal, .snapshot, .snapshot, .merge, .merge, .fold, .fold, .maintain, .maintain,
      .backup, .backup, .verify, .reopen, .reopen,
    ]
}

extension Simulation {
  /// Does something, and judges how it fails.
  func attempt(_ operation: Operation, by index: Int, isInterlude: Bool = false) throws {
    tell("\(operation) by handle \(index + 1) at \(machine.now)")
    counts.count("step: \(operation.rawValue)")
    let before = machine.faults.faultsMet
    do {
      try perform(operation, by: index, isInterlude: isInterlude)
    } catch let broken as BrokenPromise {
      throw broken
    } catch {
      let error = LedgerError.wrapping(error)
      tell("failed: \(error)")
      if machine.faults.faultsMet > before { isHurt[index] = true }
      try judge(error, of: operation, by: index, met: machine.faults.faultsMet > before)
    }
    if machine.faults.faultsMet > before { isHurt[index] = true }
  }

  private func judge(
    _ error: LedgerError, of operation: Operation, by index: Int, met: Bool
  ) throws {
    if machine.remains != nil { return }
    switch error.code {
    case .poisoned where isHurt[index]: handles[index] = nil
    case .io where met: counts.count("failed: \(operation.rawValue)")
    // Somebody is in the middle of something, on the one thread that there is.
    case .busy where met || machine.isInInterlude || machine.hadInterlude: counts.count("busy")
    default:
      throw BrokenPromise("\(operation.rawValue) by handle \(index + 1) fails: \(error)")
    }
  }

  private func perform(_ operation: Operation, by index: Int, isInterlude: Bool) throws {
    switch operation {
    case .write: try write(by: index)
    case .read: try read(by: index)
    case .seal: try handle(index).sealNow()
    case .snapshot: _ = try handle(index).snapshot()
    case .merge: _ = try handle(index).compact(.merge)
    case .fold: try fold(by: index)
    case .maintain: try maintain(by: index)
    case .backup: try makeBackup(by: index)
    case .verify: try verify()
    case .reopen:
      handles[index] = nil
      _ = try handle(index)
    }
  }

  private func read(by index: Int) throws {
    if machine.hasInterlude { return try readBesideOthers(by: index) }
    let finding = try LedgerInspection(expected: expected, horizons: horizons)
      .inspect(handle(index))
    tell("read \(finding.model.events.count) events")
  }

  /// Reads while the other handle does something: each answer is that of some moment since it was asked, whole transactions only.
  private func readBesideOthers(by index: Int) throws {
    let acknowledged = expected.acknowledged.events.count
    let handle = try handle(index)
    let (events, horizon) = try LedgerInspection.log(of: handle)
    let replay = try handle.replay()
    if machine.remains != nil { return }
    let all = try LedgerInspection.log(of: opened())
    _ = try LedgerInspection(expected: expected, horizons: horizons).inspect(opened())
    let hidden = max(horizon, all.horizon)
    let (seen, known) = (
      events.filter { $0.sequence > hidden }, all.events.filter { $0.sequence > hidden }
    )
    guard known.starts(with: seen), horizon + events.count >= acknowledged else {
      throw BrokenPromise("a reader sees \(events.count) events that are not those of any moment")
    }
    guard all.horizon == 0 else { return }
    let model = PlainModel(arriving: Array(all.events.prefix(Int(replay.events))))
    guard replay.digest == model.digest() else {
      throw BrokenPromise("a reader sees a state that is not that of any moment")
    }
  }

  /// Folds the history before some acknowledged event. One that late events stand in the way of is refused.
  private func fold(by index: Int) throws {
    let (first, last) = ((horizons.max() ?? 0) + 1, expected.acknowledged.events.count)
    guard first <= last else { return }
    let policy = CompactionPolicy.fold(
      before: .sequence(UInt64(first + random.below(last - first + 1))))
    let handle = try handle(index)
    var target: Int?
    defer { target.map { foldsUnderWay.subtract([$0]) } }
    do throws(LedgerError) {
      // A transaction is not cut: the horizon may lie before the event.
      target = try handle.compactionPlan(policy).horizon.map { Int($0) }
      guard let target else { return }
      horizons.insert(target)
      foldsUnderWay.insert(target)
      let done = try handle.compact(policy)
      guard machine.remains == nil else { return }
      if done.plan.horizon != nil, done.plan.steps.count > 0 {
        horizons = foldsUnderWay.union([target])
      }
      counts.count("folds")
    } catch {
      guard error.code == .invalid else { throw error }
      if let target { horizons.remove(target) }
    }
  }

  private func maintain(by index: Int) throws {
    var policy = MaintenancePolicy()
    policy.sealEvents = UInt64(random.pick([1, 4]))
    policy.verifyPercent = UInt64(random.pick([20, 100]))
    policy.snapshotEvents = UInt64(random.pick([3, 20]))
    policy.mergeSegments = UInt64(random.pick([2, 5]))
    let report = try handle(index).maintain(policy)
    // What nothing is read from any more finds whatever it likes.
    if let damage = report?.damage, machine.remains == nil {
      throw BrokenPromise("maintenance finds damage: \(damage)")
    }
    // Judged as if it had ended the run.
    if let failure = report?.failure { throw failure }
  }

  private func verify() throws {
    let before = machine.faults.faultsMet
    let verification = try Ledger.verify(machine.directory)
    guard machine.faults.faultsMet == before, machine.remains == nil else { return }
    try verification.requireNoFault()
  }

  /// Backs the ledger up, restores the backup, and compares.
  private func makeBackup(by index: Int) throws {
    // A fold takes events away that a backup keeps: the next backup is another.
    if horizons != [0] { backup = MemoryDirectory(path: "backup") }
    let acknowledged = expected.acknowledged.events.count
    let target = backup
    let report: LedgerBackup
    let handle = try handle(index)
    do throws(LedgerError) {
      report = try handle.backup(to: target, followsFold: true)
    } catch {
      // Somebody folded meanwhile what is in the backup.
      guard machine.hasInterlude, error.code != .damaged, error.code != .io else { throw error }
      return
    }
    guard machine.remains == nil else { return }
    guard Int(report.sequence) >= acknowledged else {
      throw BrokenPromise("the backup ends with event \(report.sequence) of \(acknowledged)")
    }
    let restored = MemoryDirectory(path: "restored")
    try Ledger.restore(from: target, to: restored, configuration: configuration)
    let (events, horizon) = try LedgerInspection.log(
      of: try Ledger(restored, author: Self.author, configuration: configuration))
    let here = try LedgerInspection.log(of: opened())
    // Others may have folded meanwhile.
    let hidden = max(horizon, here.horizon)
    let (copied, known) = (
      events.filter { $0.sequence > hidden }, here.events.filter { $0.sequence > hidden }
    )
    guard horizon <= here.horizon, known.starts(with: copied) else {
      throw BrokenPromise("the restored ledger is not the one that was backed up")
    }
    // Others may have gone on meanwhile.
    if horizon + events.count >= expected.acknowledged.events.count {
      try expected.pin(events, after: horizon)
    }
    counts.count("restorations")
  }
}
