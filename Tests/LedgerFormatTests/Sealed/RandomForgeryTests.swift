import LedgerCore
import Testing

@testable import LedgerFormat

/// Honest runs with random bytes changed behind the checksums.
@Suite struct `Random forgeries` {
  /// Changes some bytes of some part.
  private func forge(_ run: inout ForgedRun, using generator: inout SeededGenerator) throws {
    func change(_ bytes: inout [UInt8]) {
      let place = Int.random(in: 0...bytes.count, using: &generator)
      let byte: UInt8 =
        Bool.random(using: &generator)
        ? [0, 1, 2, 0x7f, 0x80, 0xff].randomElement(using: &generator) ?? 0
        : UInt8.random(in: 0...255, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0 where place < bytes.count: bytes.remove(at: place)
      case 1: bytes.insert(byte, at: place)
      default: if place < bytes.count { bytes[place] = byte }
      }
    }
    for _ in 0...Int.random(in: 0...2, using: &generator) {
      let block = Int.random(in: 0..<run.blocks.count, using: &generator)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        var tables = try run.rawTables ?? run.tables.encoded()
        change(&tables)
        run.rawTables = tables
      case 1: change(&run.clocks)
      case 2: change(&run.blocks[block].firstKey)
      case 3:
        var raw = run.blocks[block].content
        change(&raw)
        run.blocks[block].raw = raw
      default:
        let stream = Int.random(in: 0..<run.blocks[block].streams.count, using: &generator)
        change(&run.blocks[block].streams[stream])
      }
    }
  }

  @Test(arguments: 1...1500 as ClosedRange<UInt64>)
  func `are refused, or read and folded alike`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var style = RandomHistory.Style.random(using: &generator)
    style.names = RandomHistory.fewNames
    var history = RandomHistory(seed: seed, style: style)
    var forged = try ForgedRun(
      history.events(16), target: Bool.random(using: &generator) ? 60 : 10_000)
    try forge(&forged, using: &generator)
    let bytes = try forged.bytes()
    guard let run = try? TestRun.open(bytes) else { return }
    let read: [Event]? = outcome { try TestRun.events(of: run) }
    for cut in [FoldCut.present, .sequence(8), .time(LedgerTime(unchecked: 3000))] {
      let folded: FoldedState? = outcome { try RunMerge.fold([run], cut: cut) }
      guard let folded else { continue }
      // It can be shown, whatever it says.
      for place in 0..<folded.count { _ = folded.item(at: place).canonicalJSON }
      _ = folded.digest()
      guard let read, isTrue(run.footer, of: read) else { continue }
      let difference = PlainState(read, cut).difference(from: folded)
      #expect(difference == nil)
    }
  }

  /// What a body gives; nil for an error of the format.
  private func outcome<Result>(_ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch let error as LedgerError {
      #expect(error.code == .damaged || error.code == .unsupported)
    } catch {
      Issue.record("another error: \(error)")
    }
    return nil
  }

  /// Whether the footer says of the stamps and numbers of the events what they are: the fold relies on it.
  private func isTrue(_ footer: RunFooter, of events: [Event]) -> Bool {
    let ascends = zip(events, events.dropFirst()).allSatisfy { $0.stamp < $1.stamp }
    return events.map(\.sequence).elementsEqual(footer.firstSequence...footer.lastSequence)
      && footer.oldest == events.map(\.stamp).min() && footer.newest == events.map(\.stamp).max()
      && (ascends || !footer.ascends) && Set(events.map(\.stamp)).count == events.count
  }
}
