import LedgerStorage

/// The same seed gives the same numbers everywhere. Tests take the seed as an argument, so that a failure prints it.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var coin: Coin

  package init(seed: UInt64) { coin = Coin(seed: seed) }

  package mutating func next() -> UInt64 { coin.next() }

  /// True once in so many times.
  package mutating func once(in count: Int) -> Bool {
    Int.random(in: 0..<count, using: &self) == 0
  }
}
