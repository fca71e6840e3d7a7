import Testing

@testable import LedgerStorage

/// Small segments merge by themselves: how many files that leaves, and how often an event is written for it.
@Suite struct `Segments that merge by themselves` {
  private static let eventsMax: UInt64 = 1 << 20

  /// A ledger that seals segments of some sizes, one after the other.
  private struct Simulation {
    var segments: [UInt64] = []
    var events: UInt64 = 0
    var rewritten: UInt64 = 0
    var segmentsMost = 0

    mutating func seal(_ count: UInt64, _ plan: TierPlan) throws {
      segments.append(count)
      events += count
      while let range = plan.next(segments) {
        let sum = segments[range].reduce(0, +)
        try #require(range.count > 1 && sum <= plan.eventsMax, "\(segments) at \(range)")
        rewritten += sum
        segments.replaceSubrange(range, with: [sum])
      }
      segmentsMost = max(segmentsMost, segments.count)
    }
  }

  private func simulate(
    _ sizes: some Sequence<UInt64>, upTo most: UInt64 = eventsMax,
    eventsMax: UInt64 = eventsMax
  ) throws -> Simulation {
    var simulation = Simulation()
    for size in sizes {
      guard simulation.events + size <= most else { break }
      try simulation.seal(size, TierPlan(eventsMax: eventsMax))
    }
    return simulation
  }

  @Test
  func
    `are a dozen files at most for 2^20 events, each of which was written anew three times at most`()
    throws
  {
    let simulation = try simulate(repeatElement(8192, count: 128))
    #expect(simulation.events == 1 << 20)
    #expect(simulation.segmentsMost <= 12, "\(simulation.segmentsMost)")
    #expect(simulation.rewritten <= 3 * simulation.events, "\(simulation.rewritten)")
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `are a few dozen files at most, whatever their sizes`(seed: UInt64) throws {
    var state = seed
    let sizes = (0..<1500).map { _ -> UInt64 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return 1 << (state >> 60) | (state >> 33) % 7
    }
    let simulation = try simulate(sizes)
    #expect(simulation.segmentsMost <= 33, "\(simulation.segmentsMost)")
    #expect(simulation.rewritten <= 6 * simulation.events)
  }

  @Test func `are a few dozen files at most even where none can grow enough`() throws {
    // Small ones around a large one, each of them the same again.
    func nested(_ events: UInt64) -> [UInt64] {
      events < 4 ? [events] : nested(events / 5) + [events * 3 / 5] + nested(events / 5)
    }
    let sizes = nested(Self.eventsMax - 1)
    #expect(sizes.count > 500)
    #expect(try simulate(sizes).segmentsMost <= 33)
  }

  @Test func `never hold more events than a segment can`() throws {
    let simulation = try simulate(repeatElement(8192, count: 400), upTo: .max)
    #expect(simulation.segments.allSatisfy { $0 <= Self.eventsMax })
    #expect(simulation.segments.count <= 16, "\(simulation.segments)")
    let small = try simulate(repeatElement(8192, count: 128), eventsMax: 1 << 16)
    #expect(small.segments.allSatisfy { $0 <= 1 << 16 })
    #expect(small.segmentsMost <= 40, "\(small.segmentsMost)")
  }

  @Test func `stay as they are where there are few`() {
    let plan = TierPlan(eventsMax: Self.eventsMax)
    for counts in [[], [1], [1, 1, 1], [1000, 8, 8, 8], [Self.eventsMax, .max, 5]] as [[UInt64]] {
      #expect(plan.next(counts) == nil, "\(counts)")
    }
    #expect(plan.next([900, 1, 1, 1, 1]) == 1..<5)
  }
}
