import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

@Suite struct `A torn tail` {
  @Test func `is left out, told of, and moved aside by the next write`() throws {
    let bench = try TornBench()
    let torn = bench.tail
    let ledger = try bench.disk.open()
    #expect(try ledger.lastSequence == 1)
    let notice = try #require(ledger.takeNotices().first)
    #expect(notice.hasPrefix("a torn tail of \(torn.count) bytes at byte \(bench.end) of disk/"))
    try ledger.toggle("start")
    let aside = try #require(bench.disk.files.first { $0.key.hasPrefix("aside/") })
    #expect(aside.value == torn)
    #expect(
      ledger.takeNotices() == [
        "moved a torn tail of \(torn.count) bytes aside to disk/\(aside.key)"
      ]
    )
    let record = try #require(try ledger.statistics().maintenance.last)
    #expect(record.kind == "tail-moved-aside")
    #expect(record.follows == 1)
    #expect(
      record.details.map { "\($0.name)=\($0.value)" } == [
        "file=\(bench.disk.activeFile.dropFirst("segments/".count))", "offset=\(bench.end)",
        "bytes=\(torn.count)", "sha256=\(Digest(of: torn).hex)", "aside=\(aside.key)",
        "reason=torn tail",
      ])
    try expectSound(bench.disk)
    #expect(try bench.disk.open().lastSequence == 2)
  }

  @Test func `is told of once where the write follows before anybody asked`() throws {
    let bench = try TornBench()
    let ledger = try bench.disk.open()
    try ledger.toggle("start")
    let notices = ledger.takeNotices()
    #expect(notices.count == 1)
    #expect(notices.first?.hasPrefix("moved a torn tail of ") == true)
  }

  @Test func `is not touched by readers`() throws {
    let bench = try TornBench()
    let before = bench.disk.files
    let ledger = try bench.disk.open()
    _ = try ledger.replay()
    _ = try ledger.tasks()
    _ = try bench.disk.verify()
    #expect(bench.disk.files == before)
  }

  @Test func `takes whole transactions behind it along, and they do not come back`() throws {
    let disk = TestDisk()
    let ledger = try disk.create()
    try ledger.upsert(TaskItem(id: "start", body: "Begin"))
    let start = disk.endOfActiveFile
    try ledger.appendGroup { group in
      for number in 1...3 {
        try group.transaction(author: "tester") {
          _ = try $0.upsert(TaskItem(id: TaskID("task \(number)"), body: "One of three"))
        }
      }
    }
    // Of the three frames that one sync was to cover, the first did not reach the disk.
    var bytes = disk.files[disk.activeFile] ?? []
    for index in start..<start + 100 { bytes[index] = 0 }
    try disk.overwrite(disk.activeFile, with: bytes)
    try disk.forgetDurableEnd()
    let next = try disk.processKilled().open()
    #expect(try next.lastSequence == 1)
    #expect(next.takeNotices().count == 1)
    let left = disk.processKilled()
    try left.open().upsert(TaskItem(id: "next", body: "Instead"))
    let events = try LedgerCheck.allEvents(of: left.open())
    #expect(events.map(\.task) == ["start", "next"])
    try expectSound(left)
  }

  @Test func `is recorded once however often moving it is interrupted`() throws {
    let bench = try TornBench()
    let cuts = Guarded<[(Call, TestDisk)]>([])
    bench.disk.faults.onCall { [memory = bench.disk.memory] call in
      guard CallKind.mutating.contains(call.kind) else { return }
      let cut = TestDisk(memory.powerCut())
      let torn = TestDisk(memory.powerCut(tearing: UInt64(call.number)))
      cuts.withLock { $0 += [(call, cut), (call, torn)] }
    }
    try bench.disk.open().toggle("start")
    bench.disk.faults.onCall(nil)
    for (call, disk) in cuts.withLock({ $0 }) { try check(disk, bench, "cut before \(call)") }
    print("power cuts at \(cuts.withLock { $0.count / 2 }) calls while a tail is moved aside")
  }

  /// After a power cut the tail is moved for good, and its bytes are kept.
  private func check(_ disk: TestDisk, _ bench: TornBench, _ context: Comment) throws {
    let ledger = try disk.open()
    try ledger.update("start") { $0["checked"] = true }
    let events = try LedgerCheck.allEvents(of: ledger)
    #expect(events.first?.task == "start", context)
    #expect(events.count == 2 || events.count == 3, context)
    let copies = disk.files.filter { $0.key.hasPrefix("aside/") && !$0.key.hasSuffix(".draft") }
    #expect(copies.values.contains(bench.tail), context)
    let records = try ledger.statistics().maintenance.filter { $0.kind == "tail-moved-aside" }
    // A torn write of the zeros leaves a tail that is another one.
    #expect(records.count >= 1 && records.count == copies.count, context)
    try expectSound(disk, context)
  }

  @Test func `that follows another one is another one`() throws {
    let bench = try TornBench()
    try bench.disk.open().toggle("start")
    try bench.disk.open().upsert(TaskItem(id: "torn", body: "Again"))
    try bench.disk.tearLastTransaction()
    let ledger = try bench.disk.processKilled().open()
    try ledger.toggle("start")
    let records = try ledger.statistics().maintenance.filter { $0.kind == "tail-moved-aside" }
    #expect(records.map(\.follows) == [1, 2])
    #expect(try ledger.lastSequence == 3)
  }

  @Test func `is what a failed write leaves, and is moved aside at once`() throws {
    let disk = TestDisk()
    let ledger = try disk.create()
    try ledger.upsert(TaskItem(id: "start", body: "Begin"))
    disk.faults.arm(
      FaultPlan(fail: 1, of: [.write], named: "segments/", effect: .partial(100)))
    #expect(throws: LedgerError.self) { try ledger.toggle("start") }
    #expect(disk.files.contains { $0.key.hasPrefix("aside/") && $0.value.count == 100 })
    let details = try ledger.statistics().maintenance.last?.details ?? []
    #expect(details.contains { $0.name == "reason" && $0.value == "failed write" })
    try ledger.toggle("start")
    try expectSound(disk)
    #expect(try disk.open().lastSequence == 2)
  }
}

@Suite struct `An odd length` {
  @Test(arguments: [1, 100, 511, 512, 700])
  func `is an unfinished extension, and is filled again`(_ more: Int) throws {
    let disk = TestDisk()
    try disk.create().upsert(TaskItem(id: "start", body: "Begin"))
    let file = disk.activeFile
    let bytes = disk.files[file] ?? []
    try disk.overwrite(file, with: bytes + [UInt8](repeating: 0, count: more))
    let ledger = try disk.open()
    #expect(try ledger.lastSequence == 1)
    #expect(ledger.takeNotices() == [])
    try ledger.toggle("start")
    #expect(ledger.takeNotices() == [])
    let length = try #require(disk.files[file]?.count)
    #expect(length % 512 == 0 && length >= bytes.count + more)
    #expect(disk.powerCut().files[file]?.count == length)
  }
}

/// A disk with a ledger of one transaction and a torn tail.
private struct TornBench {
  let disk: TestDisk
  /// Where the tail starts.
  let end: Int
  /// Its bytes.
  let tail: [UInt8]

  init() throws {
    let chores = try Chores()
    let whole = try chores.made().disk
    disk = try chores.made(withTail: true).disk.processKilled()
    end = whole.endOfActiveFile
    let bytes = disk.files[disk.activeFile] ?? []
    tail = Array(bytes[end...((bytes.lastIndex { $0 != 0 }) ?? end)])
  }
}
