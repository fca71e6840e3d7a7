import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// Where consumers stand, and what becomes of it.
@Suite struct `A checkpoint` {
  private static let configuration = LedgerConfiguration.forTests(sealEvents: 5)

  private func made(_ events: Int) throws -> (disk: TestDisk, ledger: Ledger) {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: Self.configuration)
    for number in 0..<events { try ledger.upsert(TaskItem(id: TaskID("task \(number)"))) }
    return (disk, ledger)
  }

  @Test func `is where it was after a restart, for each name by itself`() async throws {
    let (disk, ledger) = try made(12)
    let mailer = try ledger.checkpoint("mailer")
    #expect(mailer.sequence == 0)
    var seen: [UInt64] = []
    for try await event in ledger.events(after: mailer) {
      seen.append(event.sequence)
      try mailer.advance(to: event)
      if event.sequence == 7 { break }
    }
    #expect(seen == Array(1...7))
    try ledger.checkpoint("index-2").advance(to: 12)
    for left in [disk, disk.processKilled(), disk.powerCut()] {
      let next = try left.open(configuration: Self.configuration)
      #expect(try next.checkpointNames() == ["index-2", "mailer"])
      let mailer = try next.checkpoint("mailer")
      #expect(mailer.sequence == 7)
      var events = next.events(after: mailer).makeAsyncIterator()
      #expect(try await events.next()?.sequence == 8)
      #expect(try next.checkpoint("index-2").sequence == 12)
    }
    #expect(try ledger.removeCheckpoint("mailer"))
    #expect(try !ledger.removeCheckpoint("mailer"))
    #expect(try ledger.checkpoint("mailer").sequence == 0)
  }

  @Test func `stays through sealing, merging and folding behind it`() throws {
    let (_, ledger) = try made(13)
    try ledger.checkpoint("mailer").advance(to: 9)
    try ledger.sealNow()
    try ledger.compact(.merge)
    #expect(try ledger.checkpoint("mailer").sequence == 9)
    try ledger.compact(.fold(before: .sequence(9)))
    let mailer = try ledger.checkpoint("mailer")
    #expect(mailer.sequence == 9)
    try mailer.advance(to: 13)
    #expect(try ledger.checkpoint("mailer").sequence == 13)
  }

  @Test func `that was folded over is told so, and can go on after the horizon`() async throws {
    let (_, ledger) = try made(13)
    try ledger.checkpoint("mailer").advance(to: 3)
    try ledger.sealNow()
    try ledger.compact(.fold(before: .sequence(13)))
    let horizon = try ledger.foldedThrough
    let mailer = try ledger.checkpoint("mailer")
    var events = ledger.events(after: mailer).makeAsyncIterator()
    let error = await #expect(throws: LedgerError.self) { _ = try await events.next() }
    #expect(error?.sentence.contains("up to event \(horizon) was folded") == true)
    #expect(throws: LedgerError.self) { try mailer.advance(to: 4) }
    try mailer.advance(to: horizon)
    #expect(try ledger.checkpoint("mailer").sequence == horizon)
  }

  @Test func `does not go back, nor beyond the end, nor under another name`() throws {
    let (_, ledger) = try made(3)
    let mailer = try ledger.checkpoint("mailer")
    try mailer.advance(to: 2)
    try mailer.advance(to: 2)
    for (sequence, code) in [(1, .invalid), (4, .beyondEnd)] as [(UInt64, LedgerError.Code)] {
      let error = #expect(throws: LedgerError.self) { try mailer.advance(to: sequence) }
      #expect(error?.code == code)
    }
    #expect(mailer.sequence == 2)
    let long = String(repeating: "a", count: 65)
    for name in ["", ".hidden", "-x", "Mailer", "a/b", "..", "é", "a b", long, "a\0"] {
      let error = #expect(throws: LedgerError.self) { try ledger.checkpoint(name) }
      #expect(error?.code == .invalid, "\(name)")
      #expect(throws: LedgerError.self) { try ledger.removeCheckpoint(name) }
    }
    #expect(try ledger.checkpoint(String(repeating: "a", count: 64)).sequence == 0)
  }

  @Test func `notices a ledger that went back`() throws {
    let (disk, ledger) = try made(4)
    let early = TestDisk(disk.memory.copy())
    for number in 4..<8 { try ledger.upsert(TaskItem(id: TaskID("task \(number)"))) }
    try ledger.checkpoint("mailer").advance(to: 7)
    let stored = try #require(disk.files["checkpoints/mailer.checkpoint"])
    try early.memory.makeFolder("checkpoints")
    try early.overwrite("checkpoints/mailer.checkpoint", with: stored)
    let back = try early.open(configuration: Self.configuration)
    let error = #expect(throws: LedgerError.self) { try back.checkpoint("mailer") }
    #expect(error?.code == .damaged)
    #expect(
      error?.sentence
        == "the checkpoint \"mailer\" stands at event 7, but the ledger ends with event 4")
    for number in 4..<9 { try back.upsert(TaskItem(id: TaskID("other \(number)"))) }
    let other = #expect(throws: LedgerError.self) { try back.checkpoint("mailer") }
    #expect(other?.sentence.contains("other events lead there") == true)
  }

  @Test func `that is damaged is reported, whichever byte it is`() throws {
    let (disk, ledger) = try made(6)
    try ledger.checkpoint("mailer").advance(to: 6)
    let place = "checkpoints/mailer.checkpoint"
    let honest = try #require(disk.files[place])
    for byte in honest.indices {
      for bit in 0..<8 {
        var bytes = honest
        bytes[byte] ^= 1 << bit
        try expectDamage(ledger, disk, place, bytes, "bit \(bit) of byte \(byte)")
      }
      try expectDamage(ledger, disk, place, Array(honest[..<byte]), "\(byte) bytes")
    }
    try expectDamage(ledger, disk, place, honest + [0], "a byte too many")
    try expectDamage(
      ledger, disk, place, Array(repeating: 0x41, count: 5000), "a long file")
    try disk.overwrite("checkpoints/other.checkpoint", with: honest)
    #expect(throws: LedgerError.self) { try ledger.checkpoint("other") }
    #expect(try !disk.verify().isSound)
    try disk.remove("checkpoints/other.checkpoint")
    try disk.overwrite(place, with: honest)
    #expect(try ledger.checkpoint("mailer").sequence == 6)
    #expect(try disk.verify().isSound)
  }

  private func expectDamage(
    _ ledger: Ledger, _ disk: TestDisk, _ place: String, _ bytes: [UInt8], _ label: String
  ) throws {
    try disk.overwrite(place, with: bytes)
    let error = #expect(throws: LedgerError.self, "\(label)") { try ledger.checkpoint("mailer") }
    #expect(error?.code == .damaged, "\(label): \(String(describing: error))")
    #expect(error?.path == "disk/\(place)", "\(label)")
  }

  @Test func `is the old or the new one when power is cut or the process killed at any call`()
    throws
  {
    let (disk, ledger) = try made(3)
    let mailer = try ledger.checkpoint("mailer")
    let acknowledged = Guarded<UInt64>(0)
    let left = Guarded<[(least: UInt64, disk: TestDisk)]>([])
    disk.faults.onCall { [memory = disk.memory] call in
      guard CallKind.mutating.contains(call.kind) else { return }
      let least = acknowledged.withLock { $0 }
      left.withLock { left in
        let torn = memory.powerCut(tearing: UInt64(call.number))
        for rest in [memory.powerCut(), torn, memory.copy()] {
          left.append((least, TestDisk(rest)))
        }
      }
    }
    for sequence in 1...3 as ClosedRange<UInt64> {
      try mailer.advance(to: sequence)
      acknowledged.withLock { $0 = sequence }
    }
    disk.faults.onCall(nil)
    let all = left.withLock { $0 }
    #expect(all.count >= 3 * 3 * 5)
    for (least, rest) in all {
      let next = try rest.open(configuration: Self.configuration)
      let found = try next.checkpoint("mailer")
      #expect(found.sequence >= least && found.sequence <= least + 1)
      try found.advance(to: 3)
      // What was left of the interrupted storing is gone.
      #expect(rest.files.keys.filter { $0.hasPrefix("checkpoints/") }.count == 1)
    }
  }

  @Test func `keeps its place when any call fails`() throws {
    var n = 1
    while true {
      let (disk, ledger) = try made(3)
      let mailer = try ledger.checkpoint("mailer")
      try mailer.advance(to: 1)
      disk.faults.arm(FaultPlan(fail: n, of: Set(CallKind.allCases).subtracting([.watch])))
      let moved = (try? mailer.advance(to: 3)) != nil
      disk.faults.disarm()
      guard disk.faults.faultsMet > 0 else { break }
      #expect(mailer.sequence == (moved ? 3 : 1), "call \(n)")
      let next = try disk.powerCut().open(configuration: Self.configuration)
      let found = try next.checkpoint("mailer").sequence
      #expect(found == 3 || (!moved && found == 1), "call \(n): \(found)")
      try mailer.advance(to: 3)
      n += 1
    }
    print("a checkpoint: a fault at each of \(n - 1) calls")
    #expect(n > 5)
  }

  @Test func `makes durable first what another process has written and not synced`() throws {
    let (disk, writer) = try made(2)
    let reader = try disk.open(configuration: Self.configuration)
    // A frame that is written, and whose sync never came about.
    disk.faults.arm(FaultPlan(fail: 1, of: [.sync], effect: .losesPages))
    #expect(throws: LedgerError.self) { try writer.upsert(TaskItem(id: "unsure")) }
    disk.faults.disarm()
    let last = try reader.lastSequence
    try reader.checkpoint("mailer").advance(to: last)
    let after = try disk.powerCut().open(configuration: Self.configuration)
    #expect(try after.lastSequence >= last)
    #expect(try after.checkpoint("mailer").sequence == last)
  }

  @Test func `of one name can be stored by many at once`() throws {
    let (disk, _) = try made(40)
    inParallel(8) { number in
      do {
        let ledger = try disk.open(configuration: Self.configuration)
        let mailer = try ledger.checkpoint("mailer")
        for sequence in max(1, mailer.sequence)...40 where sequence >= mailer.sequence {
          try mailer.advance(to: sequence)
        }
      } catch {
        Issue.record(error)
      }
    }
    let ledger = try disk.open(configuration: Self.configuration)
    #expect(try ledger.checkpoint("mailer").sequence == 40)
  }
}
