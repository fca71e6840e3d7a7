import LedgerCore
import LedgerFormat
import Testing

@testable import LedgerStorage

@Suite struct `Keeping up with closed segments` {
  @Test func `does what others were turned away with before the lock was given back`() throws {
    let bench = try StoreBench()
    let others = Others(bench, upTo: 5)
    try others.closeNext()
    #expect(try run(bench, others) == nil)
    // Four of one event each were merged; the last one came after that.
    let entries = try bench.view().manifest.segments
    #expect(entries.map(\.kind) == [.sealed, .sealed, .active])
    #expect(entries.map(\.eventCount) == [4, 1, 0])
    #expect(try bench.events().map(\.sequence) == Array(1...5))
  }

  @Test func `stops after as many rounds as it was given`() throws {
    let bench = try StoreBench()
    let others = Others(bench, upTo: 9)
    try others.closeNext()
    #expect(try run(bench, others, roundsMax: 2) == nil)
    #expect(try bench.view().manifest.segments.map(\.kind) == [.sealed, .sealed, .frozen, .active])
  }

  private func run(
    _ bench: StoreBench, _ others: Others, roundsMax: Int = .max
  ) throws -> LedgerError? {
    let sealer = Sealer(bench.faults, options: bench.options, pool: bench.pool)
    return SegmentUpkeep(
      sealer, bench.compactor(), mergeEventsMax: .max, roundsMax: roundsMax,
      letGo: { try others.closeNext() }
    ).run()?.error
  }

  /// Handles that close a segment whenever all others have just been sealed, and find the lock taken.
  private final class Others {
    private let bench: StoreBench
    private let last: UInt64
    private var closed: UInt64 = 0

    init(_ bench: StoreBench, upTo last: UInt64) {
      self.bench = bench
      self.last = last
    }

    func closeNext() throws {
      guard closed < last else { return }
      closed += 1
      try bench.close([StoreBench.event(closed, "task \(closed)", "Get milk")])
      guard closed > 1 else { return }
      let sealer = Sealer(bench.faults, options: bench.options, pool: bench.pool)
      #expect(try sealer.sealAll() == nil)
    }
  }
}
