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
  /// What it is kept as. Invariant: a text of the form of a UUID in lower case is always kept as the UUID, so that equal ids are
  /// kept alike; copying, comparing and hashing such ids, which most are, then touches no memory beyond them.
  private enum Form: Sendable {
    case uuid(PackedUUID)
    case text(String)
  }

  private let form: Form

  /// Checks a text and makes it an id.
  ///
  /// - Parameter text: 1 to 256 bytes of UTF-8 without control characters (Unicode Cc).
  /// - Throws: ``LedgerError`` with code `invalid` that says which rule is broken.
  public init(_ text: String) throws(LedgerError) {
    if let uuid = text.withBytes({ PackedUUID(text: UnsafeRawBufferPointer($0)) }) {
      self.init(uuid)
      return
    }
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
    if let uuid = text.withBytes({ PackedUUID(text: UnsafeRawBufferPointer($0)) }) {
      form = .uuid(uuid)
    } else {
      var text = text
      text.makeContiguousUTF8()
      form = .text(text)
    }
  }

  /// The id whose text is that of a UUID in lower case.
  package init(_ uuid: PackedUUID) { form = .uuid(uuid) }

  /// The UUID whose text in lower case it is; nil for any other id.
  package var uuid: PackedUUID? {
    if case .uuid(let uuid) = form { uuid } else { nil }
  }

  /// The id as text.
  public var text: String {
    switch form {
    case .uuid(let uuid): uuid.description
    case .text(let text): text
    }
  }

  /// Calls `body` with the UTF-8 bytes of the text.
  package func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    switch form {
    case .uuid(let uuid): uuid.withTextBytes(body)
    case .text(let text): text.withBytes { body(UnsafeRawBufferPointer($0)) }
    }
  }

  /// A random version-4 UUID in lower case (RFC 9562, section 5.4).
  public static func random() -> TaskID {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  /// A version-4 UUID in lower case from a generator of one's own, for tests.
  public static func random(using generator: inout some RandomNumberGenerator) -> TaskID {
    TaskID(ReplicaID.random(using: &generator).uuid)
  }
}

extension TaskID: Hashable, Comparable {
  public static func == (left: TaskID, right: TaskID) -> Bool {
    switch (left.form, right.form) {
    case (.uuid(let left), .uuid(let right)): left == right
    case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch form {
    case .uuid(let uuid): hasher.combine(uuid)
    case .text(let text): text.hashBytes(into: &hasher)
    }
  }

  public static func < (left: TaskID, right: TaskID) -> Bool {
    switch (left.form, right.form) {
    case (.uuid(let left), .uuid(let right)): left < right
    case (.text(let left), .text(let right)): left.bytesPrecede(right)
    case (.uuid(let left), .text(let right)): left.description.bytesPrecede(right)
    case (.text(let left), .uuid(let right)): left.bytesPrecede(right.description)
    }
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
