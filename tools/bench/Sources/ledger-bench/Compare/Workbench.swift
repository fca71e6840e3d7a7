import BenchSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The programs to compare and the folder with everything that they read and write.
struct Workbench {
  let ledger: String
  let durable: String
  let peer: String
  let generator: String
  let folder: String
  let process: ChildProcess
  let seed: Int
  let eventCount: Int
  let syncCount: Int

  /// What is known about the stores once they are loaded.
  struct Loaded {
    let taskCount: Int
    let sqliteVersion: String
    let coldID: String
    let hotID: String
  }

  var commands: String { folder + "/commands.ndjson" }
  var events: String { folder + "/events.ndjson" }
  var loadedLedger: String { folder + "/loaded.ledger" }
  var loadedDatabase: String { folder + "/loaded.db" }

  func ledger(_ path: String, _ words: [String]) -> [String] {
    [ledger, "--ledger", path] + words
  }

  /// Writes the workload in both forms, loads it into both stores, and checks that each of them
  /// holds the state that the generator says it must.
  func setUp() throws -> Loaded {
    note("generating \(Figure.grouped(eventCount)) events")
    try generate([], to: commands)
    try generate(["--events"], to: events)
    note("loading them into both stores")
    _ = try process.run(ledger(loadedLedger, ["init"]))
    _ = try process.run(ledger(loadedLedger, ["apply", commands]), cores: .all)
    let load = try process.run([peer, "load", events, loadedDatabase], cores: .all).lastObject
    note("checking the state of both against the generator's")
    let expected = folder + "/state.ndjson"
    try generate(["--state"], to: expected)
    try check(ledger(loadedLedger, ["replay", "--tasks"]), gives: expected)
    try check([peer, "replay", loadedDatabase, "--tasks"], gives: expected)
    let ids = try generate(["--ids"], to: folder + "/ids.json").lastObject
    return Loaded(
      taskCount: ids["tasks"].flatMap { Int($0) } ?? 0, sqliteVersion: load["sqlite"] ?? "unknown",
      coldID: ids["cold"] ?? "", hotID: ids["hot"] ?? "")
  }

  func remove(_ paths: String...) throws {
    for path in paths where FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }
  }

  /// Bytes of a file or of all files below a folder.
  func size(of path: String) throws -> Int {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw BenchError.system("read the size of", path) }
    if status.st_mode & S_IFMT == S_IFDIR {
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      return try names.reduce(0) { try $0 + size(of: path + "/" + $1) }
    }
    return Int(status.st_size)
  }

  @discardableResult
  private func generate(_ form: [String], to path: String) throws -> FinishedProcess {
    let words = ["generate", "-n", "\(eventCount)", "-s", "\(seed)"]
    return try process.run([generator] + words + form, cores: .all, output: path)
  }

  private func check(_ command: [String], gives expected: String) throws {
    let found = folder + "/found.ndjson"
    _ = try process.run(command, cores: .all, output: found)
    do {
      _ = try process.run(["cmp", expected, found])
    } catch {
      let hint = "see diff \(expected) \(found)"
      throw BenchError("\(command[0]) does not give the state that the generator does; \(hint)")
    }
    try remove(found)
  }
}
