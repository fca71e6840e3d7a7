import Foundation
import LedgerTestSupport
import TaskLedger
import Testing

/// The recorded histories of this project, by the means that it offers to others.
@Suite struct `Recorded ledgers` {
  private static func path(_ name: String) -> String {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    return root.appending(path: "Fixtures/\(name)").path
  }

  @Test(arguments: RealHistory.all)
  func `of a tracker lead to the digest that is written down`(history: RealHistory) throws {
    let path = Self.path("scenarios/\(history.name).ndjson")
    try RecordedLedger(stream: path).expect(digest: history.digest)
    try RecordedLedger(lines: try history.bytes).expect(digest: history.digest)
  }

  @Test func `of the first release lead to their tasks and digest`() throws {
    let recorded = try RecordedLedger(folder: Self.path("formats/v1/everything.ledger"))
    let digests = try String(
      contentsOfFile: Self.path("formats/v1/digests.txt"), encoding: .utf8)
    let line = try #require(digests.split(separator: "\n").first { $0.hasPrefix("state digest") })
    try recorded.expect(digest: String(line.suffix(64)))
    try recorded.expect(
      tasks: try recorded.ledger.tasks(TaskListOptions(includesDeleted: true)).reversed())
  }

  private let lines = [
    #"{"kind":"upsert","task":"milk","set":{"body":"Get milk"}}"#,
    #"{"kind":"upsert","task":"eggs","set":{"body":"Six"}}"#, #"{"kind":"delete","task":"eggs"}"#,
  ].joined(separator: "\n").utf8

  @Test func `that lead elsewhere say what differs`() throws {
    let recorded = try RecordedLedger(lines: lines, name: "a morning")
    var eggs = TaskItem(id: "eggs", body: "Six")
    eggs.isDeleted = true
    try recorded.expect(tasks: [eggs, TaskItem(id: "milk", body: "Get milk")])
    let digest = #expect(throws: LedgerMismatch.self) {
      try recorded.expect(digest: String(repeating: "0", count: 64))
    }
    #expect(
      digest?.description.hasPrefix("a morning\n  the digest of 2 tasks after 3 events") == true)
    let tasks = #expect(throws: LedgerMismatch.self) {
      try recorded.expect(tasks: [
        TaskItem(id: "milk", body: "Get oat milk"), TaskItem(id: "bread", body: "Get bread"),
      ])
    }
    #expect(tasks?.differences.map { $0.prefix(8) } == ["unexpect", "found {\"", "missing:"])
  }

  @Test func `that differ in how a letter is composed differ`() throws {
    let line = #"{"kind":"upsert","task":"tea","set":{"body":"caf\u00e9"}}"#
    let recorded = try RecordedLedger(lines: line.utf8)
    try recorded.expect(tasks: [TaskItem(id: "tea", body: "caf\u{e9}")])
    #expect(throws: LedgerMismatch.self) {
      try recorded.expect(tasks: [TaskItem(id: "tea", body: "cafe\u{301}")])
    }
  }

  @Test func `that cannot be read are errors, not differences`() throws {
    let bad = #expect(throws: LedgerError.self) {
      try RecordedLedger(lines: #"{"kind":"toggle","task":"none"}"#.utf8)
    }
    #expect(bad?.sentence.hasPrefix("line 1") == true)
    let missing = #expect(throws: LedgerError.self) { try RecordedLedger(stream: "no such file") }
    #expect(missing?.code == .notFound)
    let folder = #expect(throws: LedgerError.self) { try RecordedLedger(folder: "no such folder") }
    #expect(folder?.code == .notFound)
  }
}
