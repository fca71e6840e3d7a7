import LedgerCore

/// A strict scanner of RFC 8259 JSON over bytes.
///
/// It makes no tree: a reader asks for what it expects and is told, with the position, when something
/// else is there. Everything is checked as it is passed, so that no byte is skipped unread.
///
/// ```swift
/// guard try scanner.open(.object) else { return }   // "{}"
/// repeat {
///   let key = try scanner.key()
///   …                                               // read its value
/// } while try scanner.hasNext(in: .object)
/// ```
///
/// The bytes are borrowed: a scanner lives only inside `scan`, cannot be copied, and reaches the memory through
/// the bounded accessors of this file alone.
package struct JSONScanner: ~Copyable {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// The byte to be read next, from 0.
  package internal(set) var position = 0

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Reads one JSON text: blanks, what `read` reads, blanks, and nothing more.
  package static func scan<Result>(
    _ text: ArraySlice<UInt8>,
    _ read: (inout JSONScanner) throws(JSONProblem) -> Result
  ) throws(JSONProblem) -> Result {
    try text.withUnsafeBufferPointer { (bytes) throws(JSONProblem) -> Result in
      var scanner = JSONScanner(bytes)
      scanner.skipBlanks()
      let result = try read(&scanner)
      scanner.skipBlanks()
      guard scanner.isAtEnd else { throw scanner.unexpected("nothing more") }
      return result
    }
  }

  /// The number of bytes.
  var count: Int { bytes.count }

  /// Whether all bytes were read.
  var isAtEnd: Bool { position >= bytes.count }

  /// The byte to be read next; 0, which is nowhere legal, at the end.
  var current: UInt8 { byte(at: position) }

  /// The byte at an index; 0, which is nowhere legal, outside the text.
  func byte(at index: Int) -> UInt8 {
    index >= 0 && index < bytes.count ? bytes[index] : 0
  }

  /// The UUID in lower case that a text is, as written; nil when it is none.
  func uuid(_ text: JSONText) -> PackedUUID? {
    guard text.range.lowerBound >= 0, text.range.upperBound <= bytes.count else { return nil }
    return PackedUUID(
      text: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[text.range])))
  }

  /// The eight bytes from an index on, the first in the lowest bits; nil where fewer are left.
  func word(at index: Int) -> UInt64? {
    guard index >= 0, index <= bytes.count - 8 else { return nil }
    return UInt64(
      littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(
        fromByteOffset: index, as: UInt64.self))
  }

  /// The bytes of a range, which is cut to the text, as a string.
  func string(_ range: Range<Int>) -> String {
    let range = range.clamped(to: 0..<bytes.count)
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  /// Whether the bytes of a range are those of a constant.
  func bytes(_ range: Range<Int>, are constant: StaticString) -> Bool {
    guard range.count == constant.utf8CodeUnitCount, range.lowerBound >= 0,
      range.upperBound <= bytes.count
    else { return false }
    return constant.withUTF8Buffer { expected in
      for index in 0..<expected.count where bytes[range.lowerBound + index] != expected[index] {
        return false
      }
      return true
    }
  }

  /// Passes space, tab, line feed and carriage return.
  mutating func skipBlanks() {
    while true {
      switch current {
      case 0x20, 0x09, 0x0a, 0x0d: position += 1
      default: return
      }
    }
  }
}

extension JSONScanner {
  /// The error that something else was expected here.
  func unexpected(_ expected: String, at index: Int? = nil) -> JSONProblem {
    let index = index ?? position
    guard index < count else {
      return JSONProblem("found the end of the text, expected \(expected)", at: count)
    }
    return JSONProblem("found \(spelled(index)), expected \(expected)", at: index)
  }

  /// A byte as messages show it.
  func spelled(_ index: Int) -> String {
    let byte = byte(at: index)
    if byte > 0x20, byte < 0x7f { return "'\(Character(UnicodeScalar(byte)))'" }
    return byte == 0x20 ? "a space" : "byte 0x\(Self.hexadecimal(UInt32(byte), digits: 2))"
  }

  /// A number in hexadecimal digits, padded with zeros.
  static func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
