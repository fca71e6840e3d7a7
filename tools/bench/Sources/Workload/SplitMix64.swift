/// SplitMix64: eight bytes of state, the same numbers on every platform for a seed.
public struct SplitMix64 {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number in `0..<bound`. The bias of multiply-and-shift is below one in a billion here.
  public mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  public mutating func chance(percent: Int) -> Bool {
    below(100) < percent
  }

  /// A number in `0..<bound` that favours the low end: the product of two uniform draws.
  public mutating func skewed(_ bound: Int) -> Int {
    below(below(bound) + 1)
  }

  /// A number in `1...bound`: each power of two is as likely as the next, even inside of one.
  public mutating func logUniform(_ bound: Int) -> Int {
    let powers = Int.bitWidth - bound.leadingZeroBitCount
    while true {
      let floor = 1 << below(powers)
      let drawn = floor + below(floor)
      if drawn <= bound { return drawn }
    }
  }
}
