/// Text that is its UTF-8 bytes and nothing else.
///
/// `String` calls "é" and "e\u{301}" equal; a ledger does not: ids, field names and values are
/// compared, sorted and hashed as bytes. So the model never compares two `String`s.
package struct PlainText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  package init(_ string: String) { bytes = Array(string.utf8) }

  package init(stringLiteral string: String) { self.init(string) }

  package var string: String { String(decoding: bytes, as: UTF8.self) }

  package var description: String { string }

  package static func < (one: PlainText, other: PlainText) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }

  /// Only keys inside canonical JSON sort like this (RFC 8785): by UTF-16 code units. It differs
  /// from byte order where an emoji meets a character between U+E000 and U+FFFF.
  package func precedesByUTF16(_ other: PlainText) -> Bool {
    string.utf16.lexicographicallyPrecedes(other.string.utf16)
  }
}

/// The rules of the two kinds of text that name things.
extension PlainText {
  private static let dot = UInt8(ascii: ".")

  /// A task id is 1 to 256 bytes of UTF-8 without control characters (Unicode Cc).
  package var isTaskID: Bool {
    guard (1...256).contains(bytes.count), String(validating: bytes, as: UTF8.self) != nil else {
      return false
    }
    return string.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  /// The parts of a dotted name, empty ones included.
  package var segments: [PlainText] {
    bytes.split(separator: Self.dot, omittingEmptySubsequences: false)
      .map { PlainText(bytes: Array($0)) }
  }

  /// A field name is one or more non-empty segments joined by dots, at most 32 and 256 bytes.
  package var isFieldName: Bool {
    bytes.count <= 256 && segments.count <= 32 && segments.allSatisfy { !$0.bytes.isEmpty }
  }

  /// Whether this name lies below the other one: `a.b.c` extends `a.b`, and `a.bc` does not.
  package func extends(_ prefix: PlainText) -> Bool {
    bytes.starts(with: prefix.bytes + [Self.dot])
  }

  /// Whether both cannot be shown in one document: one is a proper prefix of the other.
  package func collides(with other: PlainText) -> Bool {
    extends(other) || other.extends(self)
  }

  /// The dotted name of a key below this name.
  package func appending(segment: PlainText) -> PlainText {
    PlainText(bytes: bytes + [Self.dot] + segment.bytes)
  }
}
