import LedgerPlainModel
import LedgerStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What goes wrong during an operation.
extension Simulation {
  /// Lets a call fail: one of the next, or one and all after it.
  func armFault() {
    let kinds: [Set<CallKind>] = [
      CallKind.mutating, CallKind.mutating, [.write], [.sync], [.sync], [.syncFolder], [.rename],
      [.create, .write, .truncate], [.lock, .unlock], Set(CallKind.allCases),
    ]
    let effects: [FaultPlan.Effect] = [
      .nothing, .nothing, .partial(1 + random.below(600)), .losesPages, .losesPages, .everything,
    ]
    let plan = FaultPlan(
      fail: 1 + random.below(random.pick([2, 10, 40])), of: random.pick(kinds),
      with: random.pick([EIO, EIO, ENOSPC, EINTR]), effect: random.pick(effects),
      lasting: random.chance(75) ? .once : .forever)
    tell(
      "armed: \(plan.nth) of \(plan.kinds.map(\.rawValue).sorted()), \(plan.errorNumber), \(plan.effect), \(plan.duration)"
    )
    machine.arm(plan)
  }

  /// Lets the machine crash during the next operation.
  func planCrash() {
    machine.planCrash(
      random.pick(SimulatedMachine.Crash.allCases), at: 1 + random.below(random.pick([4, 15, 60])),
      seed: random.next())
  }

  /// Lets the other handle do something in the middle of the next operation.
  func planInterlude(of index: Int) {
    let operation = random.pick(Operation.weighted)
    machine.planInterlude(at: 1 + random.below(random.pick([5, 30, 100]))) { [unowned self] in
      counts.count("interludes")
      tell("  meanwhile")
      // Another process, but the same clock: it goes on from where it was.
      let now = machine.now
      defer { machine.now = now }
      do {
        try attempt(operation, by: index, isInterlude: true)
      } catch {
        broken = broken ?? error as? BrokenPromise ?? BrokenPromise("\(error)")
      }
      tell("  until now")
    }
  }
}

extension FaultPlan.Effect {
  /// What it does to a call of some kind, in words.
  func name(for kind: CallKind) -> String {
    switch self {
    case .partial where kind == .write: ", short write"
    case .losesPages where kind == .sync: ", pages clean and lost"
    case .everything: ", done all the same"
    case .nothing, .partial, .losesPages: ""
    }
  }
}

extension SimulatedMachine {
  /// Arms a plan and remembers it.
  func arm(_ plan: FaultPlan) {
    armed = plan
    faults.arm(plan)
  }

  /// The calls that failed with an errno since this was asked last.
  func takeFailures(_ errorNumber: Int32) -> [Call] {
    let calls = faults.trace.calls
    defer { seenCalls = calls.count }
    return calls[min(seenCalls, calls.count)...].filter { $0.outcome == .failed(errorNumber) }
  }
}
