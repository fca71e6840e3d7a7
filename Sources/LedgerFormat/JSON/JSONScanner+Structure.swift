import LedgerCore

/// Objects, arrays, literals: what stands around texts and numbers.
extension JSONScanner {
  /// The two things with brackets.
  package enum Container {
    case object
    case array

    var open: UInt8 { self == .object ? 0x7b : 0x5b }
    var close: UInt8 { self == .object ? 0x7d : 0x5d }
    var name: String { self == .object ? "an object" : "an array" }
    var separatorOrEnd: String { self == .object ? "',' or '}'" : "',' or ']'" }
  }

  /// Passes an opening bracket; false when the container is empty, which is then passed whole.
  package mutating func open(_ container: Container) throws(JSONProblem) -> Bool {
    guard current == container.open else { throw mismatch(expected: container.name) }
    position += 1
    skipBlanks()
    guard current == container.close else { return true }
    position += 1
    return false
  }

  /// Passes what follows a member or an element: true after a comma, false after the closing bracket.
  package mutating func hasNext(in container: Container) throws(JSONProblem) -> Bool {
    skipBlanks()
    if current == 0x2c {
      position += 1
      skipBlanks()
      return true
    }
    guard current == container.close else { throw unexpected(container.separatorOrEnd) }
    position += 1
    return false
  }

  /// Passes the name of a member and its colon.
  package mutating func key() throws(JSONProblem) -> JSONText {
    guard current == 0x22 else { throw unexpected("a name in quotes") }
    let key = try text()
    skipBlanks()
    guard current == 0x3a else { throw unexpected("':'") }
    position += 1
    skipBlanks()
    return key
  }

  /// Passes `true`, `false` or `null`.
  mutating func literal(_ word: StaticString) throws(JSONProblem) {
    let end = position + word.utf8CodeUnitCount
    guard bytes(position..<end, are: word) else {
      let found = string(position..<wordEnd).shortened
      throw JSONProblem("found \"\(found)\", expected \(word)", at: position)
    }
    position = end
  }

  /// Where the letters from here on end.
  private var wordEnd: Int {
    var end = position
    while (0x61...0x7a).contains(byte(at: end) | 0x20) { end += 1 }
    return end
  }

  /// What stands here, by its first byte; nil when no value does.
  var typeName: String? {
    switch current {
    case 0x22: "text"
    case 0x7b: "an object"
    case 0x5b: "an array"
    case 0x74 where stands("true"), 0x66 where stands("false"): "a boolean"
    case 0x6e where stands("null"): "null"
    case 0x2d, 0x30...0x39: "a number"
    default: nil
    }
  }

  private func stands(_ word: StaticString) -> Bool {
    bytes(position..<position + word.utf8CodeUnitCount, are: word)
  }

  /// The error that a value of another type was expected here.
  func mismatch(expected: String) -> JSONProblem {
    guard let typeName else { return unexpected(expected) }
    return JSONProblem("found \(typeName), expected \(expected)", at: position)
  }
}
