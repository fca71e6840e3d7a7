import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// What a crash leaves beside a list is none that was put back.
@Suite struct `A list of files with leftovers beside it` {
  private let configuration = LedgerConfiguration.forTests(sealEvents: 3, snapshotEvents: 4)

  @Test func `is written to, whenever a process died or the power went`() throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try ledger.upsert(TaskItem(id: "first", body: "First"))
    let all = try disk.disks(beforeCallsOf: {
      for number in 1...7 {
        try ledger.upsert(TaskItem(id: TaskID("task \(number)"), body: "Number \(number)"))
      }
      _ = try ledger.compact()
      try ledger.upsert(TaskItem(id: "late", body: "Late"))
      _ = try ledger.compact(.fold(before: .sequence(5)))
    })
    for (call, left) in all {
      let context: Comment = "before \(call)"
      let next = try left.open(configuration: configuration)
      for _ in 1...4 { try next.toggle("first") }
      _ = try next.compact()
      #expect(try left.verify().isSound, context)
      try left.open(configuration: configuration).toggle("first")
    }
  }

  @Test func `is written to while a reader keeps the files of long ago`() throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try ledger.upsert(TaskItem(id: "first", body: "First"))
    var held: [HeldManifest] = []
    for number in 1...30 {
      held.append(try HeldManifest.load(from: disk.faults))
      try disk.open(configuration: configuration).toggle("first")
      if number % 10 == 0 { _ = try disk.open(configuration: configuration).compact() }
      if number == 25 {
        _ = try disk.open(configuration: configuration).compact(.fold(before: .sequence(14)))
      }
    }
    #expect(held.count == 30)
    #expect(try disk.verify().isSound)
  }
}

extension LedgerConfiguration {
  fileprivate static func forTests(
    sealEvents: UInt64, snapshotEvents: UInt64
  ) -> LedgerConfiguration {
    var configuration = forTests(sealEvents: sealEvents)
    configuration.snapshotEvents = snapshotEvents
    return configuration
  }
}
