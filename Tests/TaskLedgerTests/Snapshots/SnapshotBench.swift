import LedgerFormat
import LedgerStorage
import LedgerTestSupport

@testable import TaskLedger

/// A ledger with snapshots, and late events before and after them.
struct SnapshotBench {
  let disk: TestDisk
  let clock = TestClock(LedgerTime(unchecked: noon))
  var snapshotEvents: UInt64 = 1 << 16

  /// Tasks of every kind: deleted, evicted, revived, with late changes; a snapshot in the middle, and events after it.
  init() throws {
    disk = TestDisk()
    let ledger = try disk.create(configuration: .forTests(clock: clock, sealEvents: 5))
    try ledger.upsert(TaskItem(id: "milk", body: "Get milk"))
    try ledger.upsert(TaskItem(id: "eggs", body: "Get eggs"))
    try ledger.upsert(TaskItem(id: "gone", body: "Gone"))
    clock.advance(milliseconds: 10_000)
    try ledger.update("milk") {
      $0.body = "Get oat milk"
      $0["tags.home"] = true
    }
    try ledger.update("milk") { $0["priority"] = 3 }
    try ledger.update("milk") { $0["priority"] = nil }
    try ledger.toggle("eggs")
    try ledger.evict("gone")
    _ = try ledger.snapshot()
    clock.advance(milliseconds: 10_000)
    try ledger.delete("eggs")
    try ledger.upsert(TaskItem(id: "gone", body: "Back again"))
    try Self.addLate(ledger)
  }

  /// Changes that happened before the snapshot and arrive after it: some count, some are lost.
  private static func addLate(_ ledger: Ledger) throws {
    let lines = [
      #"{"kind":"update","task":"milk","set":{"due":"2026-12-01"},"time":"\#(at(4000))"}"#,
      #"{"kind":"update","task":"milk","set":{"priority":1},"time":"\#(at(5000))"}"#,
      #"{"kind":"update","task":"gone","set":{"due":"2026-12-24"},"time":"\#(at(6000))"}"#,
      #"{"kind":"upsert","task":"late","set":{"body":"Late"},"time":"\#(at(1000))"}"#,
    ]
    let applied = try ledger.apply(try Lines.split(lines))
    if let error = applied.errors.first { throw error }
  }

  private static func at(_ milliseconds: Int64) -> LedgerTime {
    LedgerTime(unchecked: noon + milliseconds)
  }

  func open(_ disk: TestDisk? = nil) throws -> Ledger {
    var configuration = LedgerConfiguration.forTests(clock: clock, sealEvents: 5)
    configuration.snapshotEvents = snapshotEvents
    return try (disk ?? self.disk).open(configuration: configuration)
  }

  /// The names of the files of all snapshots, in order.
  static func snapshots(_ disk: TestDisk) -> [String] {
    disk.files.keys.filter { $0.hasPrefix("snapshots/") }.sorted()
  }

  /// All that can be read of the tasks, now and at every moment, as text.
  static func answers(_ ledger: Ledger) throws -> [String] {
    var answers: [String] = []
    var moments: [Moment] = []
    var times: Set<LedgerTime> = []
    for number in 0...(try ledger.lastSequence) { moments.append(.sequence(number)) }
    try ledger.forEachEvent { event in
      times.insert(event.time)
      return true
    }
    moments += times.sorted().map(Moment.time)
    let all = TaskListOptions(includesDeleted: true)
    answers.append("\(try ledger.tasks(all).map(\.json))")
    answers.append("\(try ledger.tasks(TaskListOptions(limit: 2)).map(\.json))")
    for moment in moments {
      let then = try ledger.at(moment)
      answers.append("\(moment): \(try then.tasks(all).map(\.json))")
      for id in ["milk", "eggs", "gone", "late", "never"] as [TaskID] {
        answers.append("\(moment), \(id): \(try then.task(id).map(\.json) ?? "none")")
      }
    }
    for id in ["milk", "eggs", "gone", "late", "never"] as [TaskID] {
      answers.append("\(id): \(try ledger.task(id).map(\.json) ?? "none")")
      answers.append("\(id): \(try ledger.revision(of: id) ?? 0)")
      answers.append("\(id): \(try ledger.audit(id).map(\.sequence))")
    }
    return answers
  }

  /// The answers of the same ledger without any snapshot.
  func plainAnswers() throws -> [String] {
    let plain = disk.processKilled()
    for file in Self.snapshots(plain) { try plain.remove(file) }
    return try Self.answers(try open(plain))
  }
}
