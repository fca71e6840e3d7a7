import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// What a repair cannot use it does not destroy either.
@Suite struct `A repair keeps` {
  private let configuration = LedgerConfiguration.forTests(sealEvents: 4)

  private func made(_ count: Int) throws -> (disk: TestDisk, ledger: Ledger) {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    for number in 1...count {
      try ledger.upsert(TaskItem(id: TaskID("task \(number)"), body: "Number \(number)"))
    }
    return (disk, ledger)
  }

  @Test func `the files of a newer list when an older one was put back over it`() throws {
    let (disk, ledger) = try made(3)
    let old = disk.listOfFiles
    for number in 4...9 { try ledger.upsert(TaskItem(id: TaskID("task \(number)"), body: "More")) }
    let left = disk.processKilled()
    for (file, bytes) in old { try left.overwrite(file, with: bytes) }
    let before = left.files
    #expect(try !left.verify().isSound)
    try left.repair(configuration: configuration)
    let kept = Set(left.files.values)
    for (file, bytes) in before where file.hasPrefix("segments/") {
      #expect(kept.contains(bytes) || old[file] != nil, "\(file)")
    }
    #expect(try left.open().lastSequence == 9)
  }

  @Test func `what nothing names, and puts it on record, wherever it is interrupted`() throws {
    let (disk, ledger) = try made(3)
    let left = disk.processKilled()
    #expect(try ledger.lastSequence == 3)
    // A segment that came to nothing.
    try left.overwrite("segments/0000000000000001-1111111111111111.active", with: [])
    try left.overwrite("CURRENT", with: [])
    let start = left.processKilled()
    let all = try start.disks(
      beforeCallsOf: { _ = try start.repair(configuration: configuration) }, tearings: 0)
    for (call, interrupted) in all {
      let context: Comment = "before \(call)"
      try interrupted.repair(configuration: configuration)
      let records = try interrupted.open(configuration: configuration).statistics().maintenance
      let named = records.flatMap { $0.details.filter { $0.name == "aside" }.map(\.value) }
      let kept = interrupted.files.keys.filter { $0.hasPrefix("aside/") }
      #expect(Set(kept).isSubset(of: named), context)
      #expect(kept.contains { $0.contains("1111111111111111") }, context)
      #expect(try interrupted.verify().isSound, context)
    }
  }

  @Test func `a sealed segment that has another name`() throws {
    let (disk, _) = try made(9)
    let left = disk.processKilled()
    let file = try #require(left.files.keys.first { $0.hasSuffix(".sealed") })
    let bytes = try #require(left.files[file])
    try left.remove(file)
    try left.overwrite(String(file.dropLast(23)) + "1111111111111111.sealed", with: bytes)
    try left.repair(configuration: configuration)
    #expect(left.files.values.contains(bytes))
  }

  @Test func `every event of a sealed segment with bytes behind its end`() throws {
    let (disk, ledger) = try made(9)
    let digest = try ledger.replay().digest
    let left = disk.processKilled()
    let file = try #require(left.files.keys.first { $0.hasSuffix(".sealed") })
    try left.overwrite(file, with: (left.files[file] ?? []) + [1, 2, 3])
    #expect(try !left.verify().isSound)
    let repair = try left.repair(configuration: configuration)
    #expect(repair.lost.isEmpty)
    #expect(try left.open().replay().digest == digest)
    #expect(try left.verify().isSound)
  }
}
