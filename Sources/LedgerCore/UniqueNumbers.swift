#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The random numbers of which the names of files, segments, locks and replicas are made.
///
/// They come from the system, unless a simulation gives its own for what it runs:
///
/// ```swift
/// UniqueNumbers.taken(from: { numbers.next() }) { try ledger.compact() }
/// ```
package struct UniqueNumbers: RandomNumberGenerator {
  /// Where the numbers of a thread come from in place of the system.
  private static let sources = Guarded<[UInt: @Sendable () -> UInt64]>([:])

  package init() {}

  package mutating func next() -> UInt64 {
    if let source = Self.sources.withLock({ $0[Self.thread] }) { return source() }
    var system = SystemRandomNumberGenerator()
    return system.next()
  }

  /// Runs something with other numbers than the system's on this thread, so that it can be repeated.
  package static func taken<R>(
    from source: @escaping @Sendable () -> UInt64, _ body: () throws -> R
  ) rethrows -> R {
    let thread = thread
    let before = sources.withLock { $0.updateValue(source, forKey: thread) }
    defer { sources.withLock { $0[thread] = before } }
    return try body()
  }

  private static var thread: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}

extension UInt64 {
  /// A random number that nothing else has; never 0.
  package static func unique() -> UInt64 {
    var numbers = UniqueNumbers()
    return random(in: 1...UInt64.max, using: &numbers)
  }
}
