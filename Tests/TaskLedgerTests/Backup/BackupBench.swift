import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// A ledger with sealed segments, one that waits to be sealed or not, and bytes that were moved aside; and disks to back it up to.
struct BackupBench {
  let configuration: LedgerConfiguration
  let disk: TestDisk
  let book: Bookkeeper

  /// A dozen events, small enough to be copied thousands of times.
  init(sealEvents: UInt64 = 4) throws {
    configuration = .forTests(clock: try TestClock(), sealEvents: sealEvents)
    disk = TestDisk()
    book = Bookkeeper()
    let ledger = try disk.create(configuration: configuration)
    try book.transaction(ledger) { try $0.upsert(TaskItem(id: "start", body: "Begin")) }
    try ledger.upsert(TaskItem(id: "torn", body: "Never acknowledged"))
    try disk.tearLastTransaction()
    let next = try open()
    let steps: [Chores.Step] = [
      { try $0.upsert(TaskItem(id: "milk", body: "Get milk")) },
      { try $0.update("milk") { $0["priority"] = 2 } },
      { transaction in
        try transaction.upsert(TaskItem(id: "bread", body: "Bake bread"))
        try transaction.toggle("milk")
        try transaction.delete("start")
      },
      { try $0.restore("start") },
      { try $0.evict("bread") },
      { try $0.toggle("start") },
      { try $0.upsert(TaskItem(id: "bread", body: "Buy bread")) },
      { try $0.delete("milk") },
    ]
    for step in steps { try book.transaction(next, step) }
  }

  func open(_ other: TestDisk? = nil) throws -> Ledger {
    try (other ?? disk).open(configuration: configuration)
  }

  var events: [Event] { get throws { try LedgerCheck.allEvents(of: try open()) } }

  /// Appends some more transactions.
  func append(_ count: Int) throws {
    let ledger = try open()
    for number in 1...count {
      try book.transaction(ledger) {
        try $0.upsert(TaskItem(id: TaskID("more \(number)"), body: "\(try ledger.lastSequence)"))
      }
    }
  }

  /// Expects that a disk holds the first events and no other, sound, and adds up to what they do.
  func expectPrefix(
    _ copy: TestDisk, _ events: [Event], _ counts: Set<Int>, _ context: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let ledger = try open(copy)
    let found = try LedgerCheck.allEvents(of: ledger)
    #expect(
      counts.contains(found.count) && found == Array(events.prefix(found.count)), context,
      sourceLocation: sourceLocation)
    #expect(
      try ledger.replay().digest == StateModel.digest(found), context,
      sourceLocation: sourceLocation)
    #expect(ledger.takeNotices() == [], context, sourceLocation: sourceLocation)
    try expectSound(copy, context, sourceLocation: sourceLocation)
  }

  /// The files of segments that are there and that the ledger does not name.
  func leftOver(_ copy: TestDisk) throws -> Set<String> {
    let named = Set(try open(copy).statistics().segments.map(\.file))
    return Set(copy.files.keys.filter { $0.hasPrefix("segments/") }).subtracting(named)
  }
}

extension TestDisk {
  /// The files but for LOCK, which holds hints for running processes.
  var lastingFiles: [String: [UInt8]] { files.filter { $0.key != LedgerNames.lock } }

  /// Whether the files are these; a test that compares them itself prints them all.
  func holds(_ files: [String: [UInt8]]) -> Bool { lastingFiles == files }
}
