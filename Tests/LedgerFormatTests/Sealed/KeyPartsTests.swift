import LedgerCore
import Testing

@testable import LedgerFormat

/// Packed keys in parts.
@Suite struct `A packed key` {
  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `is what its parts are put together to`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let high = UInt64.random(in: 0...UInt64.max, using: &generator)
    let low = UInt64.random(in: 0...UInt64.max, using: &generator)
    let parts = KeyParts(high: high, low: low)
    #expect(parts.high == high && parts.low == low)
    #expect(parts.lead <= KeyParts.leadMax)
  }

  @Test func `has its version and variant in one byte`() {
    let uuid = TaskID("01914687-e398-7b3c-9321-848860e822f5").uuid
    let parts = uuid.map { KeyParts(high: $0.high, low: $0.low) }
    #expect(
      parts
        == KeyParts(lead: 0x0191_4687_e398, mark: 0x79, mixed: 0xb3, rest: 0x3c21_8488_60e8_22f5))
  }

  /// Keys at the ends of what six bytes hold, of both forms next to each other.
  @Test func `is read where others stand between`() throws {
    let ids: [TaskID] = [
      "0", "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001",
      "00000000-0000-0000-ffff-ffffffffffff", "7", "7f000000-0000-7000-8000-000000000000",
      "7f000000-0000-7000-8000-00000000000x", "7f000000-0000-7000-8000-00000000000y",
      "ffffffff-ffff-ffff-ffff-fffffffffffe", "ffffffff-ffff-ffff-ffff-ffffffffffff", "g",
    ]
    let events = ids.enumerated().map { place, id in
      Event(
        sequence: UInt64(place) + 1,
        stamp: Stamp(
          time: LedgerTime(unchecked: Int64(place) << 40), replica: ReplicaID(high: 0, low: 1),
          count: UInt64(place) + 1),
        kind: .upsert, task: id, changes: [], author: "ann", transaction: UInt64(place) + 1,
        endsTransaction: true, recorded: LedgerTime(unchecked: 0))
    }
    for target in [1, RunWriter.blockBytesTarget] {
      let run = try TestRun.open(TestRun.bytes(events, target: target))
      #expect(try TestRun.events(of: run) == events)
      let zstd = try Zstd()
      for event in events { #expect(try run.events(of: event.task, zstd: zstd) == [event]) }
      let folded = try RunMerge.fold([run])
      #expect((0..<folded.count).map { folded.item(at: $0).id } == ids)
    }
  }
}
