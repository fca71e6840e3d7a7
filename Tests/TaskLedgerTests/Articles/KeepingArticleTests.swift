import Foundation
import LedgerTestSupport
import TaskLedger
import Testing

/// What the articles on snapshots, compaction, backup and repair show, compiled, and run where no folder of a certain name is needed.
@Suite struct `The articles on keeping a ledger` {
  @Test func `show snapshots, and moments of the past`() throws {
    let bench = try TestLedger()
    bench.setClock(try LedgerTime("2026-11-29").milliseconds)
    let ledger = try bench.open()
    try ledger.upsert(TaskItem(id: "count"))
    try ledger.transaction { transaction in
      for number in 1...1203 { try transaction.update("count") { $0["n"] = .int(Int64(number)) } }
    }
    bench.setClock(try LedgerTime("2026-12-01").milliseconds)
    try ledger.delete("count")
    if let snapshot = try ledger.snapshot() {
      print(snapshot.sequence, snapshot.tasks, snapshot.digest)
    }
    let then = try ledger.at(.sequence(1204))
    let monday = try ledger.at(.time(LedgerTime("2026-11-30"))).tasks(TaskListOptions(limit: 50))
    #expect(try then.task("count")?["n"] == 1203)
    #expect(try ledger.find("!isDeleted").isEmpty)
    #expect(monday.map(\.id) == ["count"])
    // The imports of a test are those of this file.
    #expect(try ArticleExamples.linesMissing(of: "Snapshots") == [])
  }

  /// A test of somebody's own ledgers, which are not here.
  @Suite(.disabled("it is compiled, no more")) struct `A test as the article shows it` {
    @Test func `a recorded week leads to the same tasks`() throws {
      try RecordedLedger(folder: "Fixtures/week.ledger")
        .expect(digest: "7352c9df3e62fcd7974378e8b913784b7742879592e6ec02bc2638fc4999311d")
      try RecordedLedger(stream: "Fixtures/week.ndjson")
        .expect(tasks: [TaskItem(id: "milk", body: "Get milk")])
    }
  }

  @Test func `a task that comes back keeps its text`() throws {
    try GivenLedger(.upsert("milk", ["body": "Get milk"]), .delete("milk"))
      .when(.restore("milk"), author: "bob")
      .then(.update("milk", ["isDeleted": false]).by("bob"))
      .then(tasks: [TaskItem(id: "milk", body: "Get milk")])
  }

  @Test func `what was evicted cannot be toggled`() throws {
    try GivenLedger(.upsert("milk", ["body": "Get milk"]), .evict("milk"))
      .when { ledger in try ledger.toggle("milk") }
      .then(refused: .noSuchTask, "milk")
  }

  @Test func `show a merge and a fold`() throws {
    let bench = try TestLedger(sealEvents: 2)
    bench.setClock(try LedgerTime("2025-12-24").milliseconds)
    let ledger = try bench.open()
    try ledger.upsert(TaskItem(id: "milk", body: "Get milk"))
    for number in 1...8 { try ledger.update("milk") { $0["n"] = .int(Int64(number)) } }
    bench.setClock(try LedgerTime("2026-11-30").milliseconds)
    try ledger.toggle("milk")
    let before = try ledger.replay().digest
    do {
      let plan = try ledger.compactionPlan()  // segments, events, bytes before and expected after
      let compaction = try ledger.compact()
      print(compaction.plan.segments, compaction.freedBytes)
      #expect(plan.segments == compaction.plan.segments)
    }
    do {
      let plan = try ledger.compactionPlan(.fold(before: .time(LedgerTime("2026-01-01"))))
      print(plan.horizon ?? 0, plan.events, plan.expectedBytes ?? 0)
      try ledger.compact(.fold(before: .time(LedgerTime("2026-01-01"))))
      #expect(plan.horizon == 9)
    }
    #expect(try ledger.foldedThrough == 9)
    #expect(try ledger.replay().digest == before)
    #expect(try ArticleExamples.linesMissing(of: "Compaction") == [])
  }

  @Test func `show what compiles`() throws {
    func backup(_ ledger: Ledger) throws {
      let backup = try ledger.backup(to: "/mnt/backup/tasks.ledger")
      print(backup.sequence, backup.logDigest, backup.copiedBytes)

      let restored = try Ledger.restore(from: "/mnt/backup/tasks.ledger", to: "tasks.ledger")
      print(restored.sequence, restored.replica)
    }
    func repair() throws {
      let found = try Ledger.verify(at: "tasks.ledger")
      if !found.isSound {
        print("lost:", found.lost.text(), "in doubt:", found.doubtful.text())
        let repair = try Ledger.repair(at: "tasks.ledger")
        for step in repair.steps { print(step.file, step.problem, step.aside ?? "") }
      }
    }
    #expect(try ArticleExamples.linesMissing(of: "Backup") == [])
    #expect(try ArticleExamples.linesMissing(of: "Repair") == [])
  }
}

/// No example without a test that compiles it.
@Suite struct `The Swift of the documentation` {
  @Test func `is compiled by a test, page by page`() throws {
    let root = #filePath.components(separatedBy: "/Tests/")[0]
    let catalogs = ["TaskLedger", "TaskLedgerUI", "LedgerFormat", "LedgerTestSupport"].map {
      "Sources/\($0)/\($0).docc"
    }
    let pages = try catalogs.flatMap { catalog in
      try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(catalog)").map {
        "\(catalog)/\($0)"
      }
    }
    let withSwift = try pages.filter { page in
      try page.hasSuffix(".md")
        && String(contentsOfFile: "\(root)/\(page)", encoding: .utf8).contains("```swift\n")
    }
    #expect(withSwift.count > 10)
    let tests = try FileManager.default.subpathsOfDirectory(atPath: "\(root)/Tests")
      .filter { $0.hasSuffix(".swift") && $0.contains("Article") || $0.contains("/ProgramTests") }
      .map { try String(contentsOfFile: "\(root)/Tests/\($0)", encoding: .utf8) }
    for page in withSwift {
      let name = String(page.split(separator: "/")[3].dropLast(3))
      let isTested = tests.contains { test in
        test.contains("linesMissing(of: \"\(name)\"") || test.contains("\(page)\"")
      }
      #expect(isTested, "\(page): compare its examples with a test that runs them")
    }
  }
}
