import LedgerCore
import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// A snapshot that does not fit is left out and told of: never fatal, never believed.
@Suite struct `A snapshot that does not fit` {
  private let bench: SnapshotBench
  private let file: String
  private let bytes: [UInt8]
  private let answers: [String]

  init() throws {
    bench = try SnapshotBench()
    file = try #require(SnapshotBench.snapshots(bench.disk).first)
    bytes = try #require(bench.disk.files[file])
    answers = try bench.plainAnswers()
  }

  /// A disk on which the snapshot has other bytes.
  private func disk(_ bytes: [UInt8]) throws -> TestDisk {
    let disk = bench.disk.processKilled()
    try disk.overwrite(file, with: bytes)
    return disk
  }

  private func list(_ ledger: Ledger) throws -> [TaskItem] {
    try ledger.tasks(TaskListOptions(includesDeleted: true))
  }

  @Test func `in any byte changes no answer, and is told of`() throws {
    let expected = try list(try bench.open())
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1 << UInt8(place % 8)
      let ledger = try bench.open(try disk(damaged))
      #expect(try list(ledger) == expected, "byte \(place)")
      #expect(try ledger.task("milk")?.body == "Get oat milk", "byte \(place)")
      let notices = ledger.takeNotices()
      #expect(notices.count == 1, "byte \(place): \(notices)")
      #expect(notices.first?.hasPrefix("a snapshot is left out: ") == true, "byte \(place)")
      #expect(ledger.takeNotices() == [], "byte \(place)")
    }
  }

  @Test func `at any length changes no answer, and is told of`() throws {
    let expected = try list(try bench.open())
    for length in bytes.indices {
      let ledger = try bench.open(try disk(Array(bytes[..<length])))
      #expect(try list(ledger) == expected, "\(length) bytes")
      #expect(ledger.takeNotices().count == 1, "\(length) bytes")
    }
    let longer = try bench.open(try disk(bytes + [0]))
    #expect(try list(longer) == expected && longer.takeNotices().count == 1)
  }

  @Test func `is found by a verification, which calls the ledger sound`() throws {
    for place in stride(from: 0, to: bytes.count, by: 7) {
      var damaged = bytes
      damaged[place] ^= 0x10
      let found = try Ledger.verify(try disk(damaged).faults)
      #expect(found.isSound && found.digest != nil, "byte \(place)")
      #expect(found.files.compactMap(\.leftOut).count == 1, "byte \(place)")
    }
  }

  @Test func `answers every question as if it were not there`() throws {
    var damaged = bytes
    damaged[FileHeader.byteCount + 3] ^= 1
    let ledger = try bench.open(try disk(damaged))
    #expect(try SnapshotBench.answers(ledger) == answers)
  }

  /// A snapshot made of the bench's events, with checksums that fit and named by the manifest, but for one lie.
  private func forged(_ lie: (inout Forgery) -> Void) throws -> TestDisk {
    var forgery = try Forgery(bench.disk, file)
    lie(&forgery)
    return try forgery.disk(file)
  }

  @Test func `because other rules folded it is left out`() throws {
    let disk = try forged { $0.mark.rules = 2 }
    let ledger = try bench.open(disk)
    #expect(try SnapshotBench.answers(ledger) == answers)
    let notice = try #require(ledger.takeNotices().first)
    #expect(
      notice.contains("the snapshot was folded by version 2 of the rules, this is version 1"))
    #expect(try Ledger.verify(disk.faults).files.compactMap(\.leftOut).count == 1)
    #expect(try ledger.statistics().snapshots.first?.problem?.code == .unsupported)
  }

  @Test func `because it is another ledger's is left out`() throws {
    let disk = try forged { $0.ledger = ReplicaID(high: 5, low: 5) }
    let ledger = try bench.open(disk)
    #expect(try SnapshotBench.answers(ledger) == answers)
    #expect(ledger.takeNotices().first?.contains("belongs to another ledger") == true)
  }

  @Test func `because its log is another is left out`() throws {
    let disk = try forged { $0.logDigest = .zero }
    let ledger = try bench.open(disk)
    #expect(try SnapshotBench.answers(ledger) == answers)
    #expect(ledger.takeNotices().first?.contains("was made of another log") == true)
  }

  @Test func `because it lies beyond the end is left out`() throws {
    let disk = try forged { $0.horizon = 1000 }
    let ledger = try bench.open(disk)
    #expect(try SnapshotBench.answers(ledger) == answers)
    #expect(ledger.takeNotices().first?.contains("the log ends with event 14") == true)
    #expect(try Ledger.verify(disk.faults).files.compactMap(\.leftOut).count == 1)
  }

  @Test func `but has all checksums right is found by replay and by a verification`() throws {
    let disk = try forged { forgery in
      forgery.change = { event in
        if event.task == "milk" { (event.kind, event.changes) = (.evict, []) }
      }
    }
    let replay = try bench.open(disk).replay(comparesSnapshot: true)
    #expect(replay.comparison?.agrees == false)
    let found = try Ledger.verify(disk.faults)
    #expect(found.isSound)
    #expect(found.files.compactMap(\.leftOut).first?.contains("does not fit") == true)
  }

  @Test func `of one stamp alone is found by a verification`() throws {
    let disk = try forged { forgery in
      forgery.change = { $0.stamp.count += 1 }
      forgery.keepsMark = true
    }
    #expect(try bench.open(disk).replay(comparesSnapshot: true).comparison?.agrees == true)
    let found = try Ledger.verify(disk.faults)
    #expect(found.files.compactMap(\.leftOut).count == 1)
  }
}

