import Foundation
import LedgerCore
import LedgerTestSupport
import Testing

@testable import LedgerCommands

@Suite struct `A dry run` {
  private let world: TestWorld

  init() throws {
    world = try TestWorld()
    world.run("init")
    world.run("add", "One", "--id", "task-a", "--set", "priority=1")
    world.run("add", "Two", "--id", "task-b")
    world.run("delete", "task-b")
  }

  /// Every file of the ledger.
  private func files() throws -> [String: Data] {
    let folder = "\(world.folder)/.ledger"
    let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    var files: [String: Data] = [:]
    for name in names {
      files[name] = FileManager.default.contents(atPath: "\(folder)/\(name)")
    }
    return files
  }

  @Test(arguments: [
    ["update", "task-a", "--set", "x=1"], ["update", "--where", "true", "pri:3"],
    ["toggle", "task-a"], ["toggle", "--where", "true"], ["done", "task-a"],
    ["done", "--where", "true"], ["delete", "task-a"], ["rm", "--where", "true"],
    ["restore", "task-b"], ["restore", "--where", "true"], ["evict", "task-a"],
    ["evict", "--where", "isDeleted"], ["undo"], ["undo", "--to", "0"],
    ["upsert", "{\"_id\":\"task-c\"}", "{\"_id\":\"task-a\",\"x\":1}"],
    ["upsert", "--id", "task-a", "--set", "x=1"], ["apply", "lines"],
  ])
  func `says what would be done, and leaves every byte as it is`(_ command: [String]) throws {
    // What an interrupted write leaves behind is none of its business.
    let path = try world.match(".ledger/segments/*.active")
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let end = (bytes.lastIndex { $0 != 0 } ?? 0) + 64
    for index in end..<end + 24 { bytes[index] = 0xaa }
    try Data(bytes).write(to: URL(fileURLWithPath: path))

    try world.write("{\"kind\":\"toggle\",\"task\":\"task-a\"}\n", to: "lines")

    let before = try files()
    let result = world.run(command + ["--dry-run"])
    #expect(result.exit == 0)
    #expect(result.output.contains("would "))
    #expect(try files() == before)

    // In earnest the same tasks change.
    let done = world.run(command)
    #expect(done.exit == 0)
    #expect(done.output.contains("task-") || done.output == "1 line is in: 1 event, 0 unchanged\n")
    #expect(try files() != before)
  }

  @Test func `is refused where the command would be`() {
    for command in [
      ["delete", "task-x"], ["evict", "task"], ["toggle", "task-a", "--if-revision", "9"],
      ["update", "task-a", "--set", "_id=x"], ["upsert", "{\"_id\":1}"], ["upsert", "{}", "{"],
      ["upsert", "--id", "task-a", "--set", "x=1", "--if-revision", "9"], ["apply", "nothing"],
    ] {
      let (tried, done) = (world.run(command + ["--dry-run"]), world.run(command))
      #expect(tried.exit == done.exit && tried.errors == done.errors, "\(command)")
    }
  }

  /// Whatever a stream holds, the dry run says what the run then says, and how the tasks then differ.
  @Test(arguments: 1...12)
  func `of a stream foretells the run`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var lines = ""
    for number in 1...60 {
      let task = "task-\(Int.random(in: 1...6, using: &random))"
      var line =
        "{\"kind\":\"\(["upsert", "update", "toggle", "delete", "evict"].randomElement(using: &random) ?? "")\""
      line += ",\"task\":\"\(task)\""
      if line.contains("up") { line += ",\"set\":{\"n\":\(Int.random(in: 1...3, using: &random))}" }
      if Int.random(in: 0..<3, using: &random) == 0 {
        line += ",\"time\":\"2026-11-\(Int.random(in: 10...30, using: &random))T00:00:00Z\""
      }
      if Int.random(in: 0..<3, using: &random) == 0 { line += ",\"transaction\":\(number / 4)" }
      lines += line + (Int.random(in: 0..<30, using: &random) == 0 ? "\n" : "}\n")
    }
    try world.write(lines, to: "lines")
    #expect(world.run("backup", "before.ledger").exit == 0)
    let more = seed % 2 == 0 ? ["--continue"] : []
    let tried = world.run(["--json", "apply", "lines", "--dry-run"] + more)
    let done = world.run(["--json", "apply", "lines"] + more)
    #expect(tried.exit == done.exit, "seed \(seed)")
    #expect(tried.errors.split(separator: "\n").count == done.errors.split(separator: "\n").count)
    let counts = try #require(
      tried.output.split(separator: ",\"added\"").first, "seed \(seed): \(tried)")
    #expect(
      counts == done.output.replacing("\"dryRun\":false", with: "\"dryRun\":true").dropLast(2),
      "seed \(seed)")
    let found = world.run("--json", "diff", "before.ledger", ".ledger", "--summary").output
    for name in ["added", "gone", "changed"] {
      let pattern = try Regex("\"\(name)\":([0-9]+)")
      #expect(
        found.firstMatch(of: pattern)?.output[1].substring
          == tried.output.firstMatch(of: pattern)?.output[1].substring, "seed \(seed), \(name)")
    }
  }
}
