import LedgerCore
import LedgerFormat

/// Lends compression contexts, which are dear to make, to one caller at a time each.
package final class ZstdPool: @unchecked Sendable {
  // Unchecked: a context is in `idle` or lent to one caller, never both.
  private let guardian = Guarded<Void>(())
  private var idle: [Zstd] = []

  package init() {}

  package func with<R>(_ body: (Zstd) throws(LedgerError) -> R) throws(LedgerError) -> R {
    let zstd = try take()
    defer { guardian.withLock { _ in idle.append(zstd) } }
    return try body(zstd)
  }

  private func take() throws(LedgerError) -> Zstd {
    if let zstd = guardian.withLock({ _ in idle.popLast() }) { return zstd }
    return try Zstd()
  }
}
