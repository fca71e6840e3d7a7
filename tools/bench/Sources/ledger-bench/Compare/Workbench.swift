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
  let jobs: String
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
    let oldID: String
    let youngID: String
    let hotID: String
  }

  var commands: String { folder + "/commands.ndjson" }
  var events: String { folder + "/events.ndjson" }
  var loadedLedger: String { folder + "/loaded.ledger" }
  var loadedDatabase: String { folder + "/loaded.db" }

  func ledger(_ path: String, _ words: [String]) -> [String] {
    [ledger, "--ledger", path] + words
  }

  /// Finds the programs and makes a folder of its own, below the one that `--work` names, so that removing it is safe.
  init(_ arguments: Arguments, eventCount: Int) throws {
    ledger = try Programs.ledger(arguments.text("--ledger"))
    jobs = try Programs.executable(Programs.folder + "/ledger-jobs")
    peer = try Programs.executable(Programs.folder + "/sqlite-peer")
    generator = try Programs.executable(Programs.folder + "/ledger-bench")
    seed = try arguments.number("-s", minimum: 0, default: 1)
    self.eventCount = eventCount
    syncCount = try arguments.number("--syncs", default: 3000)
    let parent = arguments.text("--work") ?? FileManager.default.temporaryDirectory.path
    folder = "\(parent)/ledger-bench-\(ProcessInfo.processInfo.processIdentifier)"
    process = ChildProcess(outputFolder: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// Removes the folder after something is done, and leaves it where that fails.
  func removingFolder(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      note("what was measured so far stays in \(folder)")
      throw error
    }
    try remove(folder)
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
      oldID: ids["old"] ?? "", youngID: ids["young"] ?? "", hotID: ids["hot"] ?? "")
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
  func generate(
    _ form: [String], events: Int? = nil, to path: String
  ) throws -> FinishedProcess {
    let words = ["generate", "-n", "\(events ?? eventCount)", "-s", "\(seed)"]
    return try process.run([generator] + words + form, cores: .all, output: path)
  }

  func check(_ command: [String], gives expected: String) throws {
    let found = folder + "/found.ndjson"
    _ = try process.run(command, cores: .all, output: found)
    do {
      _ = try process.run(["cmp", expected, found])
    } catch {
      let hint = "see diff \(expected) \(found)"
      throw BenchError("\(command[0]) does not give what it must; \(hint)")
    }
    try remove(found)
  }
}
