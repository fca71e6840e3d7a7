import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// A ledger with sealed segments, one that waits to be sealed or not, and bytes that were moved aside; and disks to back it up to.
struct BackupBench {
  let configuration: LedgerConfiguration
  let disk: TestDisk
  let book: Bookkeeper

  init(sealEvents: UInt64 = 5) throws {
    var chores = try Chores()
    chores.sealEvents = sealEvents
    configuration = chores.configuration
    let (made, entries) = try chores.made(withTail: true)
    disk = made
    book = Bookkeeper(entries)
    _ = chores.run(try disk.open(configuration: configuration), book)
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
