/// The random numbers of which the names of files, segments, locks and replicas are made.
///
/// They come from the system, unless a simulation gives its own for what it runs:
///
/// ```swift
/// UniqueNumbers.$source.withValue({ numbers.next() }) { try ledger.compact() }
/// ```
package struct UniqueNumbers: RandomNumberGenerator {
  /// Where the numbers come from in place of the system; nil everywhere but in a simulation, whose runs must be
  /// repeatable.
  @TaskLocal package static var source: (@Sendable () -> UInt64)?

  package init() {}

  package mutating func next() -> UInt64 {
    if let source = Self.source { return source() }
    var system = SystemRandomNumberGenerator()
    return system.next()
  }
}

extension UInt64 {
  /// A random number that nothing else has; never 0.
  package static func unique() -> UInt64 {
    var numbers = UniqueNumbers()
    return random(in: 1...UInt64.max, using: &numbers)
  }
}
