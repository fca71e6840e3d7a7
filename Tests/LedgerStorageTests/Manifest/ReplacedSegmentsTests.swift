import LedgerCore
import LedgerFormat
import Testing

@testable import LedgerStorage

@Suite struct `Segments that were replaced` {
  /// A ledger of which four segments were sealed one by one and merged, with everything that this left.
  private let bench: StoreBench
  private let current: Manifest
  private let earlier: [Manifest]

  init() throws {
    bench = try StoreBench()
    for number: UInt64 in 1...4 {
      try bench.seal([StoreBench.event(number, "task \(number)", "Get milk")])
    }
    #expect(try bench.compactor().mergeTiers(eventsMax: .max) == 1)
    let current = try HeldManifest.load(from: bench.faults).manifest
    let faults = bench.faults
    earlier = try faults.list("").filter { name in
      LedgerNames.manifestNumber(name).map { $0 != current.number } ?? false
    }.map { try Manifest(faults.contents(of: $0, atMost: UInt64(Manifest.bytesMax))) }
    self.current = current
  }

  @Test func `are known by the lists of before, whatever became of them since`() throws {
    let listed = Set(current.segments.map { ByteText($0.file) })
    let left = Set(try bench.faults.list(LedgerNames.segments).map(ByteText.init))
      .subtracting(listed)
    #expect(left.count == 8)
    #expect(ReplacedSegments(by: current, earlier: earlier).files == left)
    #expect(ReplacedSegments(by: current, earlier: earlier.reversed()).files == left)
  }

  @Test func `tell the log digests inside of what came in their place`() {
    #expect(Set(ReplacedSegments(by: current, earlier: []).digests.keys) == [4])
    #expect(Set(ReplacedSegments(by: current, earlier: earlier).digests.keys) == [1, 2, 3, 4])
  }

  @Test func `are no others than those that lead to the same events`() throws {
    let place = try #require(
      earlier.firstIndex { list in
        list.segments.contains { $0.kind == .frozen && $0.lastSequence == 2 }
      })
    var earlier = earlier
    var forged = earlier[place]
    let frozen = try #require(forged.segments.firstIndex { $0.kind == .frozen })
    forged.segments[frozen].digestAfter = .zero
    earlier[place] = forged
    let replaced = ReplacedSegments(by: current, earlier: earlier).files
    #expect(!replaced.contains(ByteText(forged.segments[frozen].file)))
  }
}
