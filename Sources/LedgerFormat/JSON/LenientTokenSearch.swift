import LedgerCore

/// Looks for the `transaction` of a line whose JSON is broken somewhere else: the texts and brackets of such a line mostly still
/// tell where its own members are.
struct LenientTokenSearch {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ line: ArraySlice<UInt8>) {
    bytes = line
    position = line.startIndex
  }

  /// The token; nil where none can be made out.
  mutating func token() -> TransactionToken? {
    var depth = 0
    while position < bytes.endIndex {
      switch bytes[position] {
      case 0x22:
        guard let end = textEnd(from: position) else { return nil }
        let text = position..<end
        position = end
        if depth == 1, isKey(text) { return value() }
        continue
      case 0x7b, 0x5b: depth += 1
      case 0x7d, 0x5d: depth -= 1
      default: break
      }
      position += 1
    }
    return nil
  }

  /// Where a text ends, behind its closing quote; nil when it does not.
  private func textEnd(from start: Int) -> Int? {
    var index = start + 1
    while index < bytes.endIndex {
      if bytes[index] == 0x22 { return index + 1 }
      index += bytes[index] == 0x5c ? 2 : 1
    }
    return nil
  }

  /// Whether a text is the key that is looked for: a colon follows, which is passed.
  private mutating func isKey(_ text: Range<Int>) -> Bool {
    guard bytes[text].elementsEqual("\"transaction\"".utf8) else { return false }
    skipBlanks()
    guard position < bytes.endIndex, bytes[position] == 0x3a else { return false }
    position += 1
    skipBlanks()
    return true
  }

  private mutating func skipBlanks() {
    while position < bytes.endIndex, [0x20, 0x09, 0x0d].contains(bytes[position]) { position += 1 }
  }

  private func value() -> TransactionToken? {
    guard position < bytes.endIndex else { return nil }
    let end =
      bytes[position] == 0x22
      ? textEnd(from: position)
      : bytes[position...].firstIndex {
        ![0x2d, 0x2b, 0x2e, 0x45, 0x65].contains($0) && !isDigit($0)
      }
        ?? bytes.endIndex
    guard let end else { return nil }
    return try? JSONScanner.scan(bytes[position..<end]) { (scanner) throws(JSONProblem) in
      try TransactionToken.read(&scanner)
    }
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
