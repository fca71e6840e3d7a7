#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Which calls of a ``FaultDirectory`` fail, and how.
///
/// ```swift
/// directory.arm(FaultPlan(fail: 2, of: [.sync], with: EIO, effect: .losesPages))
/// ```
package struct FaultPlan: Sendable {
  /// What a call that fails has done before it throws.
  package enum Effect: Sendable, Equatable {
    /// Nothing. A sync leaves what is dirty dirty: the next one may make it durable.
    case nothing
    /// A write has written its first bytes, as many as given here or as it has. Other calls: nothing.
    case partial(Int)
    /// A sync has dropped what was dirty: it stays visible, but only what is written again can still become durable.
    /// Needs a ``MemoryDirectory`` below; other calls: nothing.
    case losesPages
    /// Everything: the call did its work, and the answer was lost.
    case everything
  }

  /// How long the fault lasts.
  package enum Duration: Sendable {
    case once
    /// Every matching call from the first one on: the disk is full, or gone.
    case forever
  }

  /// Which of the matching calls since the plan was armed fails (first), from 1.
  package var nth: Int
  /// The kinds that match.
  package var kinds: Set<CallKind>
  /// Only calls match whose name begins so, the new name of a rename included.
  package var namePrefix: String
  /// The `errno` of the failure.
  package var errorNumber: Int32
  package var effect: Effect
  package var duration: Duration

  /// Makes a plan; by default, of the calls that change something, one fails with EIO and has no effect.
  package init(
    fail nth: Int, of kinds: Set<CallKind> = CallKind.mutating, named namePrefix: String = "",
    with errorNumber: Int32 = EIO, effect: Effect = .nothing, lasting duration: Duration = .once
  ) {
    precondition(nth > 0, "the first call is number 1")
    self.nth = nth
    self.kinds = kinds
    self.namePrefix = namePrefix
    self.errorNumber = errorNumber
    self.effect = effect
    self.duration = duration
  }

  /// A disk that answers nothing from the nth call on.
  package static func diskGone(from nth: Int) -> FaultPlan {
    FaultPlan(fail: nth, of: Set(CallKind.allCases), lasting: .forever)
  }

  /// A disk that is full from the nth call that needs space on: `written` bytes of the first write still fit.
  package static func diskFull(from nth: Int, written: Int = 0) -> FaultPlan {
    FaultPlan(
      fail: nth, of: [.create, .makeFolder, .write, .truncate], with: ENOSPC,
      effect: .partial(written), lasting: .forever)
  }

  func matches(_ call: Call) -> Bool {
    guard kinds.contains(call.kind) else { return false }
    return call.name.hasBytePrefix(namePrefix) || call.newName?.hasBytePrefix(namePrefix) == true
  }
}

extension String {
  fileprivate func hasBytePrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }
}
