import LedgerCore
import LedgerFormat

/// Lends compression contexts, which are dear to make, to one caller at a time each.
package final class ZstdPool: Sendable {
  /// Those that nobody has.
  private struct Idle: @unchecked Sendable {
    // Unchecked: a context is in here or lent to one caller, never both.
    var contexts: [Zstd] = []
  }

  private let idle = Guarded(Idle())

  package init() {}

  package func with<R>(_ body: (Zstd) throws(LedgerError) -> R) throws(LedgerError) -> R {
    let zstd = try take()
    defer { idle.withLock { $0.contexts.append(zstd) } }
    return try body(zstd)
  }

  private func take() throws(LedgerError) -> Zstd {
    if let zstd = idle.withLock({ $0.contexts.popLast() }) { return zstd }
    return try Zstd()
  }
}
