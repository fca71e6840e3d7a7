import LedgerFormat
import LedgerTestSupport
import Testing

@testable import LedgerStorage
@testable import TaskLedger

/// What a snapshot is written from, read on a thread of its own.
@Suite struct `What counts of the events` {
  private let runs: [SealedRun]
  private let last: UInt64

  init() throws {
    let ledger = try SnapshotBench().open()
    runs = try ledger.currentView().runs()
    last = try ledger.lastSequence
  }

  @Test func `is the same read aside as read between`() throws {
    #expect(try read(aside: true) == read(aside: false))
    #expect(try read(aside: true).count > 3)
  }

  private func read(aside: Bool) throws -> [String] {
    var found: [String] = []
    try BaselinePortion.forEach(of: runs, onto: nil, through: last, aside: aside) { portion in
      for task in portion.tasks { found.append("\(task.id) \(task.events)") }
      #expect(portion.seenCount <= last)
    }
    return found
  }

  @Test(arguments: [false, true])
  func `is read no further when it cannot be written`(aside: Bool) throws {
    struct Full: Error {}
    #expect(throws: Full.self) {
      try BaselinePortion.forEach(of: runs, onto: nil, through: last, aside: aside) { _ in
        throw Full()
      }
    }
  }

  @Test(arguments: [false, true])
  func `is not read from what is damaged`(aside: Bool) throws {
    let bench = try SnapshotBench()
    let ledger = try bench.open()
    let view = try ledger.currentView()
    let sealed = try #require(bench.disk.files.keys.filter { $0.hasSuffix(".sealed") }.min())
    let runs = try view.runs()
    var bytes = try #require(bench.disk.files[sealed])
    // In the first block, which lies behind the header.
    bytes[70] ^= 1
    try bench.disk.overwrite(sealed, with: bytes)
    let error = #expect(throws: LedgerError.self) {
      try BaselinePortion.forEach(of: runs, onto: nil, through: last, aside: aside) { _ in }
    }
    #expect(error?.code == .damaged)
  }
}
