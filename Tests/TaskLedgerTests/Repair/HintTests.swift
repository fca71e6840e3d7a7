import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// What is only kept to spare work, or to tell of more, can be damaged like anything else: verify says so, and the ledger is sound.
@Suite struct `A hint that is damaged` {
  private let configuration = LedgerConfiguration.forTests(sealEvents: 3)
  private let disk = TestDisk()

  init() throws {
    let ledger = try disk.create(configuration: configuration)
    for number in 1...7 { try ledger.upsert(TaskItem(id: TaskID("task \(number)"), body: "x")) }
    _ = try ledger.maintain()
    _ = try Ledger.verify(
      disk.faults, resuming: Verifier.Resuming(now: try LedgerTime("2026-12-01"), eventsMax: 3))
  }

  /// The files that are left out, in a ledger that is sound otherwise.
  private func leftOut(_ disk: TestDisk) throws -> [String] {
    let found = try disk.verify()
    #expect(found.isSound && found.digest != nil)
    return found.files.filter { $0.status.word == "left out" }.map(\.name)
  }

  @Test(arguments: ["checkpoints/checked", "checkpoints/verify.position"])
  func `in a file is named, whatever bit is wrong`(_ file: String) throws {
    #expect(try leftOut(disk).isEmpty)
    let honest = try #require(disk.files[file])
    for place in honest.indices {
      let left = disk.processKilled()
      var bytes = honest
      bytes[place] ^= 1 << (place % 8)
      try left.overwrite(file, with: bytes)
      #expect(try leftOut(left) == [file], "byte \(place)")
    }
    let cut = disk.processKilled()
    try cut.overwrite(file, with: Array(honest.dropLast()))
    #expect(try leftOut(cut) == [file])
  }

  @Test func `in what LOCK says of the end is named, until the next change writes it anew`() throws
  {
    let honest = try #require(disk.files["LOCK"])
    #expect(honest.count == 48)
    for place in 16..<48 {
      let left = disk.processKilled()
      var bytes = honest
      bytes[place] ^= 1 << (place % 8)
      try left.overwrite("LOCK", with: bytes)
      #expect(try leftOut(left) == ["LOCK"], "byte \(place)")
      #expect(try left.repair(configuration: configuration).steps.isEmpty)
      try left.open(configuration: configuration).toggle("task 1")
      #expect(try leftOut(left).isEmpty, "byte \(place)")
    }
    // One that says nothing, or is not there, is as good as any.
    let silent = disk.processKilled()
    try silent.forgetDurableEnd()
    #expect(try leftOut(silent).isEmpty)
  }

  @Test func `or another ledger's, is named`() throws {
    let other = TestDisk()
    try other.create(configuration: configuration).upsert(TaskItem(id: "one", body: "One"))
    for (file, bytes) in disk.files where file == "LOCK" || file.hasPrefix("checkpoints/") {
      if file != "LOCK" { try other.memory.ensureFolder("checkpoints") }
      try other.overwrite(file, with: bytes)
    }
    #expect(
      Set(try leftOut(other)) == ["LOCK", "checkpoints/checked", "checkpoints/verify.position"])
  }
}
