/// The name of a field: non-empty segments joined by dots, at most 32 segments and 256 bytes, compared as
/// bytes.
///
/// A nested object is stored as one field per leaf under its dotted name, so `tags.home` is the
/// member `home` of the object `tags`.
///
/// ```swift
/// let home = try FieldName("tags.home")
/// try FieldName("tags").isPrefix(of: home)   // true: a task has one of the two at most
/// ```
public struct FieldName: Sendable {
  /// The dotted name.
  public let text: String

  /// Checks a text and makes it a field name.
  ///
  /// - Throws: ``LedgerError`` with code `invalid` that says which rule is broken.
  public init(_ text: String) throws(LedgerError) {
    let count = text.utf8.count
    guard count >= 1, count <= Limits.fieldNameBytesMax else {
      throw LedgerError(
        .invalid, "a field name has \(count) bytes, expected 1 to \(Limits.fieldNameBytesMax)")
    }
    var segments = 1
    var previous: UInt8 = 0x2e
    for byte in text.utf8 {
      if byte == 0x2e {
        guard previous != 0x2e else { throw Self.emptySegment(text) }
        segments += 1
      }
      previous = byte
    }
    guard previous != 0x2e else { throw Self.emptySegment(text) }
    guard segments <= Limits.fieldNameSegmentsMax else {
      throw LedgerError(
        .invalid,
        "a field name has \(segments) segments, expected at most \(Limits.fieldNameSegmentsMax)")
    }
    self.init(unchecked: text)
  }

  private static func emptySegment(_ text: String) -> LedgerError {
    LedgerError(.invalid, "the field name \"\(text)\" has an empty segment")
  }

  /// For texts that were checked before.
  package init(unchecked text: String) {
    var text = text
    text.makeContiguousUTF8()
    self.text = text
  }

  /// The text of the task.
  public static let body = FieldName(unchecked: "body")
  /// Whether the task is done.
  public static let isCompleted = FieldName(unchecked: "isCompleted")
  /// Whether the task is softly deleted.
  public static let isDeleted = FieldName(unchecked: "isDeleted")

  /// What an absent field reads as: "" for `body`, false for the two booleans, nothing for others.
  public var defaultValue: Value? {
    // Asked for every field of every change: literals compare for less than what is made on first use.
    switch text.utf8.count {
    case 4 where text.hasSameBytes(as: "body"): .text("")
    case 11 where text.hasSameBytes(as: "isCompleted"): .bool(false)
    case 9 where text.hasSameBytes(as: "isDeleted"): .bool(false)
    default: nil
    }
  }

  /// Whether the name has more than one segment.
  package var isDotted: Bool {
    text.withBytes { bytes in
      for byte in bytes where byte == 0x2e { return true }
      return false
    }
  }

  /// Whether this name is a proper prefix, segment by segment, of another.
  public func isPrefix(of other: FieldName) -> Bool {
    Self.isPrefix(text, of: other.text)
  }

  static func isPrefix(_ text: String, of other: String) -> Bool {
    let count = text.utf8.count
    guard other.utf8.count > count else { return false }
    let dot = other.utf8.index(other.utf8.startIndex, offsetBy: count)
    return other.utf8[dot] == 0x2e && other.utf8.starts(with: text.utf8)
  }

  /// Whether one of the two names is a proper prefix of the other.
  package func collides(with other: FieldName) -> Bool {
    isPrefix(of: other) || other.isPrefix(of: self)
  }

  /// The names of its proper prefixes, longest first.
  package var prefixes: [FieldName] {
    var result: [FieldName] = []
    var rest = text.utf8[...]
    while let dot = rest.lastIndex(of: 0x2e) {
      rest = rest[..<dot]
      result.append(FieldName(unchecked: String(Substring(rest))))
    }
    return result
  }
}

extension FieldName: Hashable, Comparable {
  public static func == (left: FieldName, right: FieldName) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }

  public static func < (left: FieldName, right: FieldName) -> Bool {
    left.text.bytesPrecede(right.text)
  }
}

extension FieldName: CustomStringConvertible {
  public var description: String { text }
}
