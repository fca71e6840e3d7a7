import LedgerCore
import Testing

@testable import LedgerFormat

/// One wrong bit or a missing end, anywhere in a sealed segment, is an error for whoever reads all of it.
@Suite struct `A damaged sealed segment` {
  private func small() throws -> (bytes: [UInt8], events: [Event]) {
    var style = RandomHistory.Style()
    style.tasks = 3
    style.names = [.body, .isCompleted, FieldName(unchecked: "due")]
    var history = RandomHistory(seed: 12, style: style)
    let events = history.events(10)
    return (try TestRun.bytes(events, target: 20), events)
  }

  @Test func `is noticed by whoever reads its events`() throws {
    let (bytes, events) = try small()
    #expect(try TestRun.open(bytes).index.entries.count > 1)
    #expect(try TestRun.events(ofBytes: bytes) == events)
    let zstd = try Zstd()
    refusedWhenDamaged(bytes) { damaged in
      let run = try SealedRun(MemorySource(damaged), zstd: zstd)
      _ = try run.clocks(zstd: zstd)
      try run.forEachEvent(zstd: zstd) { _ throws(LedgerError) in }
    }
  }

  @Test func `never folds to another state`() throws {
    let (bytes, events) = try small()
    let plain = PlainState(events)
    let zstd = try Zstd()
    for bit in stride(from: 0, to: 8 * bytes.count, by: 3) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      do {
        let run = try SealedRun(MemorySource(damaged), zstd: zstd)
        let difference = plain.difference(from: try RunMerge.fold([run]))
        #expect(difference == nil, "bit \(bit)")
      } catch {
        // Refused: as good.
      }
    }
  }

  @Test func `is reported with file, place and what to do`() throws {
    let (bytes, _) = try small()
    let block = try TestRun.open(bytes).index.entries[1]
    var damaged = bytes
    damaged[Int(block.offset)] ^= 1
    let error = #expect(throws: LedgerError.self) { try TestRun.events(ofBytes: damaged) }
    #expect(error?.path == "test.sealed" && error?.offset == block.offset)
    #expect(error?.sentence.hasPrefix("cannot read block 1: its checksum is ") == true)
    #expect(error?.hint == LedgerError.repairHint)
  }
}
