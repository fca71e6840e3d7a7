import LedgerStorage

/// Changes to bytes that a seed decides: for runs without libFuzzer, which are blind and can be repeated.
public enum Mutation {
  private static let telling: [UInt8] =
    [0, 1, 2, 0x7f, 0x80, 0xff] + Array("{}[]()|*+?\\\":,.-<=!&$^ \n".utf8)

  /// One of the inputs, with some of its bytes changed.
  public static func of(_ inputs: [[UInt8]], seed: UInt64) -> [UInt8] {
    var generator = Coin(seed: seed)
    var bytes = inputs.randomElement(using: &generator) ?? []
    for _ in 0...Int.random(in: 0...3, using: &generator) {
      let place = Int.random(in: 0...bytes.count, using: &generator)
      let end = min(bytes.count, place + Int.random(in: 0...16, using: &generator))
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes.removeSubrange(place..<end)
      case 1: bytes.insert(telling.randomElement(using: &generator) ?? 0, at: place)
      case 2:
        bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
      case 3:
        // 2^63, as a number of fixed length or of variable length.
        let large: [UInt8] =
          Bool.random(using: &generator)
          ? [0, 0, 0, 0, 0, 0, 0, 0x80] : [UInt8](repeating: 0x80, count: 9) + [1]
        for (offset, byte) in large.enumerated() where place + offset < bytes.count {
          bytes[place + offset] = byte
        }
      case 4 where place < bytes.count:
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      default:
        if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &generator) }
      }
    }
    return bytes
  }
}
