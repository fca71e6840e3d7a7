import Foundation
import LedgerFormat
import Testing

@testable import LedgerCommands

@Suite struct `Output for programs` {
  @Test(arguments: Verbs.all.map { $0.description.name })
  func `is an object a line on every verb, errors and notes too`(_ verb: String) throws {
    let world = try VerbCalls.world(columns: nil)
    for arguments in try #require(VerbCalls.all[verb], "\(verb) is not in the table") {
      let result = world.run(["--json"] + arguments)
      for line in (result.output + result.errors).utf8.split(separator: 0x0a) {
        #expect(
          line.first == UInt8(ascii: "{") && JSONGrammar.isValue(Array(line)),
          "\(arguments): \(String(line) ?? "")")
      }
      #expect(result.exit == 0 || result.exit == 1 || !result.errors.isEmpty, "\(arguments)")
    }
  }
}

/// Commands that texts of the product name: in hints, in help and in articles.
@Suite struct `Commands that are named` {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static let files: [URL] = {
    let sources = root.appendingPathComponent("Sources")
    let names = FileManager.default.enumerator(atPath: sources.path)?.allObjects as? [String] ?? []
    let texts = names.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }.sorted()
    return texts.map(sources.appendingPathComponent) + [root.appendingPathComponent("README.md")]
  }()

  @Test func `exist, and so do their options`() throws {
    var count = 0
    for file in Self.files {
      // A text that goes on in the next line of the source is one text.
      let text = try String(contentsOf: file, encoding: .utf8)
        .replacing(/"\s*\+\s*"/, with: "").replacing("\\\"", with: "\"")
      for match in text.matches(of: /`ledger ([^`]+)`/) {
        count += 1
        let problem = Self.problem(match.1.split(separator: " ").map(String.init))
        #expect(problem == nil, "\(file.lastPathComponent): \(match.0): \(problem ?? "")")
      }
    }
    #expect(count > 100)
  }

  /// What is wrong with a command; nil where all that it names exists. What stands for a value is passed over.
  private static func problem(_ words: [String]) -> String? {
    var rest = words[...]
    while let word = rest.first, word.hasPrefix("-") {
      rest.removeFirst()
      guard let option = ArgumentReader.globalOptions.first(where: { "--\($0.name)" == word })
      else { return "there is no option \(word)" }
      if option.value != nil { rest = rest.dropFirst() }
    }
    guard let name = rest.popFirst(), !name.hasPrefix("\\("), !name.hasPrefix("["),
      name != "VERB"
    else { return nil }
    guard let verb = try? Verbs.named(name).description else { return "there is no verb \(name)" }
    for word in rest where word.hasPrefix("--") && word != "--" && word != "--help" {
      let option = word.prefix { $0 != "=" }
      guard verb.options.contains(where: { "--\($0.name)" == option }) else {
        return "\(name) has no option \(option)"
      }
    }
    return nil
  }
}
