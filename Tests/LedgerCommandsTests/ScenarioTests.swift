import Foundation
import Testing

/// What every verb prints, to the byte: Fixtures/cli.
@Suite struct `Golden output` {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/cli")
    .path

  static let names: [String] = {
    let files = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    return files.filter { $0.hasSuffix(".txt") }.sorted()
  }()

  /// With LEDGER_UPDATE_GOLDEN=1 the files are written anew; look at the difference before you keep it.
  @Test(arguments: names) func `is as the scenario says`(_ name: String) throws {
    let scenario = try Scenario(path: "\(Self.folder)/\(name)")
    let found = try scenario.play()
    guard found != scenario.text else { return }
    if ProcessInfo.processInfo.environment["LEDGER_UPDATE_GOLDEN"] == "1" {
      try found.write(toFile: scenario.path, atomically: true, encoding: .utf8)
      return
    }
    Issue.record(
      "\(name) differs:\n\(TextDiff.text(expected: scenario.text, found: found))")
  }

  @Test func `every verb has a scenario and golden help`() throws {
    let folders = Set(Self.names.compactMap { $0.split(separator: "/").first.map(String.init) })
    for verb in [
      "init", "add", "upsert", "update", "toggle", "delete", "restore", "evict", "list",
      "get", "apply", "log", "watch", "audit", "replay", "snapshot", "stats", "verify", "done",
      "completions", "man",
    ] {
      #expect(folders.contains(verb), "Fixtures/cli/\(verb) is missing")
      #expect(Self.names.contains("\(verb)/help.txt"))
    }
  }
}
