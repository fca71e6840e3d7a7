import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A disk with little room left: what fits is written, what does not fit takes nothing away.
@Suite struct `On a disk with little room` {
  private let disk = TestDisk()
  private let book = Bookkeeper()
  private var configuration = LedgerConfiguration.forTests(sealEvents: 10_000)
  /// The step by which a file grows; the room that is left is less.
  private static let step = 1 << 16

  init() throws { configuration.extensionBytes = UInt64(Self.step) }

  private var used: Int { disk.files.values.reduce(0) { $0 + $1.count } }

  private var activeLength: Int {
    disk.files.filter { $0.key.hasSuffix(".active") }.values.map(\.count).max() ?? 0
  }

  /// Appends texts of so many bytes until that fails.
  ///
  /// - Returns: how many there were, and the error.
  private func fill(
    _ ledger: Ledger, bytes: Int, atMost most: Int = 200
  ) throws -> (count: Int, error: LedgerError?) {
    for number in 0..<most {
      do {
        try book.transaction(ledger) {
          try $0.upsert(TaskItem(id: TaskID("task \(number)"), body: .unpressable(bytes + number)))
        }
      } catch let error as LedgerError {
        return (number, error)
      }
    }
    return (most, nil)
  }

  @Test func `what needs a closed segment fails, and does not say that it was done`() throws {
    let ledger = try disk.create(configuration: configuration)
    try book.transaction(ledger) { try $0.upsert(TaskItem(id: "a", body: "one")) }
    disk.memory.limit(toBytes: used)
    let snapshot = #expect(throws: LedgerError.self) { _ = try ledger.snapshot() }
    #expect(snapshot?.systemError == ENOSPC)
    let policy = try MaintenancePolicy(parsing: Array("seal-events = 1\n".utf8))
    let upkeep = try #require(try ledger.maintain(policy))
    #expect(upkeep.failure?.systemError == ENOSPC && upkeep.damage == nil)
    #expect(upkeep.steps.filter { $0.outcome == .failed }.map(\.job) == [.seal])
    // The others are not kept from being done.
    #expect(upkeep.steps.map(\.outcome).contains(.leftOut) == false)
    #expect(try ledger.tasks().count == 1)
  }

  @Test func `a file grows by less than a step, and says so when nothing is left`() throws {
    let ledger = try disk.create(configuration: configuration)
    disk.memory.limit(toBytes: used + 20_000)
    // As much as fits into the first step and into the room behind it.
    let (count, error) = try fill(ledger, bytes: 3000)
    #expect(count > (Self.step + 12_000) / 3200)
    #expect(error?.systemError == ENOSPC)
    #expect(error?.sentence.hasPrefix("cannot extend the ledger for 2") == true)
    #expect(error?.cause?.contains("cannot write 4096 bytes") == true, "\(error?.cause ?? "")")
    #expect(error?.hint == "free some space, then try again")
    let length = activeLength
    #expect(length > Self.step && length < Self.step + 20_000)
    // What needs no more than is there still goes in, from a new process, too.
    let next = try disk.open(configuration: configuration)
    try book.transaction(next) { try $0.toggle("task 0") }
    #expect(activeLength == length)
    for left in [disk.processKilled(), disk.powerCut()] { try expectHolds(left, book.entries) }
    disk.memory.limit(toBytes: nil)
    try book.transaction(ledger) { try $0.upsert(TaskItem(id: "large", body: .unpressable(9000))) }
    #expect(activeLength % Self.step == 0)
    try expectWhole(disk, book.entries)
  }

  @Test func `a transaction that is too large leaves its room to a small one`() throws {
    let ledger = try disk.create(configuration: configuration)
    try book.transaction(ledger) { try $0.upsert(TaskItem(id: "milk", body: "Get milk")) }
    _ = try fill(ledger, bytes: 6000, atMost: 10)
    disk.memory.limit(toBytes: used + 30_000)
    let (before, length) = (used, activeLength)
    for _ in 0..<3 {
      let error = #expect(throws: LedgerError.self) {
        try ledger.upsert(TaskItem(id: "large", body: .unpressable(200_000)))
      }
      #expect(error?.systemError == ENOSPC)
      #expect(error?.sentence.hasPrefix("cannot extend the ledger for 15") == true)
      #expect(activeLength == length && used == before)
      try book.transaction(ledger) { try $0.toggle("milk") }
    }
    let (count, _) = try fill(ledger, bytes: 5000)
    #expect(count > 4)
    for left in [disk.processKilled(), disk.powerCut()] { try expectWhole(left, book.entries) }
  }

  @Test func `a ledger is made`() throws {
    disk.memory.limit(toBytes: 20_000)
    let ledger = try disk.create(configuration: configuration)
    #expect(activeLength < 20_000)
    try book.transaction(ledger) { try $0.upsert(TaskItem(id: "milk", body: "Get milk")) }
    try expectHolds(disk.powerCut(), book.entries)
    let full = TestDisk()
    full.memory.limit(toBytes: 600)
    let error = #expect(throws: LedgerError.self) {
      try full.create(configuration: configuration)
    }
    #expect(error?.systemError == ENOSPC)
    full.memory.limit(toBytes: nil)
    _ = try full.create(configuration: configuration)
  }

  @Test(arguments: [FaultPlan.Effect.nothing, .partial(1), .partial(5000), .everything])
  func `a call that finds it full once costs a transaction at most`(
    _ effect: FaultPlan.Effect
  ) throws {
    var n = 1
    var isMet = true
    while isMet {
      let disk = TestDisk()
      let book = Bookkeeper()
      var configuration = configuration
      configuration.extensionBytes = 1 << 14
      let ledger = try disk.create(configuration: configuration)
      disk.faults.arm(
        FaultPlan(fail: n, of: [.create, .write, .sync, .truncate], with: ENOSPC, effect: effect))
      for number in 1...7 {
        try? book.transaction(ledger) {
          try $0.upsert(TaskItem(id: TaskID("task \(number)"), body: .unpressable(5000)))
        }
      }
      disk.faults.disarm()
      isMet = disk.faults.faultsMet > 0
      let context: Comment = "call \(n)"
      for left in [disk.processKilled(), disk.powerCut(), disk.powerCut(tearing: UInt64(n))] {
        try expectHolds(left, book.entries, mayHaveTail: true, context)
      }
      try expectWhole(disk.processKilled(), book.entries, mayHaveTail: true, context)
      n += 1
    }
    #expect(n > 10)
  }
}
