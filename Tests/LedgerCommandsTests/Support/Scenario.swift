import Foundation
import LedgerCore

/// A golden file: command lines with what they print, and what happens between them.
///
/// Fixtures/cli/README.md describes the form.
struct Scenario {
  enum Step {
    /// A comment, an empty line, a directive, or the content of a file that a directive makes.
    case verbatim(String)
    case command(String)
  }

  let path: String
  let text: String
  private(set) var steps: [Step] = []

  init(path: String) throws {
    self.path = path
    text = try String(contentsOfFile: path, encoding: .utf8)
    for line in text.components(separatedBy: "\n").dropLast() {
      if line.hasPrefix("$ ") {
        steps.append(.command(String(line.dropFirst(2))))
      } else if !Self.isOutput(line) {
        steps.append(.verbatim(line))
      }
    }
  }

  private static func isOutput(_ line: String) -> Bool {
    line.hasPrefix(">") || line.hasPrefix("!") || line.hasPrefix("[exit ")
  }

  /// Runs everything, and returns the file as it should read.
  func play() throws -> String {
    let player = ScenarioPlayer(try TestWorld(), text)
    var result = ""
    for (index, step) in steps.enumerated() {
      switch step {
      case .verbatim(let line):
        result += line + "\n"
        guard line.hasPrefix("@") else { continue }
        let content = steps[(index + 1)...].prefix { step in
          if case .verbatim(let line) = step { line.hasPrefix("|") } else { false }
        }
        try player.obey(line, content: content.map(Self.content))
      case .command(let line):
        result += "$ \(line)\n" + (try player.run(line))
      }
    }
    return result
  }

  /// The content behind `| `.
  private static func content(_ step: Step) -> String {
    guard case .verbatim(let line) = step else { return "" }
    return String(line.dropFirst(line.hasPrefix("| ") ? 2 : 1))
  }

  struct Malformed: Error, CustomStringConvertible {
    var description: String
  }
}

/// Splits a command line as a shell does: blanks, single quotes, double quotes, and `$'…'` with \n, \t and \u{…}.
enum ShellWords {
  static func split(_ line: String) throws -> [String] {
    var words: [String] = []
    var word: String?
    var rest = Array(line.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case " ":
        if let done = word { words.append(done) }
        word = nil
      case "'": word = (word ?? "") + (try quoted(&rest, by: "'"))
      case "\"": word = (word ?? "") + (try quoted(&rest, by: "\""))
      case "$" where rest.first == "'":
        rest.removeFirst()
        word = (word ?? "") + unescaped(try quoted(&rest, by: "'"))
      default:
        var text = word ?? ""
        text.unicodeScalars.append(scalar)
        word = text
      }
    }
    if let word { words.append(word) }
    return words
  }

  private static func quoted(
    _ rest: inout ArraySlice<Unicode.Scalar>, by quote: Unicode.Scalar
  ) throws -> String {
    guard let end = rest.firstIndex(of: quote) else {
      throw Scenario.Malformed(description: "a quote is not closed")
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: rest[..<end])
    rest = rest[(end + 1)...]
    return String(text)
  }

  private static func unescaped(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let backslash = rest.firstIndex(of: "\\") {
      result += rest[..<backslash]
      rest = rest[rest.index(after: backslash)...]
      guard let kind = rest.popFirst() else { break }
      switch kind {
      case "n": result += "\n"
      case "t": result += "\t"
      case "u":
        let digits = rest.dropFirst().prefix { $0 != "}" }
        rest = rest.dropFirst(digits.count + 2)
        if let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) {
          result.unicodeScalars.append(scalar)
        }
      default: result.append(kind)
      }
    }
    return result + rest
  }
}
