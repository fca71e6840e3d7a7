import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// A verification that goes on where the last one stopped.
@Suite struct `A verification that is resumed` {
  private let bench: RepairBench
  private let disk: TestDisk

  init() throws {
    bench = try RepairBench.made(bodyBytes: 50)
    disk = bench.disk.processKilled()
  }

  private func resume(events: UInt64 = .max, at time: String = "2026-12-01T00:00:00Z") throws
    -> Verification
  {
    try Ledger.verify(
      disk.faults,
      resuming: Verifier.Resuming(now: try LedgerTime(time), eventsMax: events))
  }

  @Test func `reads each segment once, and comes to the same end`() throws {
    var stops: [UInt64] = []
    while true {
      let found = try resume(events: 6, at: "2026-12-0\(stops.count + 1)T00:00:00Z")
      #expect(found.isSound)
      #expect(found.earlier?.through == stops.last)
      // The run began with its first share.
      if !stops.isEmpty { #expect(found.earlier?.time.description == "2026-12-01T00:00:00.000Z") }
      guard let stop = found.stoppedAfter else {
        let whole = try disk.verify()
        #expect(found.digest == whole.digest && found.logDigest == whole.logDigest)
        #expect(found.intact == whole.intact && found.tasks == whole.tasks)
        break
      }
      #expect(found.digest == nil && found.events == 6)
      stops.append(stop)
    }
    #expect(stops == [6, 12, 18, 24])
    // It came to its end: the next one begins anew, and says so.
    let next = try resume(events: 6)
    #expect(next.restarted?.contains("came to its end") == true && next.earlier == nil)
  }

  @Test func `goes on after it was interrupted`() throws {
    var n = 30
    var met: [UInt64] = []
    while n < 400 {
      disk.faults.arm(FaultPlan(fail: n, of: [.read]))
      // A file that cannot be read is no end of the run, but of what is kept.
      _ = try? resume()
      disk.faults.disarm()
      met.append(try resume(events: 1).earlier?.through ?? 0)
      n += 60
    }
    #expect(met.contains { $0 > 0 })
    #expect(try resume().isSound)
  }

  @Test func `does not pass over damage`() throws {
    _ = try resume(events: 6)
    var bytes = bench.files[bench.file(.middleSealed)] ?? []
    bytes[40] ^= 1
    try disk.overwrite(bench.file(.middleSealed), with: bytes)
    for _ in 0..<3 {
      let found = try resume()
      #expect(!found.isSound && found.earlier?.through == 6)
    }
  }

  @Test func `begins anew where the files are others`() throws {
    _ = try resume(events: 12)
    let ledger = try disk.open(configuration: bench.configuration)
    try ledger.compact()
    let found = try resume()
    #expect(found.earlier == nil)
    #expect(found.restarted?.contains("are not those that were verified") == true)
    #expect(found.isSound && found.digest != nil)
  }

  @Test func `begins anew where its position cannot be read`() throws {
    _ = try resume(events: 12)
    let name = "checkpoints/verify.position"
    let honest = try #require(disk.files[name])
    for place in honest.indices {
      var bytes = honest
      bytes[place] ^= 1
      try disk.overwrite(name, with: bytes)
      let found = try resume(events: 1)
      #expect(found.restarted != nil && found.earlier == nil && found.isSound, "byte \(place)")
    }
    // Of another ledger with the same events, the digest is another.
    let other = try RepairBench.made(bodyBytes: 50, isOther: true).disk.processKilled()
    _ = try Ledger.verify(
      other.faults, resuming: Verifier.Resuming(now: try LedgerTime("2026-12-01"), eventsMax: 12))
    try disk.overwrite(name, with: other.files[name] ?? [])
    #expect(try resume().earlier == nil)
  }

  @Test func `writes nothing unless it is asked to`() throws {
    let before = disk.files
    _ = try disk.verify()
    #expect(disk.files == before)
  }
}
