import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// A small ledger with a file of every kind: sealed segments, a frozen one, an active one with three transactions, a late manifest,
/// and a tail that was moved aside.
struct Specimen {
  let disk: TestDisk
  let files: [String: [UInt8]]
  let answer: Answer
  /// Where the last transaction ends in the active segment: everything before that was acknowledged.
  let end: Int

  init() throws {
    var disk = TestDisk()
    var place = 0
    do {
      let ledger = try disk.create(configuration: .forTests(clock: TestClock(), sealEvents: 4))
      try ledger.upsert(TaskItem(id: "milk", body: "Get milk"))
      try ledger.transaction(author: "ann", message: "for the cake") {
        try $0.upsert(TaskItem(id: "eggs", body: "Get eggs"))
        try $0.toggle("milk")
      }
      try ledger.delete("milk")
      try ledger.upsert(TaskItem(id: "torn", body: "Never acknowledged"))
    }
    try disk.tearLastTransaction()
    disk = disk.processKilled()
    do {
      let ledger = try disk.open(configuration: .forTests(clock: TestClock(), sealEvents: 4))
      try ledger.restore("milk")
      try ledger.toggle("eggs")
      try ledger.evict("eggs")
      try ledger.upsert(TaskItem(id: "eggs", body: "Six"))
      // What follows is frozen and cannot be sealed.
      disk.faults.onCall { call in
        if call.kind == .create && call.name.hasSuffix(".sealed") {
          throw LedgerError(.io, "no room for a sealed segment")
        }
      }
      try ledger.toggle("milk")
      try ledger.transaction {
        try $0.update("eggs") { $0.body = "Twelve" }
        try $0.update("milk") { $0["tags.home"] = true }
        try $0.delete("milk")
      }
      try ledger.restore("milk")
      // Not in the first step of zeros, but across the next.
      try ledger.update("milk") { $0["notes"] = .text(String.unpressable(700)) }
      try ledger.update("milk") { $0["due"] = "2026-12-24" }
      place = disk.endOfActiveFile
      disk.faults.onCall(nil)
    }
    try Sealer(disk.faults, options: StoreOptions(), pool: ZstdPool()).removeUnneededFiles()
    self.disk = disk
    end = place
    files = disk.files
    answer = try Answer(disk)
    try check(disk.open())
  }

  private func check(_ ledger: Ledger) throws {
    let kinds = try ledger.statistics().segments.map(\.kind)
    #expect(kinds == ["sealed", "sealed", "frozen", "active"])
    #expect(try ledger.statistics().segments.last?.events == 3)
    #expect(files.keys.contains { $0.hasPrefix("aside/") })
    #expect(try disk.verify().isSound)
  }

  /// A disk that differs in one file; nil takes the file away.
  func disk(with file: String, _ bytes: [UInt8]?) throws -> TestDisk {
    let damaged = disk.processKilled()
    if let bytes { try damaged.overwrite(file, with: bytes) } else { try damaged.remove(file) }
    return damaged
  }
}

extension TestDisk {
  /// Where the next transaction will start, rounded as frames are.
  var endOfActiveFile: Int {
    let end = (files[activeFile] ?? []).lastIndex { $0 != 0 } ?? 0
    return (end + 8) / 8 * 8
  }
}

/// All that a ledger says of itself.
struct Answer: Equatable {
  let events: [Event]
  let digest: String
  let tasks: [TaskItem]
  let audits: [TaskID: [AuditEntry]]
  let notices: [String]

  init(_ disk: TestDisk) throws(LedgerError) {
    let ledger = try disk.open()
    let events = try LedgerCheck.allEvents(of: ledger)
    self.events = events
    digest = try ledger.replay().digest
    tasks = try ledger.tasks(TaskListOptions(includesDeleted: true))
    var audits: [TaskID: [AuditEntry]] = [:]
    for task in Set(events.map(\.task)) { audits[task] = try ledger.audit(task) }
    self.audits = audits
    notices = ledger.takeNotices()
  }

  /// Whether the answers are the same, whatever is said beside them.
  func isSame(as other: Answer) -> Bool {
    events == other.events && digest == other.digest && tasks == other.tasks
      && audits == other.audits
  }

  /// Whether this is the other answer without its last transaction, and says so.
  func isWithoutLastTransaction(of other: Answer) -> Bool {
    let last = other.events.last?.transaction
    let rest = other.events.filter { $0.transaction != last }
    return events == rest && digest == StateModel.digest(rest) && tasks == StateModel.tasks(rest)
      && notices.contains { $0.hasPrefix("a torn tail of ") }
  }
}
