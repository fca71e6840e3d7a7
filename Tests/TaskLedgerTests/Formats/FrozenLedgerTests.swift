import Foundation
import LedgerFormat
import LedgerStorage
import TaskLedger
import Testing

/// Ledgers that were written once, by the first release of their format version, and must stay readable: the folder
/// Fixtures/formats. They are never made anew; a new format version gets a folder of its own.
@Suite("Frozen ledgers") struct FrozenLedgerTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/formats")
  /// The versions of which there is one.
  static let versions = [1, 4, 5]

  /// The frozen ledger of a version in memory, so that nothing can change the files.
  private func frozen(_ version: Int) throws -> MemoryDirectory {
    let directory = MemoryDirectory()
    let root = Self.folder.appendingPathComponent("v\(version)/everything.ledger")
    for folder in [LedgerNames.segments] { try directory.makeFolder(folder) }
    for folder in ["", "segments/"] {
      let names = try FileManager.default.contentsOfDirectory(
        atPath: root.appendingPathComponent(folder).path)
      for name in names where name != LedgerNames.segments {
        let data = try Data(contentsOf: root.appendingPathComponent(folder + name))
        try directory.setContents(folder + name, Array(data))
      }
    }
    return directory
  }

  private func expected(_ name: String, _ version: Int) throws -> String {
    try String(
      contentsOf: Self.folder.appendingPathComponent("v\(version)/\(name)"), encoding: .utf8)
  }

  @Test(arguments: versions)
  func `of each version give the same tasks and digests`(version: Int) throws {
    let directory = try frozen(version)
    try expectRightAnswers(directory, version)
  }

  private func expectRightAnswers(_ directory: MemoryDirectory, _ version: Int) throws {
    let ledger = try Ledger(directory, author: "t", configuration: LedgerConfiguration())
    let replay = try ledger.replay()
    var tasks = ""
    replay.forEachLines { tasks += String(decoding: $0, as: UTF8.self) }
    #expect(tasks == (try expected("tasks.ndjson", version)))
    let verification = try Ledger.verify(directory)
    #expect(verification.isSound)
    let digests = """
      events \(replay.events)
      tasks \(replay.tasks)
      state digest \(replay.digest)
      log digest \(verification.logDigest ?? "")

      """
    #expect(digests == (try expected("digests.txt", version)))
  }

  @Test(arguments: versions)
  func `of each version give the same history`(version: Int) throws {
    let ledger = try Ledger(try frozen(version), author: "t", configuration: LedgerConfiguration())
    #expect(try history(ledger) == (try expected("log.ndjson", version)))
  }

  /// Its sealed segments become one of the version that is written now where there are few events.
  @Test(arguments: versions)
  func `of each version give the same answers after compaction`(version: Int) throws {
    let directory = try frozen(version)
    let ledger = try Ledger(directory, author: "t", configuration: LedgerConfiguration())
    let plan = try ledger.compactionPlan()
    #expect(plan.segments == 2)
    _ = try ledger.compact()
    let sealed = directory.contents().filter { $0.key.hasSuffix(".sealed") }
    #expect(sealed.map(\.value[10]) == [4])
    try expectRightAnswers(directory, version)
    let compacted = try Ledger(directory, author: "t", configuration: LedgerConfiguration())
    #expect(try history(compacted) == (try expected("log.ndjson", version)))
  }

  @Test(arguments: versions)
  func `of each version can be appended to`(version: Int) throws {
    let directory = try frozen(version)
    let ledger = try Ledger(directory, author: "t", configuration: LedgerConfiguration())
    let before = try ledger.lastSequence
    try ledger.toggle("x")
    #expect(
      try Ledger(directory, author: "t", configuration: LedgerConfiguration()).lastSequence
        == before + 1)
    #expect(try Ledger.verify(directory).isSound)
  }

  private func history(_ ledger: Ledger) throws -> String {
    var lines: [UInt8] = []
    try ledger.forEachEntry { entry in
      EventJSON.append(entry, to: &lines)
      lines.append(0x0a)
      return true
    }
    return String(decoding: lines, as: UTF8.self)
  }

  /// How the fixture was made, from everything.ndjson beside it: two sealed segments and an active one with
  /// the rest. With LEDGER_FREEZE=1 it makes one where there is none.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["LEDGER_FREEZE"] == "1"))
  func `make the fixture`() throws {
    let folder = Self.folder.appendingPathComponent("v\(FileHeader.currentVersion)")
    let path = folder.appendingPathComponent("everything.ledger").path
    try #require(!FileManager.default.fileExists(atPath: path), "a frozen ledger is never replaced")
    var configuration = LedgerConfiguration()
    configuration.sealEvents = 6
    configuration.filterEventsMin = 1
    configuration.extensionBytes = 1024
    configuration.sealsInBackground = false
    configuration.clock = { LedgerTime(unchecked: 1_793_534_400_000) }
    let ledger = try Ledger.create(at: path, author: "t", configuration: configuration)
    var splitter = LineSplitter()
    splitter.append(
      Array(try Data(contentsOf: folder.appendingPathComponent("everything.ndjson")))[...])
    splitter.finish()
    let applier = Applier(ledger)
    while let line = try splitter.next() {
      _ = try applier.add(line)
      try applier.flush()
    }
    _ = try applier.finish()
    var tasks: [UInt8] = []
    let replay = try ledger.replay()
    replay.forEachLines { tasks.append(contentsOf: $0) }
    try write(String(decoding: tasks, as: UTF8.self), "tasks.ndjson", in: folder)
    try write(try history(ledger), "log.ndjson", in: folder)
    let log = try Ledger.verify(at: path).logDigest ?? ""
    try write(
      "events \(replay.events)\ntasks \(replay.tasks)\nstate digest \(replay.digest)\nlog digest \(log)\n",
      "digests.txt", in: folder)
  }

  private func write(_ text: String, _ name: String, in folder: URL) throws {
    try text.write(
      to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
  }
}
