import LedgerCore
import LedgerFormat

/// Puts a line for people together part by part, without a text for each part in between.
package struct LineWriter {
  /// What was written so far; the output's, while a line is built.
  var bytes: [UInt8] = []
  private let isStyled: Bool

  init(isStyled: Bool) { self.isStyled = isStyled }

  /// Adds a text as it stands.
  mutating func add(_ text: String) {
    // In one piece, which costs least.
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Adds a text in one style, where the stream has styles.
  mutating func add(_ text: String, _ style: TextStyle) {
    guard !text.isEmpty else { return }
    styled(style) { $0.add(text) }
  }

  /// Adds a number, with spaces before it up to so many columns.
  mutating func add(_ number: UInt64, paddedTo columns: Int) {
    let digits = String(number)
    for _ in 0..<max(0, columns - digits.utf8.count) { bytes.append(0x20) }
    add(digits)
  }

  /// Adds a time.
  mutating func add(_ time: LedgerTime) { time.append(to: &bytes) }

  /// Adds the JSON of a value, as `ValueText.quoted` gives it.
  mutating func add(quoted value: Value) {
    let start = bytes.count
    CanonicalJSON.append(value, to: &bytes)
    guard TerminalText.mayHoldEscaped(bytes[start...]) else { return }
    let text = TerminalText.escaped(String(decoding: bytes[start...], as: UTF8.self))
    bytes.removeSubrange(start...)
    add(text)
  }

  /// Adds several parts, which are not all empty, in one style, where the stream has styles.
  mutating func styled(_ style: TextStyle, _ parts: (inout LineWriter) -> Void) {
    guard isStyled else { return parts(&self) }
    add("\u{1b}[\(style.rawValue)m")
    parts(&self)
    add("\u{1b}[0m")
  }
}
