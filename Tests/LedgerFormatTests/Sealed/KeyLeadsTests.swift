import LedgerCore
import Testing

@testable import LedgerFormat

/// Looking into a block without decompressing more of it than its keys.
@Suite struct `The keys of a compressed block` {
  /// Version-7 ids, some of one millisecond, and what is said of them.
  private static func events(
    _ count: Int, seed: UInt64, texts: Bool = false
  ) -> [Event] {
    var generator = SeededGenerator(seed: seed)
    var time: UInt64 = 0x018b_cfe5_78bf
    return (1...UInt64(count)).map { sequence in
      time += UInt64.random(in: 0...3, using: &generator) * 700
      let uuid = PackedUUID(
        high: time << 16 | 0x7000 | UInt64.random(in: 0...0xfff, using: &generator),
        low: 0x8000_0000_0000_0000 | UInt64.random(in: 0..<(1 << 62), using: &generator))
      let id = texts && sequence % 97 == 0 ? TaskID(unchecked: "0-\(sequence)") : TaskID(uuid)
      let stamp = Stamp(
        time: LedgerTime(unchecked: Int64(time)), replica: ReplicaID(high: 0, low: 1),
        count: sequence)
      return Event(
        sequence: sequence, stamp: stamp, kind: .upsert, task: id,
        changes: [FieldChange(.body, .text("task \(sequence)"))], author: "ann",
        transaction: sequence, endsTransaction: true, recorded: stamp.time)
    }
  }

  /// What the shortcut says of a task: nil where it cannot be taken.
  private static func answer(
    _ run: SealedRun, _ number: Int, _ task: TaskID, _ zstd: Zstd
  ) throws -> Bool? {
    let entry = run.index.entries[number]
    let leads = KeyLeads(try run.storedBlock(number), of: entry, zstd: zstd)
    guard var leads, let wanted = task.uuid else { return nil }
    return try leads.mayHold(wanted, among: entry.taskCount)
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `tell most of the tasks that it does not hold, and none that it holds`(
    seed: UInt64
  ) throws {
    let zstd = try Zstd()
    let all = Self.events(900, seed: seed)
    var kept = all.enumerated().filter { $0.offset % 3 != 0 }.map(\.element)
    for place in kept.indices {
      kept[place].sequence = UInt64(place) + 1
      kept[place].transaction = kept[place].sequence
    }
    let run = try TestRun.open(try TestRun.bytes(kept))
    let held = Set(kept.map(\.task))
    var spared = 0
    for event in all {
      for number in run.index.blocks(of: event.task) {
        let answer = try Self.answer(run, number, event.task, zstd)
        if held.contains(event.task) {
          #expect(answer == true, "\(event.task)")
        } else if answer == false {
          spared += 1
        }
      }
      guard event.sequence % 10 < 2 else { continue }
      #expect(try run.events(of: event.task, zstd: zstd).isEmpty != held.contains(event.task))
    }
    // About half of them have a millisecond of their own.
    #expect(spared > 120, "of 300 tasks")
  }

  @Test func `are left to the whole way where some are no UUIDs`() throws {
    let zstd = try Zstd()
    let events = Self.events(500, seed: 4, texts: true)
    let run = try TestRun.open(try TestRun.bytes(events))
    for event in events where event.task.uuid == nil || event.sequence % 10 == 0 {
      #expect(try run.events(of: event.task, zstd: zstd) == [event], "\(event.task)")
    }
  }

  /// Nobody asks for them before the checksum fits; what made it fit must do no harm all the same.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `do no harm where they are forged`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let zstd = try Zstd()
    let run = try TestRun.open(try TestRun.bytes(Self.events(500, seed: 5)))
    let entry = run.index.entries[0]
    let stored = try run.storedBlock(0)
    for _ in 0..<50 {
      var forged = stored
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<min(400, forged.count), using: &generator)
        forged[place] = UInt8.random(in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) {
        forged.removeLast(Int.random(in: 0..<forged.count, using: &generator))
      }
      guard var leads = KeyLeads(forged, of: entry, zstd: zstd) else { continue }
      _ = try? leads.mayHold(PackedUUID(high: .max, low: .max), among: entry.taskCount)
    }
  }
}