/// A snapshot that was taken apart, to be put together again with one lie.
private struct Forgery {
  var ledger: ReplicaID
  var horizon: UInt64
  var mark: StateMark
  var logDigest: Digest
  var change: (inout Event) -> Void = { _ in }
  /// Whether the state digest stays what it was.
  var keepsMark = false
  private let base: TestDisk
  private let run: SealedRun

  init(_ disk: TestDisk, _ file: String) throws {
    base = disk
    run = try SealedRun(
      MemorySource(try #require(disk.files[file])), zstd: try Zstd(), kind: .snapshot)
    ledger = run.footer.ledger
    horizon = run.footer.lastSequence
    mark = try #require(run.footer.state)
    logDigest = run.footer.digestAfter
  }

  private func written(_ mark: StateMark) throws -> (bytes: [UInt8], checksum: UInt64) {
    var writer = RunWriter(
      ledger: ledger, digestBefore: .zero, common: CommonValues(), zstd: try Zstd(),
      span: StateSpan(
        horizon: horizon, oldest: run.footer.oldest, newest: run.footer.newest))
    var task: TaskID?
    try run.forEachEvent(zstd: try Zstd()) { (event) throws(LedgerError) in
      if event.task != task { try writer.startTask(event.task) }
      task = event.task
      var event = event
      change(&event)
      try writer.add(event)
    }
    let footer = try writer.finish(digestAfter: logDigest, ascends: run.footer.ascends, mark: mark)
    return (writer.drain(), footer.checksum)
  }

  /// A disk on which the manifest names the forged snapshot.
  func disk(_ file: String) throws -> TestDisk {
    var mark = mark
    if !keepsMark, horizon == run.footer.lastSequence {
      let first = try SealedRun(
        MemorySource(try written(mark).bytes), zstd: try Zstd(), kind: .snapshot)
      let state = try RunMerge.fold([], onto: first)
      mark.digest = state.digest()
      mark.tasks = UInt64(state.count)
    }
    let (bytes, checksum) = try written(mark)
    let disk = base.processKilled()
    try disk.remove(file)
    let name = LedgerNames.snapshot(last: horizon, unique: 9)
    try disk.overwrite(LedgerNames.inSnapshots(name), with: bytes)
    var manifest = try HeldManifest.load(from: disk.memory).manifest
    manifest.number += 1
    let place = try #require(
      manifest.records.firstIndex { $0.kind == SnapshotEntry.recordKind })
    manifest.records[place].details = [.init(name, hex(checksum))]
    let encoded = manifest.encoded
    try disk.overwrite(LedgerNames.manifest(manifest.number), with: encoded)
    try disk.overwrite(
      LedgerNames.current,
      with: CurrentFile(
        ledger: manifest.ledger, manifestNumber: manifest.number, manifestBytes: encoded
      ).encoded)
    return disk
  }
}
