/// What a task holds, for those who hand it to a library instead of printing it.
extension WorkloadTask {
  /// The id as text.
  public var id: String {
    let digits = [UInt8](Self.hex(idHigh) + Self.hex(idLow))
    let parts = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
    return String(decoding: Array(parts.joined(separator: [UInt8(ascii: "-")])), as: UTF8.self)
  }

  private static func hex(_ number: UInt64) -> [UInt8] {
    let digits = Array(String(number, radix: 16).utf8)
    return [UInt8](repeating: UInt8(ascii: "0"), count: 16 - digits.count) + digits
  }

  public var body: String { String(decoding: BodyText(seed: bodySeed).bytes, as: UTF8.self) }

  public var tagNames: [String] {
    (0..<tags.count).map { String(decoding: Vocabulary.tags[tags[$0]], as: UTF8.self) }
  }

  public var isDeleted: Bool { life == .deleted }
}
