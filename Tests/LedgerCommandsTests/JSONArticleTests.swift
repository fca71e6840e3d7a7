import Foundation
import Testing

/// The article on what `--json` prints, beside what all recorded output has: neither has a member that the other lacks.
@Suite struct `The article on JSON output` {
  /// What no recorded output shows, for it takes damage that is not easily made; other tests of repairs have it.
  private static let unseen: Set<String> = [
    "`repair` 1: countedEvents", "`repair` 1: dropped", "`repair` 1: lostEvents",
    "`repair` 1: unproven", "`repair` 2: acknowledged", "`repair` 2: dropped",
    "`repair` 2: droppedEvents", "`repair` 2: newReplica",
  ]

  @Test func `lists every member that is printed, and none that never is`() throws {
    let article = try JSONArticle()
    var seen: Set<String> = []
    for line in try JSONOutputLine.all() {
      let object = line.object
      let tables = article.tables(of: line.verb, isError: line.isError)
      let problems = tables.map { article.problems(of: object, in: $0) }
      guard let fitting = problems.firstIndex(of: []) else {
        let closest = problems.min { $0.count < $1.count } ?? ["the verb has no table"]
        Issue.record("\(line.place): \(line.text)\n\(closest.joined(separator: "\n"))")
        continue
      }
      article.note(object, in: tables[fitting], seen: &seen)
    }
    let never = article.members.subtracting(seen)
    #expect(never.subtracting(Self.unseen).sorted() == [], "in the article, and never printed")
    #expect(Self.unseen.subtracting(never).sorted() == [], "printed after all")
  }
}

/// The tables of the article.
private struct JSONArticle {
  struct Member {
    var type: String
    var isOptional: Bool
  }

  struct Table {
    var heading: String
    /// Which one it is below its heading.
    var number: Int
    /// The verbs that print it, or what else its heading says.
    var printers: Set<String>
    /// By path, such as `steps[].kind`.
    var members: [String: Member] = [:]
    /// Whether it may have any further member.
    var isOpen = false

    /// What it is called in messages.
    var name: String { "\(heading) \(number)" }
  }

  private(set) var tables: [Table] = []

  init() throws {
    let path = URL(fileURLWithPath: `Golden output`.folder).deletingLastPathComponent()
      .deletingLastPathComponent()
      .appendingPathComponent("Sources/TaskLedger/TaskLedger.docc/JSONOutput.md")
    var heading = ""
    var isInTable = false
    for line in try String(contentsOf: path, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("### ") { heading = String(line.dropFirst(4)) }
      guard line.hasPrefix("|") else {
        isInTable = false
        continue
      }
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      if !isInTable {
        isInTable = true
        let printers = heading.replacing("`", with: "").split(separator: ", ").map(String.init)
        let number = tables.count { $0.heading == heading } + 1
        tables.append(Table(heading: heading, number: number, printers: Set(printers)))
      }
      guard cells.count == 3, cells[0] != "member", !cells[0].hasPrefix("--") else { continue }
      let name = cells[0].replacing("`", with: "")
      if name == "…" {
        tables[tables.count - 1].isOpen = true
      } else {
        tables[tables.count - 1].members[name] = Member(
          type: cells[1].replacing("?", with: ""), isOptional: cells[1].hasSuffix("?"))
      }
    }
  }

  /// Every member of every table.
  var members: Set<String> {
    Set(tables.flatMap { table in table.members.keys.map { "\(table.name): \($0)" } })
  }

  /// The tables that an object of a verb may be of.
  func tables(of verb: String, isError: Bool) -> [Table] {
    let own = tables.filter { $0.printers.contains(verb) }
    return isError ? tables.filter { $0.printers.contains("standard error") } + own : own
  }

  private func table(of printer: String) -> Table {
    tables.first { $0.printers.contains(printer) }
      ?? Table(heading: printer, number: 0, printers: [])
  }

  /// What speaks against an object's being of a table.
  ///
  /// - Parameter prefix: the path of an object within it.
  func problems(of object: [String: Any], in table: Table, prefix: String = "") -> [String] {
    var problems: [String] = []
    for (name, value) in object {
      let path = prefix + name
      if let member = table.members[path] {
        problems += self.problems(of: value, path, member, in: table)
      } else if !table.isOpen {
        problems.append("\(table.name): \(path) is printed, and not in the article")
      }
    }
    for (path, member) in table.members where !member.isOptional && path.hasPrefix(prefix) {
      let name = path.dropFirst(prefix.count)
      if !name.contains("."), object[String(name)] == nil {
        problems.append("\(table.name): \(path) is missing, and not optional in the article")
      }
    }
    return problems
  }

