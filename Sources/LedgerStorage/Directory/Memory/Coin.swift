/// A coin whose tosses follow from a seed (SplitMix64): it decides what a power cut leaves, and what tests make up.
package struct Coin: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func toss() -> Bool { next() >> 63 == 1 }

  /// One of so many sides, from 0.
  package mutating func toss(_ sides: Int) -> Int { Int(next() % UInt64(max(1, sides))) }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
