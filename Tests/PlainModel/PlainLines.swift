/// Lines for `ledger apply` as commands.
package enum PlainLines {
  /// A line of the input that is not empty.
  package struct Line: Sendable {
    /// Its number in the file, from 1, empty lines counted.
    package let number: Int
    package let content: Content
    /// The token that groups lines; a bad line keeps it where it can be read.
    package let transaction: PlainJSON?
    /// Whether the line is so broken that nobody can say to which transaction it belongs.
    package let isUnreadable: Bool

    package init(number: Int, content: Content, transaction: PlainJSON?, isUnreadable: Bool) {
      self.number = number
      self.content = content
      self.transaction = transaction
      self.isUnreadable = isUnreadable
    }

    package var command: PlainCommand? {
      if case .command(let command) = content { command } else { nil }
    }
  }

  package enum Content: Sendable {
    case command(PlainCommand)
    /// Not a command at all, for this reason.
    case bad(String)
  }

  package struct BadLine: Error {
    package var reason: String
    package var transaction: PlainJSON?
    package var isUnreadable = false
  }

  /// Reads a file. A byte-order mark, CRLF, empty lines and a missing last newline are fine.
  /// `newID` gives the id of an upsert without `task`.
  package static func read(_ file: [UInt8], newID: () -> PlainText) -> [Line] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = file.starts(with: mark) ? file.dropFirst(mark.count) : file[...]
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.enumerated().compactMap { index, bytes in
      let bytes = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
      guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return nil }
      do throws(BadLine) {
        let command = try command(Array(bytes), newID: newID)
        return Line(
          number: index + 1, content: .command(command), transaction: command.transaction,
          isUnreadable: false)
      } catch {
        return Line(
          number: index + 1, content: .bad(error.reason), transaction: error.transaction,
          isUnreadable: error.isUnreadable)
      }
    }
  }

  /// Reads one line.
  package static func command(_ line: [UInt8], newID: () -> PlainText) throws(BadLine)
    -> PlainCommand
  {
    let value: PlainJSON
    do throws(PlainJSONReader.Failure) {
      value = try PlainJSONReader.read(line)
    } catch {
      throw BadLine(reason: "byte \(error.offset): \(error.reason)", isUnreadable: true)
    }
    guard case .object(let members) = value else { throw BadLine(reason: "not an object") }
    let given = Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) })
    let token = try token(given["transaction"])
    func bad(_ reason: String) -> BadLine { BadLine(reason: reason, transaction: token) }

    let known: Set<PlainText> = [
      "kind", "task", "set", "unset", "time", "author", "message", "transaction",
    ]
    if let key = members.first(where: { !known.contains($0.key) })?.key {
      throw bad("unknown key \(key)")
    }
    guard case .text(let name) = given["kind"],
      let kind = PlainCommand.Kind(rawValue: name.string), kind != .restore
    else { throw bad("kind is one of upsert, update, toggle, delete, evict") }

    var command = PlainCommand(kind, "", transaction: token)
    switch (given["task"], kind) {
    case (.text(let id), _): command.task = id
    case (nil, .upsert): command.task = newID()
    default: throw bad("task is a text")
    }
    if kind != .upsert && kind != .update && (given["set"] != nil || given["unset"] != nil) {
      throw bad(PlainRefusal.noFields.rawValue)
    }
    switch given["set"] {
    case nil: break
    case .object(let members): command.set = members
    default: throw bad("set is an object")
    }
    switch given["unset"] {
    case nil: break
    case .array(let names):
      for name in names {
        guard case .text(let name) = name else { throw bad("unset is an array of texts") }
        command.unset.append(name)
      }
    default: throw bad("unset is an array of texts")
    }
    switch given["time"] {
    case nil: break
    case .text(let text):
      guard let time = PlainTime.milliseconds(text) else { throw bad("time is not RFC 3339") }
      command.time = time
    default: throw bad("time is a text")
    }
    command.author = try text(given["author"], "author", token)
    command.message = try text(given["message"], "message", token)
    return command
  }

  private static func text(_ value: PlainJSON?, _ key: String, _ token: PlainJSON?)
    throws(BadLine) -> PlainText?
  {
    switch value {
    case nil: return nil
    case .text(let text): return text
    default: throw BadLine(reason: "\(key) is a text", transaction: token)
    }
  }

  /// A text or an integer; 1.0 is the integer 1, as everywhere.
  private static func token(_ value: PlainJSON?) throws(BadLine) -> PlainJSON? {
    switch value?.asFieldValue {
    case .text(let text): return .text(text)
    case .int(let number): return .int(number)
    case nil where value == nil: return nil
    default: throw BadLine(reason: "transaction is a text or an integer")
    }
  }
}
