import LedgerCore
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// Two handles on one folder, as two processes have them: one that never stops writing, one that wants to write now and then.
@Suite struct `A writer that waits for another` {
  private static var configuration: LedgerConfiguration {
    var configuration = LedgerConfiguration.forTests(sealEvents: 100_000)
    configuration.extensionBytes = 1 << 16
    // However slow the machine, nobody gives up waiting, nor waiting for who waits.
    configuration.lockTimeoutMilliseconds = 600_000
    configuration.lockPatienceMilliseconds = 600_000
    return configuration
  }

  @Test func `gets in before the other has appended many times more`() throws {
    let busyDisk = TestDisk()
    // The same files by another way, so that the calls of each are told apart.
    let waitingDisk = TestDisk(busyDisk.memory)
    let busy = try busyDisk.create(author: "busy", configuration: Self.configuration)
    let waiting = try waitingDisk.open(author: "waiting", configuration: Self.configuration)
    let appended = Guarded(0)
    let announcedAt = Guarded<Int?>(nil)
    let isDone = Guarded(false)
    waitingDisk.faults.onCall { call in
      // Its word that it waits, and no more than that.
      guard call.kind == .write, call.name == LedgerNames.lock, call.offset == 8 else { return }
      announcedAt.withLock { $0 = $0 ?? appended.withLock { $0 } }
    }
    let passed = Guarded<[Int]>([])
    inParallel(2) { number in
      do {
        if number == 0 {
          while !isDone.withLock({ $0 }) {
            try busy.upsert(TaskItem(body: "More"))
            appended.withLock { $0 += 1 }
          }
        } else {
          defer { isDone.withLock { $0 = true } }
          while passed.withLock({ $0.count }) < 5 {
            announcedAt.withLock { $0 = nil }
            try waiting.upsert(TaskItem(body: "At last"))
            // Only where it had to wait at all.
            guard let start = announcedAt.withLock({ $0 }) else { continue }
            let count = appended.withLock { $0 } - start
            passed.withLock { $0.append(count) }
          }
        }
      } catch {
        Issue.record(error)
      }
    }
    // Its turns, and one more that was under way as the word was given, or begun as it was let in.
    #expect(passed.withLock { $0 }.allSatisfy { $0 <= 35 }, "\(passed.withLock { $0 })")
    let ledger = try busyDisk.open()
    #expect(try ledger.lastSequence == busy.lastSequence)
    try expectSound(busyDisk)
  }

  @Test func `is not waited for again and again when it does not come`() throws {
    let disk = TestDisk()
    var configuration = Self.configuration
    configuration.lockPatienceMilliseconds = 3
    let ledger = try disk.create(configuration: configuration)
    try ledger.upsert(TaskItem(id: "milk", body: "Get milk"))
    // A process that was stopped while it waited.
    let folder = try disk.memory.open("", .folder)
    #expect(try folder.tryLock(.shared))
    let lock = try disk.memory.open("LOCK", .readWrite)
    try lock.write([1], at: 8)
    let before = disk.faults.trace.count(.open)
    for _ in 1...200 { try ledger.toggle("milk") }
    // It looked who waits, waited once, and joined the queue: a few folders are opened, not one for each append.
    #expect(disk.faults.trace.count(.open) - before <= 12)
    folder.close()
    for _ in 1...40 { try ledger.toggle("milk") }
    #expect(try ledger.lastSequence == 241)
  }

  @Test func `leaves no word behind that makes others look for it for ever`() throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: Self.configuration)
    try ledger.upsert(TaskItem(id: "milk", body: "Get milk"))
    try disk.memory.open("LOCK", .readWrite).write([1], at: 8)
    for _ in 1...40 { try ledger.toggle("milk") }
    #expect(disk.files["LOCK"]?[8] == 0)
  }
}
