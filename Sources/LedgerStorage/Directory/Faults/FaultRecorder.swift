import LedgerCore

/// What a ``FaultDirectory`` and its open files share: the trace, the plan, the hook.
///
/// The mutex is never held while a call or the hook runs.
final class FaultRecorder: Sendable {
  typealias Hook = @Sendable (Call) throws -> Void

  fileprivate struct State {
    var trace = CallTrace()
    var files = FileNumbers()
    var plan: FaultPlan?
    /// Matching calls since the plan was armed.
    var matched = 0
    var faultsMet = 0
    var hook: Hook?
  }

  private let state = Guarded(State())

  var trace: CallTrace { state.withLock { $0.trace } }
  var faultsMet: Int { state.withLock { $0.faultsMet } }

  func arm(_ plan: FaultPlan?) {
    state.withLock { state in
      state.plan = plan
      state.matched = 0
      state.faultsMet = 0
    }
  }

  func disarm() { state.withLock { $0.plan = nil } }

  func setHook(_ hook: Hook?) { state.withLock { $0.hook = hook } }

  func number(ofFile name: String) -> Int { state.withLock { $0.files.number(name) } }

  /// Records a call, runs the hook, and then the call, or what the plan has in its place.
  ///
  /// - Parameter part: does a part of the work, where the plan asks for it.
  func perform<Result>(
    _ kind: CallKind, _ name: String, to newName: String? = nil, offset: UInt64? = nil,
    count: UInt64? = nil, file: Int? = nil, failing attempt: @autoclosure () -> Attempt,
    part: (FaultPlan.Effect) throws -> Void = { _ in }, _ body: () throws -> Result
  ) throws -> Result {
    let (call, fault, hook) = state.withLock { state in
      state.begin(kind, name, newName, offset, count, file)
    }
    do {
      try hook?(call)
      if let fault {
        if fault.effect == .everything { _ = try body() } else { try part(fault.effect) }
        throw attempt().failure(Errno(fault.errorNumber))
      }
      let result = try body()
      state.withLock { $0.end(call, .done) }
      return result
    } catch {
      state.withLock { $0.end(call, .failed((error as? LedgerError)?.systemError)) }
      throw error
    }
  }
}

extension FaultRecorder.State {
  fileprivate mutating func begin(
    _ kind: CallKind, _ name: String, _ newName: String?, _ offset: UInt64?, _ count: UInt64?,
    _ file: Int?
  ) -> (Call, FaultPlan?, FaultRecorder.Hook?) {
    var call = Call(number: trace.calls.count + 1, kind: kind, name: name)
    call.newName = newName
    call.offset = offset
    call.count = count
    call.file = file ?? files.known(name)
    call.replaced = newName.flatMap { files.known($0) }
    trace.calls.append(call)
    return (call, takeFault(call), hook)
  }

  private mutating func takeFault(_ call: Call) -> FaultPlan? {
    guard let plan, plan.matches(call) else { return nil }
    matched += 1
    let fails = plan.duration == .once ? matched == plan.nth : matched >= plan.nth
    if fails { faultsMet += 1 }
    return fails ? plan : nil
  }

  fileprivate mutating func end(_ call: Call, _ outcome: Call.Outcome) {
    let index = call.number - 1
    trace.calls[index].outcome = outcome
    trace.calls[index].lastBegun = trace.calls.count
    guard outcome == .done else { return }
    switch call.kind {
    case .create: trace.calls[index].file = files.create(call.name)
    case .rename: files.rename(call.name, to: call.newName ?? call.name)
    case .unlink: files.unlink(call.name)
    default: break
    }
  }
}

/// Which file a name leads to, so that a trace can follow it through a rename.
private struct FileNumbers {
  private var numbers: [String: Int] = [:]
  private var last = 0

  func known(_ name: String) -> Int? { numbers[name] }

  mutating func number(_ name: String) -> Int { numbers[name] ?? create(name) }

  mutating func create(_ name: String) -> Int {
    last += 1
    numbers[name] = last
    return last
  }

  mutating func rename(_ name: String, to newName: String) {
    numbers[newName] = numbers.removeValue(forKey: name)
  }

  mutating func unlink(_ name: String) { numbers[name] = nil }
}
