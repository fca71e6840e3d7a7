import LedgerCore
import LedgerFormat

@testable import LedgerStorage

/// A folder with a ledger to which given events are appended, segment by segment.
struct StoreBench {
  static let replica = ReplicaID(high: 1, low: 1)
  static let now = LedgerTime(unchecked: 1_700_000_000_000)

  let faults = FaultDirectory(MemoryDirectory())
  let pool = ZstdPool()
  var options = StoreOptions()

  init() throws {
    options.extensionBytes = 4096
    try LedgerCreation.create(
      in: faults, replica: Self.replica, options: options, clock: { Self.now })
  }

  /// An upsert of a task with a body.
  static func event(_ sequence: UInt64, _ task: String, _ body: String) -> Event {
    Event(
      sequence: sequence, stamp: Stamp(time: now, replica: replica, count: sequence),
      kind: .upsert, task: TaskID(unchecked: task), changes: [FieldChange(.body, .text(body))],
      author: "ann", transaction: sequence, endsTransaction: true, recorded: now)
  }

  /// Appends the events, a transaction each, and closes and seals the segment that holds them.
  func seal(_ events: [Event]) throws {
    try close(events)
    _ = try Sealer(faults, options: options, pool: pool).sealAll()
  }

  /// Appends the events, a transaction each, and closes the segment that holds them.
  func close(_ events: [Event]) throws {
    let writer = LogWriter(try view(), options: options, clock: { Self.now })
    try writer.begin()
    let transactions = try events.map { event in
      try pool.with { (zstd) throws(LedgerError) in
        try PendingTransaction(
          [event], replica: Self.replica, ownBefore: event.sequence - 1, newest: (Self.now, false),
          compresses: true, zstd: zstd)
      }
    }
    try writer.append(transactions)
    try writer.rotate()
    writer.end()
  }

  func view() throws -> LogView { try LogOpening.open(faults, pool: pool).view }

  func compactor() -> Compactor {
    Compactor(faults, options: options, pool: pool, clock: { Self.now })
  }

  /// All events, in order of sequence.
  func events() throws -> [Event] {
    var events: [Event] = []
    try view().forEachPortion(after: 0) { (portion) throws(LedgerError) in
      events += portion
      return true
    }
    return events
  }

  var sealedEntries: [SegmentEntry] {
    get throws { try view().manifest.segments.filter { $0.kind == .sealed } }
  }
}
