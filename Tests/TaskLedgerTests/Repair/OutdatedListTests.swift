import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// CURRENT and its manifest were put back to older ones, and what is newer lies beside them.
@Suite struct `A list of files that is out of date` {
  private let configuration = LedgerConfiguration.forTests(sealEvents: 3)

  /// A ledger, and its CURRENT and manifest as they were after each event.
  private struct History {
    var disk: TestDisk
    var lists: [[String: [UInt8]]] = []
    var events: [Event]
    var digest: String

    /// The disk with an older list put back.
    func disk(back list: [String: [UInt8]], hasWord: Bool) throws -> TestDisk {
      let left = disk.processKilled()
      for (file, bytes) in list { try left.overwrite(file, with: bytes) }
      if !hasWord { try left.forgetDurableEnd() }
      return left
    }
  }

  /// - Parameter seals: whether segments are sealed; otherwise all that a list ever named is still there.
  private func history(seals: Bool) throws -> History {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    if !seals {
      disk.faults.onCall { call in
        if call.kind == .create && call.name.hasSuffix(".sealed") {
          throw LedgerError(.io, "no room for a sealed segment")
        }
      }
    }
    var lists: [[String: [UInt8]]] = []
    for number in 1...11 {
      try ledger.upsert(TaskItem(id: TaskID("task \(number)"), body: "Number \(number)"))
      lists.append(disk.listOfFiles)
    }
    disk.faults.onCall(nil)
    return History(
      disk: disk, lists: lists, events: try LedgerCheck.allEvents(of: ledger),
      digest: try ledger.replay().digest)
  }

  @Test(arguments: [true, false], [true, false])
  func `is damage, loses no file to whoever tidies up, and repair takes the newer one`(
    seals: Bool, hasWord: Bool
  ) throws {
    let history = try history(seals: seals)
    var outdated = 0
    for (place, list) in history.lists.enumerated() {
      let context: Comment = "after event \(place + 1)"
      let disk = try history.disk(back: list, hasWord: hasWord)
      guard disk.files["CURRENT"] != history.disk.files["CURRENT"] else { continue }
      outdated += 1
      let found = try disk.verify()
      #expect(!found.isSound, context)
      #expect(found.intact == SequenceRanges(1...11), context)
      #expect(found.files.first { $0.fault != nil }?.name == "CURRENT", context)
      #expect(throws: LedgerError.self, context) { try disk.open() }
      let before = disk.files
      _ = try? Sealer(disk.faults, options: StoreOptions(), pool: ZstdPool()).removeUnneededFiles()
      if !hasWord {
        _ = try? disk.open(configuration: configuration).compact()
        _ = try? Sealer(disk.faults, options: StoreOptions(), pool: ZstdPool()).sealAll()
      }
      let after = Set(disk.files.values)
      for (file, bytes) in before where file.hasPrefix("segments/") || file.hasPrefix("MANIFEST") {
        #expect(after.contains(bytes) || list[file] != nil, "\(file), after event \(place + 1)")
      }
      let repair = try disk.repair(configuration: configuration)
      #expect(repair.lost.isEmpty && repair.uncertainAfter == nil, context)
      let ledger = try disk.open(configuration: configuration)
      #expect(try LedgerCheck.allEvents(of: ledger) == history.events, context)
      #expect(try ledger.replay().digest == history.digest, context)
      #expect(try disk.verify().isSound, context)
      try ledger.toggle("task 1")
      #expect(try ledger.lastSequence == 12, context)
    }
    #expect(outdated > 2)
  }

  @Test func `whose newer files are gone has lost what LOCK tells of`() throws {
    let history = try history(seals: false)
    let disk = try history.disk(back: history.lists[0], hasWord: true)
    let current = try CurrentFile(disk.files["CURRENT"] ?? [])
    let manifest = try Manifest(
      disk.files["MANIFEST-0000000\(current.manifestNumber)"] ?? [])
    for file in disk.files.keys where file.hasSuffix(".active") {
      if !file.hasSuffix(manifest.active.file) { try disk.remove(file) }
    }
    for file in disk.files.keys where file.hasPrefix("MANIFEST") && history.lists[0][file] == nil {
      try disk.remove(file)
    }
    #expect(throws: LedgerError.self) { try disk.open().tasks() }
    let found = try disk.verify()
    #expect(found.intact == SequenceRanges(1...3) && found.lost == SequenceRanges(4...11))
    let replica = manifest.replica.description
    let repair = try disk.repair(configuration: configuration)
    #expect(repair.lost == SequenceRanges(4...11) && repair.uncertainAfter == 11)
    #expect(try disk.verify().isSound)
    let ledger = try disk.open(configuration: configuration)
    #expect(try ledger.statistics().replica != replica)
    try ledger.toggle("task 1")
    #expect(try ledger.lastSequence == 12)
    #expect(try disk.processKilled().repair(configuration: configuration).steps.isEmpty)
  }

