import LedgerCore
import Synchronization

/// A clock that says what it was told.
final class MillisecondClock: Sendable {
  private let milliseconds: Mutex<Int64>

  init(_ milliseconds: Int64 = noon) { self.milliseconds = Mutex(milliseconds) }

  /// Unix milliseconds.
  var now: Int64 {
    get { milliseconds.withLock { $0 } }
    set { milliseconds.withLock { $0 = newValue } }
  }

  var time: LedgerTime { LedgerTime(unchecked: now) }

  static func time(_ milliseconds: Int64) -> LedgerTime { LedgerTime(unchecked: milliseconds) }
}
