import LedgerCore

/// Gathers the members of one line in any order, then checks that they fit together.
struct ApplyLineReader {
  /// The keys of a line; the bits tell which were seen.
  private enum Key: UInt8, CaseIterable {
    case kind = 1
    case task = 2
    case set = 4
    case unset = 8
    case time = 16
    case author = 32
    case message = 64
    case transaction = 128

    var name: StaticString {
      switch self {
      case .kind: "kind"
      case .task: "task"
      case .set: "set"
      case .unset: "unset"
      case .time: "time"
      case .author: "author"
      case .message: "message"
      case .transaction: "transaction"
      }
    }
  }

  private var seen: UInt8 = 0
  private var kind: EventKind?
  private var task: TaskID?
  private var fields = FieldReader()
  /// Where `set` or `unset` stands, whichever comes first.
  private var changesPosition: Int?
  private var time: LedgerTime?
  private var author: String?
  private var message: String?
  private var transaction: TransactionToken?

  /// Passes the object of a line.
  mutating func readMembers(_ scanner: inout JSONScanner) throws(JSONProblem) {
    guard !scanner.isAtEnd else { throw JSONProblem("the line is empty", at: nil) }
    guard try scanner.open(.object) else { return }
    repeat {
      let position = scanner.position
      let text = try scanner.key()
      guard let key = Self.key(text, scanner) else {
        throw JSONProblem(
          "the key \"\(scanner.string(text).shortened)\" is unknown, expected one of "
            + Key.allCases.map(\.name.description).joined(separator: ", "), at: position,
          hint: scanner.matches(text, "_id") || scanner.matches(text, "body")
            ? "a line with \"_id\" and \"body\" is a document: `ledger upsert -` reads those" : nil)
      }
      guard seen & key.rawValue == 0 else {
        throw JSONProblem("the key \"\(key.name)\" is named twice", at: position)
      }
      seen |= key.rawValue
      try readValue(of: key, at: position, &scanner)
    } while try scanner.hasNext(in: .object)
  }

  private static func key(_ text: JSONText, _ scanner: borrowing JSONScanner) -> Key? {
    for key in Key.allCases where scanner.matches(text, key.name) { return key }
    return nil
  }

  private mutating func readValue(
    of key: Key, at position: Int, _ scanner: inout JSONScanner
  ) throws(JSONProblem) {
    switch key {
    case .kind: kind = try Self.kind(&scanner)
    case .set:
      try Self.expect("{", "an object", for: key, scanner)
      changesPosition = changesPosition ?? position
      try fields.readObject(&scanner)
    case .unset:
      try Self.expect("[", "an array of field names", for: key, scanner)
      changesPosition = changesPosition ?? position
      try fields.readNames(&scanner)
    case .transaction: transaction = try TransactionToken.read(&scanner)
    case .task, .time, .author, .message: try readText(of: key, &scanner)
    }
  }

  private mutating func readText(
    of key: Key, _ scanner: inout JSONScanner
  ) throws(JSONProblem) {
    try Self.expect("\"", "text", for: key, scanner)
    let position = scanner.position
    let text = try scanner.text()
    do {
      switch key {
      case .task:
        if let uuid = scanner.uuid(text) {
          task = TaskID(uuid)
        } else {
          task = try TaskID(scanner.string(text))
        }
      case .time: time = try scanner.time(text)
      case .author:
        author = try AuthorName.checked(scanner.string(text))
      default: message = scanner.string(text)
      }
    } catch {
      throw JSONProblem(error, at: position)
    }
  }

  private static func expect(
    _ first: Unicode.Scalar, _ type: String, for key: Key, _ scanner: borrowing JSONScanner
  ) throws(JSONProblem) {
    guard scanner.current == UInt8(ascii: first) else {
      throw scanner.mismatch(expected: "\(type) for \"\(key.name)\"")
    }
  }

  private static let kinds: [(EventKind, StaticString)] = [
    (.update, "update"), (.toggle, "toggle"), (.upsert, "upsert"), (.delete, "delete"),
    (.evict, "evict"),
  ]

  private static func kind(_ scanner: inout JSONScanner) throws(JSONProblem) -> EventKind {
    try expect("\"", "text", for: .kind, scanner)
    let position = scanner.position
    let text = try scanner.text()
    for (kind, name) in kinds where scanner.matches(text, name) { return kind }
    throw JSONProblem(
      "the kind \"\(scanner.string(text).shortened)\" is unknown, expected one of "
        + EventKind.allCases.map(\.description).joined(separator: ", "), at: position,
      hint: scanner.matches(text, "restore")
        ? "to restore a deleted task, update it with \"set\":{\"isDeleted\":false}" : nil)
  }

  /// The line, once all members were read.
  func line() throws(JSONProblem) -> ApplyLine {
    guard let kind else { throw JSONProblem("the key \"kind\" is missing", at: nil) }
    guard task != nil || kind == .upsert else {
      throw JSONProblem("the key \"task\" is missing, which only an upsert may leave out", at: nil)
    }
    if let changesPosition, kind != .upsert, kind != .update {
      throw JSONProblem(
        "\(kind) takes neither \"set\" nor \"unset\"", at: changesPosition,
        hint: "only upsert and update take them")
    }
    return ApplyLine(
      kind: kind, task: task, changes: try fields.changeSet(), time: time, author: author,
      message: message, transaction: transaction)
  }
}
