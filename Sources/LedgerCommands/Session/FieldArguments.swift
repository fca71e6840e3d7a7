import LedgerCore
import LedgerFormat

/// The fields that `--set F=V` and `--unset F` name.
enum FieldArguments {
  /// What they change, in the order of the command line.
  static func changes(_ arguments: Arguments) throws(LedgerError) -> [FieldChange] {
    var changes: [FieldChange] = []
    for text in arguments.all("set") { changes.append(contentsOf: try set(text)) }
    for text in arguments.all("unset") {
      do throws(LedgerError) {
        changes.append(FieldChange(try FieldName.typed(text), nil))
      } catch {
        throw error.under("--unset")
      }
    }
    return changes
  }

  /// The first word that reads as if `--set` had been left out before it, such as `priority=3`.
  ///
  /// - Parameter hasBlanks: whether there may be a blank in it, as in `body=Pay rent`.
  static func assignment(among words: [String], hasBlanks: Bool = false) -> String? {
    words.first { word in
      guard let (name, _) = word.cut(at: "="), let first = name.utf8.first else { return false }
      let isPlain = name.utf8.allSatisfy { byte in
        byte == 0x2e || byte == 0x5f || byte == 0x2d || (0x30...0x39).contains(byte)
          || (0x61...0x7a).contains(byte | 0x20)
      }
      return isPlain && (0x61...0x7a).contains(first | 0x20) && (try? FieldName(name)) != nil
        && (hasBlanks || !word.hasBlanks)
    }
  }

  /// The hint that `--set` may have been left out; nil where no word looks like it.
  static func hint(about words: [String]) -> String? {
    assignment(among: words, hasBlanks: true).map { word in
      guard word.hasBlanks, let (name, value) = word.cut(at: "=") else {
        return "did you mean --set \(word.shortened)?"
      }
      return "did you mean --set \(name.shortened)=\"\(value.shortened)\"?"
    }
  }

  private static func set(_ text: String) throws(LedgerError) -> [FieldChange] {
    guard let (name, value) = parts(text) else {
      throw LedgerError(
        .usage, "--set \"\(text.shortened)\" has no =, expected FIELD=VALUE",
        hint: "for example --set priority=1; FIELD=null unsets a field")
    }
    guard !name.isEmpty else {
      throw LedgerError(
        .usage, "--set \"\(text.shortened)\" has no name before =, expected FIELD=VALUE",
        hint: "for example --set priority=1")
    }
    do throws(LedgerError) {
      return try changes(of: try FieldName.typed(name), to: value)
    } catch {
      throw error.under("--set")
    }
  }

  /// What stands before and after the first equals sign that is not in quotes behind a bracket, as in `["a=b"]=3`.
  private static func parts(_ text: String) -> (String, String)? {
    var quote: UInt8?
    var isEscaped = false
    var previous: UInt8 = 0
    for (index, byte) in zip(text.utf8.indices, text.utf8) {
      if let open = quote {
        if !isEscaped, byte == open { quote = nil }
        isEscaped = !isEscaped && byte == 0x5c
      } else if byte == 0x22 || byte == 0x27, previous == 0x5b {
        quote = byte
      } else if byte == 0x3d {
        return (String(text[..<index]), String(text[text.utf8.index(after: index)...]))
      }
      previous = byte
    }
    return text.cut(at: "=")
  }

  private static func changes(
    of name: FieldName, to value: String
  ) throws(LedgerError) -> [FieldChange] {
    // What somebody types for the text of a task is that text, even if it reads "2" or "null".
    if name == .body { return [FieldChange(name, .text(value))] }
    return try reading(value) { (bytes) throws(LedgerError) in
      try DocumentReader.changes(of: name, to: bytes).changes
    } ?? [FieldChange(name, .text(value))]
  }

  /// What a text stands for as a value of its own: JSON where it is JSON, else the text; nil is null.
  static func value(_ text: String) throws(LedgerError) -> Value? {
    let read = try reading(text) { (bytes) throws(LedgerError) in
      try DocumentReader.value(bytes)
    }
    return read ?? .text(text)
  }

  /// What `body` makes of the bytes of a text where they are JSON; nil where they are not.
  private static func reading<R>(
    _ text: String, _ body: (ArraySlice<UInt8>) throws(LedgerError) -> R
  ) throws(LedgerError) -> R? {
    let bytes = Array(text.utf8)
    do throws(LedgerError) {
      return try body(bytes[...])
    } catch {
      // JSON that the rules refuse is an error: kept as text it would be another value than the one that was meant.
      if JSONGrammar.isValue(bytes) { throw error }
      return nil
    }
  }
}

extension String {
  /// Whether a shell would take it for several words.
  var hasBlanks: Bool { unicodeScalars.contains(where: \.properties.isWhitespace) }
}
