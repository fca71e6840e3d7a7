import LedgerStorage
import LedgerTestSupport
import TaskLedger

extension TestDisk {
  /// The disks that are left when the power is cut or the process killed before any call of some work that changes something.
  ///
  /// - Parameter tearings: in how many ways the power cut tears what was not synced, beside the one that loses it.
  func disks(
    beforeCallsOf work: () throws -> Void, tearings: Int = 1
  ) rethrows -> [(call: Call, disk: TestDisk)] {
    let left = Guarded<[(call: Call, disk: TestDisk)]>([])
    faults.onCall { [memory] call in
      guard CallKind.mutating.contains(call.kind) else { return }
      left.withLock { left in
        left.append((call, TestDisk(memory.powerCut())))
        for way in 0..<tearings {
          left.append((call, TestDisk(memory.powerCut(tearing: UInt64(call.number) << (32 * way)))))
        }
        left.append((call, TestDisk(memory.copy())))
      }
    }
    defer { faults.onCall(nil) }
    try work()
    return left.withLock { $0 }
  }
}
