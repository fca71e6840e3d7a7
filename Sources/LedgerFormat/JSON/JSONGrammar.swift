/// The grammar of RFC 8259, and nothing else: no limits, no types, no meaning.
///
/// It tells text that happens to begin like JSON ("[WIP] paint the fence") from JSON that is refused for what it says (an
/// integer beyond 64 bits, arrays nested too deep). The depth of nesting costs memory, never the stack.
package struct JSONGrammar {
  private let bytes: [UInt8]
  private var position = 0
  /// The closing brackets that are due, the innermost last.
  private var due: [UInt8] = []

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether the bytes, which must be UTF-8, are one JSON value.
  package static func isValue(_ bytes: [UInt8]) -> Bool {
    var grammar = JSONGrammar(bytes)
    return grammar.passValues()
  }

  private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func passValues() -> Bool {
    while true {
      skipBlanks()
      switch current {
      case 0x7b, 0x5b:
        let isObject = current == 0x7b
        due.append(current + 2)
        position += 1
        skipBlanks()
        if current == due.last { break }
        if isObject, !passKey() { return false }
        continue
      case 0x22: if !passText() { return false }
      case 0x2d, 0x30...0x39: if !passNumber() { return false }
      default: if !passLiteral() { return false }
      }
      // A value is passed, or an empty container stands at its end.
      guard let isDone = passEnds() else { return false }
      if isDone { return true }
    }
  }

  /// Passes what follows a value up to the next one: false; true at the end of all; nil where the grammar is broken.
  private mutating func passEnds() -> Bool? {
    while true {
      skipBlanks()
      guard let close = due.last else { return position == bytes.count ? true : nil }
      if current == close {
        due.removeLast()
        position += 1
        continue
      }
      guard current == 0x2c else { return nil }
      position += 1
      skipBlanks()
      return close == 0x7d && !passKey() ? nil : false
    }
  }

  private mutating func passKey() -> Bool {
    guard current == 0x22, passText() else { return false }
    skipBlanks()
    guard current == 0x3a else { return false }
    position += 1
    return true
  }

  private mutating func passText() -> Bool {
    position += 1
    while position < bytes.count {
      let byte = current
      position += 1
      switch byte {
      case 0x22: return true
      case 0..<0x20: return false
      case 0x5c: if !passEscape() { return false }
      default: continue
      }
    }
    return false
  }

  /// Passes what stands behind a backslash.
  private mutating func passEscape() -> Bool {
    let kind = current
    position += 1
    guard kind == 0x75 else { return Array("\"\\/bfnrt".utf8).contains(kind) }
    for _ in 0..<4 {
      guard (0x30...0x39).contains(current) || (0x61...0x66).contains(current | 0x20) else {
        return false
      }
      position += 1
    }
    return true
  }

  private mutating func passNumber() -> Bool {
    if current == 0x2d { position += 1 }
    let hasLeadingZero = current == 0x30
    let first = position
    guard passDigits(), !hasLeadingZero || position == first + 1 else { return false }
    if current == 0x2e {
      position += 1
      guard passDigits() else { return false }
    }
    if current | 0x20 == 0x65 {
      position += 1
      if current == 0x2b || current == 0x2d { position += 1 }
      guard passDigits() else { return false }
    }
    return true
  }

  private mutating func passDigits() -> Bool {
    let start = position
    while (0x30...0x39).contains(current) { position += 1 }
    return position > start
  }

  private mutating func passLiteral() -> Bool {
    for word in ["true", "false", "null"] where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return true
    }
    return false
  }

  private mutating func skipBlanks() {
    while [0x20, 0x09, 0x0a, 0x0d].contains(current) { position += 1 }
  }
}
