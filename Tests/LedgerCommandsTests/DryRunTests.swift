import Foundation
import LedgerCore
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
  ])
  func `says what would be done, and leaves every byte as it is`(_ command: [String]) throws {
    // What an interrupted write leaves behind is none of its business.
    let path = try world.match(".ledger/segments/*.active")
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let end = (bytes.lastIndex { $0 != 0 } ?? 0) + 64
    for index in end..<end + 24 { bytes[index] = 0xaa }
    try Data(bytes).write(to: URL(fileURLWithPath: path))

    let before = try files()
    let result = world.run(command + ["--dry-run"])
    #expect(result.exit == 0)
    #expect(result.output.contains("would "))
    #expect(try files() == before)

    // In earnest the same tasks change.
    let done = world.run(command)
    #expect(done.exit == 0 && done.output.contains("task-"))
    #expect(try files() != before)
  }

  @Test func `is refused where the command would be`() {
    for command in [
      ["delete", "task-x"], ["evict", "task"], ["toggle", "task-a", "--if-revision", "9"],
      ["update", "task-a", "--set", "_id=x"],
    ] {
      let (tried, done) = (world.run(command + ["--dry-run"]), world.run(command))
      #expect(tried.exit == done.exit && tried.errors == done.errors, "\(command)")
    }
  }
}
