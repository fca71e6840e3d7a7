/// The id of a task: 1 to 256 bytes of UTF-8 without control characters, compared as bytes.
///
/// ```swift
/// let id: TaskID = "groceries/milk"   // a literal that breaks a rule stops the program
/// let typed = try TaskID(readLine() ?? "")   // text from elsewhere is checked
/// let other = TaskID.random()   // "5f0c9a34-…", a random UUID in lower case
/// ```
///
/// Swift takes `TaskID("milk")`, too, for a literal.
public struct TaskID: Sendable {
  /// The id as text.
  public let text: String

  /// Checks a text and makes it an id.
  ///
  /// - Parameter text: 1 to 256 bytes of UTF-8 without control characters (Unicode Cc).
  /// - Throws: ``LedgerError`` with code `invalid` that says which rule is broken.
  public init(_ text: String) throws(LedgerError) {
    let count = text.utf8.count
    guard count >= 1, count <= Limits.idBytesMax else {
      throw LedgerError(
        .invalid, "a task id has \(count) bytes, expected 1 to \(Limits.idBytesMax)",
        hint: "give an id of that length; only a new task may be left without one")
    }
    guard !text.hasControlCharacter else {
      throw LedgerError(
        .invalid, "a task id holds a control character",
        hint: "use printable characters only; a new task may be left without an id")
    }
    self.init(unchecked: text)
  }

  /// For texts that were checked before, such as those of this ledger's own files.
  package init(unchecked text: String) {
    var text = text
    text.makeContiguousUTF8()
    self.text = text
  }

  /// A random version-4 UUID in lower case (RFC 9562, section 5.4).
  public static func random() -> TaskID {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  /// A version-4 UUID in lower case from a generator of one's own, for tests.
  public static func random(using generator: inout some RandomNumberGenerator) -> TaskID {
    TaskID(unchecked: ReplicaID.random(using: &generator).description)
  }
}

extension TaskID: Hashable, Comparable {
  public static func == (left: TaskID, right: TaskID) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }

  public static func < (left: TaskID, right: TaskID) -> Bool {
    left.text.bytesPrecede(right.text)
  }
}

extension TaskID: CustomStringConvertible, ExpressibleByStringLiteral {
  public var description: String { text }

  /// Makes an id from a literal.
  ///
  /// - Precondition: the literal is a legal id; use `init(_:)` for text from elsewhere.
  public init(stringLiteral value: String) {
    precondition(
      !value.isEmpty && value.utf8.count <= Limits.idBytesMax && !value.hasControlCharacter,
      "a task id is 1 to 256 bytes of UTF-8 without control characters")
    self.init(unchecked: value)
  }
}
