import LedgerCore
import LedgerFormat
import LedgerStorage
import Testing

/// No segment holds more events than a sealed one can.
@Suite struct `The size of segments` {
  private static let replica = ReplicaID(high: 1, low: 1)
  private static let now = LedgerTime(unchecked: 1_700_000_000_000)

  /// A ledger in memory whose segments hold at most ten events.
  private struct Bench {
    let directory = FaultDirectory(MemoryDirectory())
    let pool = ZstdPool()
    var options = StoreOptions()

    init() throws {
      options.segmentEventsMax = 10
      try LedgerCreation.create(
        in: directory, replica: replica, options: options, clock: { now })
    }

    func writer(time: @escaping () -> Double = { 0 }) throws -> LogWriter {
      LogWriter(
        try LogOpening.open(directory, pool: pool).view, options: options, clock: { now },
        time: time)
    }

    /// Transactions of so many events each.
    func transactions(_ sizes: [Int], after last: UInt64) throws -> [PendingTransaction] {
      var next = last
      return try sizes.map { size in
        let first = next + 1
        let events = (0..<UInt64(size)).map { place in
          Event(
            sequence: first + place,
            stamp: Stamp(time: now, replica: replica, count: first + place),
            kind: .upsert, task: TaskID(unchecked: "\(first + place)"), changes: [], author: "ann",
            transaction: first, endsTransaction: place == UInt64(size) - 1, recorded: now)
        }
        next += UInt64(size)
        return try pool.with { (zstd) throws(LedgerError) in
          try PendingTransaction(
            events, replica: replica, ownBefore: first - 1, newest: (now, false), compresses: true,
            zstd: zstd)
        }
      }
    }
  }

  @Test(arguments: [
    [[1], [10]], [[3, 4, 5], [6], [10, 1]], [[10, 10, 10]], [[1, 1, 9, 1], [12]],
  ])
  func `is such that each can be sealed`(groups: [[Int]]) throws {
    let bench = try Bench()
    let writer = try bench.writer()
    try writer.begin()
    for sizes in groups {
      try writer.append(bench.transactions(sizes, after: writer.view.lastSequence))
    }
    writer.end()
    let count = UInt64(groups.joined().reduce(0, +))
    let view = try LogOpening.open(bench.directory, pool: bench.pool).view
    #expect(view.lastSequence == count)
    let events = try view.unsealedEvents()
    #expect(events.map(\.sequence) == Array(1...count))
    let largest = UInt64(groups.joined().max() ?? 0)
    for segment in view.frameSegments { #expect(segment.eventCount <= max(10, largest)) }
    #expect(try view.fold().count == Int(count))
  }

  @Test func `ends a handle that can begin no other once a part of a group is kept`() throws {
    let bench = try Bench()
    let writer = try bench.writer()
    try writer.begin()
    bench.directory.onCall { call in
      if call.kind == .create, call.name.hasPrefix("MANIFEST-") {
        throw LedgerError(.io, "no room for a list")
      }
    }
    let group = try bench.transactions([6, 6], after: 0)
    #expect(throws: LedgerError.self) { try writer.append(group) }
    #expect(throws: LedgerError.self) { try writer.append(bench.transactions([1], after: 6)) }
    writer.end()
    bench.directory.onCall(nil)
    #expect(try bench.writer().view.lastSequence == 6)
    // What was to be the next segment does not stay.
    #expect(try bench.directory.list(LedgerNames.segments).count == 1)
  }

  /// A segment of three events, or nine where it is full within a second of the one before.
  @Test(arguments: zip([0.0625, 0.25, 2], [[3, 9, 9], [3, 4, 4], [3, 3, 3] as [UInt64]]))
  func `grows under a steady load`(seconds: Double, sizes: [UInt64]) throws {
    var bench = try Bench()
    bench.options.sealEvents = 3
    bench.options.quickSegmentFactor = 3
    var time = 0.0
    let writer = try bench.writer(time: { time })
    try writer.begin()
    var closed: [UInt64] = []
    while closed.count < sizes.count {
      try writer.append(bench.transactions([1], after: writer.view.lastSequence))
      time += seconds
      guard writer.isRotationDue else { continue }
      closed.append(writer.view.active.eventCount)
      try writer.rotate()
    }
    writer.end()
    #expect(closed == sizes)
  }
}
