import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// What of a folder is another ledger's, and what only looks like that.
@Suite struct `Files of another ledger, and damaged ids` {
  private let configuration = LedgerConfiguration.forTests(sealEvents: 3)

  private func made(_ count: Int) throws -> TestDisk {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    for number in 1...count { try ledger.upsert(TaskItem(body: "Number \(number)")) }
    return disk
  }

  @Test func `where only the list is another's no repair gives up what that names`() throws {
    let disk = try made(5)
    let other = try made(8)
    for (file, bytes) in other.listOfFiles { try disk.overwrite(file, with: bytes) }
    #expect(try !disk.verify().isSound)
    let before = disk.files
    let error = #expect(throws: LedgerError.self) {
      try disk.repair(configuration: configuration)
    }
    #expect(error?.code == .damaged)
    #expect(error?.hint?.contains("move the files of another ledger out of the folder") == true)
    let isUnchanged = disk.files == before
    #expect(isUnchanged)
  }

  @Test func `a damaged file says nothing of whose it is`() throws {
    let disk = try made(5)
    for kind in ["MANIFEST-00000001", "segments/0000000000000002-1111111111111111.active"] {
      let left = disk.processKilled()
      let source = kind.hasPrefix("M") ? "MANIFEST-" : "segments/"
      var bytes = try #require(left.files.first { $0.key.hasPrefix(source) }).value
      for place in 20..<32 { bytes[place] = 0 }
      try left.overwrite(kind, with: bytes)
      let found = try left.verify()
      #expect(found.isSound, "\(kind)")
      #expect(!found.files.contains { $0.status.word == "otherLedger" }, "\(kind)")
      #expect(try left.repair(configuration: configuration).steps.isEmpty, "\(kind)")
    }
  }
}
