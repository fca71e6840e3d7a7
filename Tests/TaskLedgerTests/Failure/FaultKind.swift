import LedgerStorage
import LedgerTestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The ways in which the nth call fails.
enum FaultKind: CaseIterable, Sendable {
  /// A call that changes something fails, once.
  case error
  /// All that change something fail from then on.
  case errors
  /// A call does its work, and the answer is lost.
  case lostAnswer
  /// A write fails with its first bytes written.
  case shortWrite
  /// The disk is full; a few bytes of the last write still fit.
  case fullDisk
  /// A sync fails and loses its pages; the next one says that all is well.
  case lostPages
  /// Every sync fails so.
  case lostPagesEachTime
  /// Any call fails, reads and locks too, once.
  case anyError
  /// The disk is gone.
  case gone

  /// The disks to look at after the nth call failed: all ways to stop there, for a call that fails once; one of them for the other
  /// kinds; and where reads are among the calls, of which there are many, for every fourth.
  func lefts(of disk: TestDisk, _ n: Int) -> [TestDisk] {
    let all = [
      { disk.processKilled() }, { disk.powerCut() }, { disk.powerCut(tearing: UInt64(n)) },
    ]
    switch self {
    case .error: return all.map { $0() }
    case .anyError, .gone: return n % 4 == 0 ? [all[n / 4 % 3]()] : []
    default: return [all[n % 3]()]
    }
  }

  func plan(_ n: Int) -> FaultPlan {
    switch self {
    case .error: FaultPlan(fail: n)
    case .errors: FaultPlan(fail: n, lasting: .forever)
    case .lostAnswer: FaultPlan(fail: n, effect: .everything)
    case .shortWrite: FaultPlan(fail: n, of: [.write], effect: .partial(200))
    case .fullDisk: .diskFull(from: n, written: 130)
    case .lostPages: FaultPlan(fail: n, of: [.sync], effect: .losesPages)
    case .lostPagesEachTime:
      FaultPlan(fail: n, of: [.sync], effect: .losesPages, lasting: .forever)
    case .anyError: FaultPlan(fail: n, of: Set(CallKind.allCases))
    case .gone: .diskGone(from: n)
    }
  }
}
