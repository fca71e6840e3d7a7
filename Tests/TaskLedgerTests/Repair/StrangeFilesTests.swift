import LedgerTestSupport
import TaskLedger
import Testing

/// Files in a ledger's folder that are not its leftovers: nobody removes them.
@Suite struct `What lies in the folder and is no leftover` {
  private let configuration = LedgerConfiguration.forTests(sealEvents: 3)

  private func disk(_ count: Int, _ name: String) throws -> TestDisk {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    for number in 1...count { try ledger.upsert(TaskItem(body: "\(name) \(number)")) }
    return disk
  }

  /// Everything that removes files: sealing, a merge, a fold, a repair.
  private func tidyUp(_ disk: TestDisk) throws {
    let ledger = try disk.open(configuration: configuration)
    for number in 1...8 { try ledger.upsert(TaskItem(body: "more \(number)")) }
    try ledger.compact()
    try ledger.compact(.fold(before: .sequence(5)))
    _ = try ledger.maintain()
    try disk.repair(configuration: configuration)
  }

  private func status(of name: String, in disk: TestDisk) throws -> Verification.Status? {
    try disk.verify().files.first { $0.name == name }?.status
  }

  @Test func `is kept where it is another ledger's, and said to be that`() throws {
    let (first, second) = (try disk(11, "first"), try disk(7, "second"))
    // `cp -r second/. first/`: from now on the folder is the second ledger.
    for (file, bytes) in second.files { try first.overwrite(file, with: bytes) }
    let strangers = first.files.filter { file, _ in
      second.files[file] == nil && file.hasPrefix("segments/")
    }
    #expect(strangers.count > 3)
    try tidyUp(first)
    for (file, bytes) in strangers {
      #expect(first.files[file] == bytes, "\(file)")
      guard case .otherLedger = try status(of: file, in: first) else {
        Issue.record("\(file) is not said to be another ledger's")
        continue
      }
    }
    #expect(try !first.verify().isSound)
  }

  @Test func `is kept where it is damaged and reaches past the list, and said to be that`() throws {
    let newer = try disk(1, "one")
    let older = newer.processKilled()
    let ledger = try newer.open(configuration: configuration)
    for number in 1...10 { try ledger.upsert(TaskItem(body: "another \(number)")) }
    let sealed = try #require(newer.files.keys.filter { $0.hasSuffix(".sealed") }.max())
    var bytes = try #require(newer.files[sealed])
    for place in 60..<bytes.count { bytes[place] ^= 0xff }
    try older.overwrite(sealed, with: bytes)
    let name = "segments/notes.sealed"
    try older.overwrite(name, with: Array("not one of yours".utf8))
    let found = try older.verify()
    #expect(!found.isSound)
    guard case .damaged = try status(of: sealed, in: older) else {
      return #expect(Bool(false), "the damaged segment is not said to be one")
    }
    try tidyUp(older)
    #expect(older.files[name] != nil)
  }
}