  @Test func `that was appended to is found before anything is removed`() throws {
    let history = try history(seals: false)
    for more in 1...12 {
      let disk = try history.disk(back: history.lists[0], hasWord: false)
      // What was acknowledged then lies beside what was acknowledged before.
      for number in 1...more {
        let ledger = try? disk.open(configuration: configuration)
        _ = try? ledger?.upsert(TaskItem(id: TaskID("other \(number)"), body: "Another"))
      }
      let kept = Set(disk.files.values)
      for (file, bytes) in history.disk.files where file.hasPrefix("segments/") {
        // The first segment is the list's own, which goes on.
        #expect(
          kept.contains(bytes) || file.contains("0000000000000001-"), "\(file), \(more) more")
      }
    }
  }

  @Test func `is none where LOCK is another ledger's, or was left when a backup was restored`()
    throws
  {
    let history = try history(seals: true)
    let other = TestDisk()
    let ledger = try other.create(configuration: configuration)
    try ledger.upsert(TaskItem(id: "one", body: "One"))
    let backup = TestDisk()
    try ledger.backup(to: backup.faults)
    try other.overwrite("LOCK", with: history.disk.files["LOCK"] ?? [])
    #expect(try other.open().lastSequence == 1)
    #expect(try other.verify().isSound)
    for number in 2...9 { try ledger.upsert(TaskItem(id: TaskID("n \(number)"), body: "More")) }
    let target = TestDisk()
    try target.overwrite("LOCK", with: other.files["LOCK"] ?? [])
    _ = try Ledger.restore(from: backup.faults, to: target.faults, configuration: configuration)
    for left in [target, target.powerCut()] {
      #expect(try left.open().lastSequence == 1)
      #expect(try left.verify().isSound)
    }
  }

  @Test func `is not what an interrupted step leaves, whose leftovers go, and which is written to`()
    throws
  {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try ledger.upsert(TaskItem(id: "first", body: "First"))
    let all = try disk.disks(
      beforeCallsOf: {
        for number in 1...5 {
          try ledger.upsert(TaskItem(id: TaskID("task \(number)"), body: "Number \(number)"))
        }
        _ = try ledger.snapshot()
        _ = try ledger.compact()
        _ = try ledger.compact(.fold(before: .sequence(4)))
      })
    let events = try LedgerCheck.allEvents(of: ledger)
    for (call, left) in all {
      #expect(try left.verify().isSound, "before \(call)")
      let sealer = Sealer(left.faults, options: StoreOptions(), pool: ZstdPool())
      #expect(throws: Never.self, "before \(call)") { try sealer.removeUnneededFiles() }
      let words: Set = ["unneeded", "unlisted"]
      let names = try left.verify().files.filter { words.contains($0.status.word) }.map(\.name)
      #expect(!names.contains { $0.hasPrefix("MANIFEST") || $0.hasSuffix(".sealed") })
      let last = try LedgerCheck.allEvents(of: left.open()).last
      #expect(last.map { events.contains($0) || $0.sequence <= 4 } ?? true)
      let next = try left.open(configuration: configuration)
      for _ in 1...4 { try next.toggle("first") }
      _ = try next.compact()
      #expect(try left.verify().isSound, "before \(call)")
    }
  }

  @Test func `is none where a reader keeps the files of long ago`() throws {
    var configuration = configuration
    configuration.snapshotEvents = 4
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try ledger.upsert(TaskItem(id: "first", body: "First"))
    var held: [HeldManifest] = []
    for number in 1...20 {
      held.append(try HeldManifest.load(from: disk.faults))
      try disk.open(configuration: configuration).toggle("first")
      if number % 8 == 0 { _ = try disk.open(configuration: configuration).compact() }
      if number == 17 {
        _ = try disk.open(configuration: configuration).compact(.fold(before: .sequence(14)))
      }
    }
    #expect(held.count == 20)
    #expect(try disk.verify().isSound)
  }

  @Test func `is not what a failed sync leaves, whenever the process dies`() throws {
    for n in 1...40 {
      let disk = TestDisk()
      let ledger = try disk.create(configuration: .forTests(sealEvents: 100))
      try ledger.upsert(TaskItem(id: "first", body: "First"))
      disk.failNextSync()
      let left = Guarded<TestDisk?>(nil)
      let calls = Guarded(0)
      disk.faults.onCall { call in
        guard CallKind.mutating.contains(call.kind) else { return }
        calls.withLock { $0 += 1 }
        if calls.withLock({ $0 }) == n { left.withLock { $0 = disk.processKilled() } }
      }
      #expect(throws: LedgerError.self) {
        try ledger.upsert(TaskItem(id: "second", body: "Not told to have succeeded"))
      }
      disk.faults.onCall(nil)
      guard let killed = left.withLock({ $0 }) else { break }
      #expect(try killed.verify().isSound, "call \(n)")
      let sealer = Sealer(killed.faults, options: StoreOptions(), pool: ZstdPool())
      #expect(throws: Never.self, "call \(n)") { try sealer.removeUnneededFiles() }
      let next = try killed.open(configuration: .forTests(sealEvents: 100))
      try next.upsert(TaskItem(id: "third", body: "Third"))
      #expect(try next.task("first") != nil && next.task("third") != nil)
      try next.sealNow()
      #expect(try killed.verify().isSound, "call \(n)")
    }
  }

  @Test(arguments: [true, false])
  func `is not what is wrong where the active segment is gone that an abandoned one made way for`(
    hasWord: Bool
  ) throws {
    let disk = TestDisk()
    let configuration = LedgerConfiguration.forTests(sealEvents: 100)
    let ledger = try disk.create(configuration: configuration)
    try ledger.upsert(TaskItem(id: "first", body: "First"))
    try ledger.sealNow()
    // The first sync is that of the room for it. The frame stays, and is none of the ledger's.
    disk.faults.arm(FaultPlan(fail: 2, of: [.sync], effect: .nothing))
    #expect(throws: LedgerError.self) { try ledger.upsert(TaskItem(id: "second")) }
    disk.faults.disarm()
    let next = try disk.open(configuration: configuration)
    let name = try #require(try next.statistics().segments.last).file
    #expect(disk.files.keys.filter { $0.hasSuffix(".active") }.count == 2)
    for id in ["third", "fourth"] { try next.upsert(TaskItem(id: TaskID(id))) }
    try disk.remove(name)
    if !hasWord { try disk.forgetDurableEnd() }
    let found = try disk.verify()
    #expect(found.files.filter { $0.fault != nil }.map(\.name) == [name])
  }
}