  private func problems(
    of value: Any, _ path: String, _ member: Member, in table: Table
  ) -> [String] {
    let isType: Bool
    switch member.type {
    case "number":
      isType = value is NSNumber && !(value is Bool && "\(value)" != "0" && "\(value)" != "1")
    case "boolean": isType = value is Bool
    case "text": isType = value is String
    case "texts": isType = value is [String]
    case "moment": isType = value is String || value is NSNumber
    case "values", "changes": isType = value is [String: Any]
    case "value": isType = true
    case "document": return nested(value, self.table(of: "get"))
    case "event": return nested(value, self.table(of: "audit"))
    case "conflict": return nested(value, self.table(of: "conflict"))
    case "conflicts":
      return (value as? [Any])?.flatMap { nested($0, self.table(of: "conflict")) } ?? [
        "\(path): no list"
      ]
    case "ranges":
      isType =
        (value as? [[String: Any]])?.allSatisfy {
          Set($0.keys) == ["firstSequence", "lastSequence"]
        } ?? false
    case "object":
      return (value as? [String: Any]).map { problems(of: $0, in: table, prefix: "\(path).") } ?? [
        "\(path): no object"
      ]
    case "objects":
      return (value as? [[String: Any]])?.flatMap {
        problems(of: $0, in: table, prefix: "\(path)[].")
      } ?? ["\(path): no list"]
    default: return ["\(path): the type \(member.type) is none that this test knows"]
    }
    return isType ? [] : ["\(table.name): \(path) is \(value), and \(member.type) in the article"]
  }

  private func nested(_ value: Any, _ table: Table) -> [String] {
    (value as? [String: Any]).map { problems(of: $0, in: table) } ?? ["\(value) is no object"]
  }

  /// Notes which members an object of a table has.
  func note(
    _ object: [String: Any], in table: Table, prefix: String = "", seen: inout Set<String>
  ) {
    for (name, value) in object {
      let path = prefix + name
      seen.insert("\(table.name): \(path)")
      switch table.members[path]?.type {
      case "event":
        (value as? [String: Any]).map { note($0, in: self.table(of: "audit"), seen: &seen) }
      case "conflict":
        (value as? [String: Any]).map { note($0, in: self.table(of: "conflict"), seen: &seen) }
      case "conflicts":
        for value in value as? [[String: Any]] ?? [] {
          note(value, in: self.table(of: "conflict"), seen: &seen)
        }
      case "object":
        (value as? [String: Any]).map { note($0, in: table, prefix: "\(path).", seen: &seen) }
      case "objects":
        for value in value as? [[String: Any]] ?? [] {
          note(value, in: table, prefix: "\(path)[].", seen: &seen)
        }
      default: break
      }
    }
  }
}

/// A JSON object in the recorded output.
private struct JSONOutputLine {
  var verb: String
  var isError: Bool
  var text: String
  var place: String
  var object: [String: Any]

  /// All that commands with `--json` print, in all scenarios.
  static func all() throws -> [JSONOutputLine] {
    var lines: [JSONOutputLine] = []
    for name in `Golden output`.names {
      let text = try String(contentsOfFile: "\(`Golden output`.folder)/\(name)", encoding: .utf8)
      var verb: String?
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        if line.hasPrefix("$ ") { verb = self.verb(of: line) }
        guard let verb, line.hasPrefix("> {") || line.hasPrefix("! {") else { continue }
        // What is masked is a number where no quotes stand around it.
        let json = String(line.dropFirst(2)).replacing(/:(?:N|MASKED)(?=[,}\]])/, with: ":0")
        let value = try? JSONSerialization.jsonObject(with: Data(json.utf8))
        let object = try #require(value as? [String: Any], "\(name):\(number + 1): \(json)")
        lines.append(
          JSONOutputLine(
            verb: verb, isError: line.hasPrefix("!"), text: json, place: "\(name):\(number + 1)",
            object: object))
      }
    }
    return lines
  }

  /// The verb of a command line with `--json` before it; nil for another line.
  private static func verb(of line: Substring) -> String? {
    var words = line.split(separator: " ").dropFirst(2)
    var isJSON = false
    while let word = words.popFirst() {
      guard word.hasPrefix("--") else { return isJSON ? String(word) : nil }
      if word == "--json" { isJSON = true }
      if word == "--version" { return isJSON ? String(word) : nil }
      if word == "--ledger" || word == "--author" { words = words.dropFirst() }
    }
    return isJSON ? "" : nil
  }
}
