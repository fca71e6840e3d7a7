/// Walks the members of one JSON object and hands out key and value as bytes of the text.
///
/// Made for lines that this package or the ledger printed: it finds where each value ends, and
/// leaves it to the caller to read it. Nothing is copied.
public struct JSONMembers {
  public typealias Bytes = UnsafeBufferPointer<UInt8>

  private let text: Bytes
  private var position: Int

  /// The key of the present member, without its quotes and with its escapes.
  public private(set) var key = Bytes(start: nil, count: 0)
  /// The text of the present value; a string keeps its quotes.
  public private(set) var value = Bytes(start: nil, count: 0)

  public init(_ text: Bytes) throws {
    self.text = text
    position = 0
    guard skipped(to: UInt8(ascii: "{")) else { throw Self.malformed(0) }
    position += 1
  }

  /// Moves to the next member; false at the end of the object.
  public mutating func next() throws -> Bool {
    skipFiller()
    guard position < text.count else { throw Self.malformed(position) }
    if text[position] == UInt8(ascii: "}") { return false }
    let quotedKey = try takeString()
    key = Bytes(rebasing: text[(quotedKey.lowerBound + 1)..<(quotedKey.upperBound - 1)])
    skipFiller()
    value = Bytes(rebasing: text[try takeValue()])
    return true
  }

  private mutating func skipped(to byte: UInt8) -> Bool {
    skipFiller()
    return position < text.count && text[position] == byte
  }

  /// Blanks, commas and colons: where they stand in a line that a program printed says nothing.
  private mutating func skipFiller() {
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: ":"), 9, 10, 13: position += 1
      default: return
      }
    }
  }

  private mutating func takeString() throws -> Range<Int> {
    let start = position
    guard text[position] == UInt8(ascii: "\"") else { throw Self.malformed(position) }
    position += 1
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "\\"): position += 2
      case UInt8(ascii: "\""):
        position += 1
        return start..<position
      default: position += 1
      }
    }
    throw Self.malformed(start)
  }

  private mutating func takeValue() throws -> Range<Int> {
    let start = position
    var depth = 0
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "\""):
        _ = try takeString()
        if depth == 0 { return start..<position }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return start..<position }
        depth -= 1
        position += 1
        if depth == 0 { return start..<position }
      case UInt8(ascii: ",") where depth == 0:
        return start..<position
      default: position += 1
      }
    }
    throw Self.malformed(start)
  }

  private static func malformed(_ position: Int) -> BenchError {
    BenchError("not a JSON object that ends on its line: stopped at byte \(position)", exitCode: 65)
  }
}
