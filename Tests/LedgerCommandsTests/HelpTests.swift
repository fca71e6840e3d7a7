import Foundation
import LedgerCore
import Testing

@testable import LedgerCommands

@Suite struct Help {
  /// The commands that an example runs: the parts of a pipeline that are ours.
  private func commands(_ example: String) throws -> [[String]] {
    try example.components(separatedBy: " | ").map(ShellWords.split).filter { $0.first == "ledger" }
  }

  @Test func `every verb has an example that its own arguments accept`() throws {
    for verb in Verbs.all.map({ $0.description }) {
      #expect(!verb.examples.isEmpty, "\(verb.name)")
      for example in verb.examples {
        for words in try commands(example.command) {
          var globals = Arguments()
          var rest = try ArgumentReader.readGlobals(Array(words.dropFirst()), into: &globals)
          #expect(verb.names.contains(rest.popFirst() ?? ""), "\(example.command)")
          #expect(throws: Never.self, "\(example.command)") {
            try ArgumentReader.read(rest, for: verb)
          }
        }
      }
    }
  }

  @Test func `usage names every option, and only those`() {
    for verb in Verbs.all.map({ $0.description }) {
      let usage = verb.usage.joined(separator: " ")
      for option in verb.options {
        #expect(usage.contains("--\(option.name)"), "\(verb.name) --\(option.name)")
      }
      for word in usage.split(whereSeparator: { " []".contains($0) }) where word.hasPrefix("--") {
        #expect(verb.options.contains { "--\($0.name)" == word }, "\(verb.name) \(word)")
      }
    }
  }

  @Test func `lines of prose fit eighty columns`() {
    for verb in Verbs.all.map({ $0.description }) {
      for line in HelpText.verb(verb).components(separatedBy: "\n") {
        let isExample = verb.examples.contains { line == "  \($0.command)" }
        #expect(isExample || TextColumns.count(line) <= 80, "\(line)")
      }
    }
    for line in HelpText.general().components(separatedBy: "\n") {
      #expect(TextColumns.count(line) <= 80, "\(line)")
    }
  }

  @Test func `summaries begin small and end without a full stop`() {
    for verb in Verbs.all.map({ $0.description }) {
      #expect(verb.summary.first?.isLowercase == true && verb.summary.last != ".", "\(verb.name)")
    }
  }

  @Test func `whatever a golden file tells people to run is there`() throws {
    let verbs = Set(Verbs.all.flatMap { $0.description.names } + ["help"])
    for name in `Golden output`.names {
      let text = try String(contentsOfFile: "\(`Golden output`.folder)/\(name)", encoding: .utf8)
      for match in text.matches(of: /`ledger ([a-z]+)/) {
        #expect(verbs.contains(String(match.output.1)), "\(name): \(match.output.0)")
      }
    }
  }
}
