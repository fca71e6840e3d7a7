/// A query as a tree, which the test asks a document by itself: slowly, and by the table of the article.
indirect enum PlainQuery {
  enum Operand {
    case path([String])
    case value(String, JSONDocument)
  }

  case all([PlainQuery])
  case any([PlainQuery])
  case not(PlainQuery)
  case bare([String])
  case constant(Bool)
  case comparison(Operand, String, Operand)
  case member(Operand, Operand)
  case call(String, Operand, Operand)

  /// Texts that are dates, with their instants in seconds; of other texts none is one.
  static let dates: [String: Double] = [
    "2026-12-01": 1_796_083_200, "2026-12-01T00:00:00Z": 1_796_083_200,
    "2026-12-01T01:00:00+01:00": 1_796_083_200, "2026-11-30T23:59:59.9999Z": 1_796_083_199.999,
    "2026-12-02T00:00:00.5-01:00": 1_796_173_200.5,
  ]

  /// The text of the query, every part in brackets.
  var text: String {
    switch self {
    case .all(let parts): parts.map { "(\($0.text))" }.joined(separator: " && ")
    case .any(let parts): parts.map { "(\($0.text))" }.joined(separator: "||")
    case .not(let part): "! ( \(part.text) )"
    case .bare(let path): Self.text(path)
    case .constant(let flag): "\(flag)"
    case .comparison(let left, let sign, let right):
      "\(Self.text(left, isFirst: true))\(sign)\(Self.text(right))"
    case .member(let left, let right): "\(Self.text(left, isFirst: true)) in \(Self.text(right))"
    case .call(let name, let left, let right):
      "\(name)(\(Self.text(left, isFirst: true)), \(Self.text(right)))"
    }
  }

  private static func text(_ operand: Operand, isFirst: Bool = false) -> String {
    switch operand {
    case .path(let path): (isFirst ? "" : ".") + text(path)
    case .value(let json, _): json
    }
  }

  private static func text(_ path: [String]) -> String { path.map { "[\"\($0)\"]" }.joined() }

  /// Whether a document meets it.
  func holds(_ document: JSONDocument) -> Bool {
    switch self {
    case .all(let parts): return parts.allSatisfy { $0.holds(document) }
    case .any(let parts): return parts.contains { $0.holds(document) }
    case .not(let part): return !part.holds(document)
    case .bare(let path):
      if case .bool(true) = document.value(at: path) { return true }
      return false
    case .constant(let flag): return flag
    case .comparison(let left, let sign, let right):
      let isID = [left, right].contains { if case .path(["_id"]) = $0 { true } else { false } }
      let (a, b) = (Self.value(left, document), Self.value(right, document))
      return Self.compare(a, sign, b, readsDates: !isID)
    case .member(let part, let whole):
      return PlainQuery.call("contains", whole, part).holds(document)
    case .call(let name, let left, let right):
      return Self.call(
        name, Self.value(left, document), Self.value(right, document))
    }
  }

  private static func value(
    _ operand: Operand, _ document: JSONDocument
  ) -> JSONDocument {
    switch operand {
    case .path(let path): document.value(at: path)
    case .value(_, let value): value
    }
  }

  private static func call(_ name: String, _ left: JSONDocument, _ right: JSONDocument) -> Bool {
    if name == "contains", case .array(let elements) = left {
      return elements.contains { areEqual($0, right, true) }
    }
    guard case .text(let whole) = left, case .text(let part) = right else { return false }
    let (bytes, sought) = (Array(whole.utf8), Array(part.utf8))
    guard sought.count <= bytes.count else { return false }
    return (0...(bytes.count - sought.count)).contains { start in
      if name == "starts_with", start != 0 { return false }
      if name == "ends_with", start + sought.count != bytes.count { return false }
      return Array(bytes[start..<(start + sought.count)]) == sought
    }
  }

  private static func compare(
    _ left: JSONDocument, _ sign: String, _ right: JSONDocument, readsDates: Bool
  ) -> Bool {
    switch sign {
    case "==": areEqual(left, right, readsDates)
    case "!=": !areEqual(left, right, readsDates)
    case "<": isLess(left, right, readsDates)
    case ">": isLess(right, left, readsDates)
    case "<=": isLess(left, right, readsDates) || isComparableEqual(left, right, readsDates)
    default: isLess(right, left, readsDates) || isComparableEqual(left, right, readsDates)
    }
  }

  private static func isComparableEqual(
    _ left: JSONDocument, _ right: JSONDocument, _ readsDates: Bool
  ) -> Bool {
    if case .null = left { return false }
    return areEqual(left, right, readsDates)
  }

  private static func areEqual(
    _ left: JSONDocument, _ right: JSONDocument, _ readsDates: Bool
  ) -> Bool {
    switch (left, right) {
    case (.null, .null): return true
    case (.bool(let a), .bool(let b)): return a == b
    case (.int(let a), .int(let b)): return a == b
    case (.double(let a), .double(let b)): return a == b
    case (.int(let a), .double(let b)), (.double(let b), .int(let a)):
      return b == b.rounded() && abs(b) < 9e18 && Int64(b) == a
    case (.text(let a), .text(let b)):
      if readsDates, let a = dates[a], let b = dates[b] { return a == b }
      return Array(a.utf8) == Array(b.utf8)
    case (.array(let a), .array(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { areEqual($0, $1, readsDates) }
    default: return false
    }
  }

  private static func isLess(
    _ left: JSONDocument, _ right: JSONDocument, _ readsDates: Bool
  ) -> Bool {
    switch (left, right) {
    case (.bool(let a), .bool(let b)): return !a && b
    case (.int(let a), .int(let b)): return a < b
    case (.int(let a), .double(let b)): return Double(a) < b
    case (.double(let a), .int(let b)): return a < Double(b)
    case (.double(let a), .double(let b)): return a < b
    case (.text(let a), .text(let b)):
      if readsDates, let a = dates[a], let b = dates[b] { return a < b }
      return a.utf8.lexicographicallyPrecedes(b.utf8)
    case (.array(let a), .array(let b)):
      for (x, y) in zip(a, b) where !areEqual(x, y, readsDates) {
        return sortsBefore(x, y, readsDates)
      }
      return a.count < b.count
    default: return false
    }
  }

  /// Elements of arrays have an order in any case.
  private static func sortsBefore(
    _ left: JSONDocument, _ right: JSONDocument, _ readsDates: Bool
  ) -> Bool {
    let ranks = [left, right].map { rank($0, readsDates) }
    return ranks[0] == ranks[1] ? isLess(left, right, readsDates) : ranks[0] < ranks[1]
  }

  private static func rank(_ value: JSONDocument, _ readsDates: Bool) -> Int {
    switch value {
    case .null, .object: 0
    case .bool: 1
    case .int, .double: 2
    case .text(let text): readsDates && dates[text] != nil ? 3 : 4
    case .array: 5
    }
  }
}
