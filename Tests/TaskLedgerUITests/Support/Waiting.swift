import Dispatch
import LedgerStorage
import LedgerTestSupport
import Observation

/// Waits until something that the models show is so: told of each change, as a view is.
@MainActor
func until(_ isSo: @MainActor () -> Bool) async {
  while !isSo() {
    let (changes, change) = AsyncStream<Void>.makeStream()
    withObservationTracking {
      _ = isSo()
    } onChange: {
      change.finish()
    }
    for await _ in changes {}
  }
}

/// Holds the calls of a disk up, so that something can be done meanwhile.
struct Barrier {
  private let arrivals: AsyncStream<Void>
  private let gate = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - kind: the next call of this kind waits.
  ///   - isLost: whether it fails afterwards.
  init(_ disk: TestDisk, at kind: CallKind, thenFails isLost: Bool = false) {
    let (arrivals, arrival) = AsyncStream<Void>.makeStream()
    self.arrivals = arrivals
    let gate = gate
    disk.faults.onCall { call in
      guard call.kind == kind else { return }
      disk.faults.onCall(nil)
      arrival.finish()
      gate.wait()
      if isLost { throw Lost() }
    }
  }

  private struct Lost: Error {}

  /// Waits until somebody stands at the barrier.
  func arrival() async { for await _ in arrivals {} }

  /// Lets him go on.
  func open() { gate.signal() }
}

extension TestDisk {
  /// Lets the next sync do its work and fail to say so.
  func failNextSyncLate() { faults.arm(FaultPlan(fail: 1, of: [.sync], effect: .everything)) }
}
