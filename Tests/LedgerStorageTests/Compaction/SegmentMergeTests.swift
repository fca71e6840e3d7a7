import LedgerCore
import LedgerFormat
import Testing

@testable import LedgerStorage

/// Merging segments, block by block.
@Suite struct `A merge of segments` {
  /// Letters that zstd cannot shorten by much.
  private static func noise(_ count: Int, _ seed: UInt64) -> String {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-".utf8)
    let bytes = (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return letters[Int(state >> 58)]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Four segments of about ten blocks each, whose tasks lie among each other; one task is in every block of its own.
  private static func bench(segments: UInt64 = 4, each: UInt64 = 640) throws -> StoreBench {
    let bench = try StoreBench()
    for segment in 0..<segments {
      let first = segment * each + 1
      try bench.seal(
        (first..<first + each).map { sequence in
          let task = sequence % 7 == 0 ? "hot" : "\(sequence * 7919 % 1000)"
          return StoreBench.event(sequence, task, noise(2000, sequence))
        })
    }
    return bench
  }

  @Test func `has one block of each segment in memory, and writes as it reads`() throws {
    let bench = try Self.bench()
    let before = try bench.events()
    let entries = try bench.sealedEntries
    let seen = bench.faults.trace.calls.count
    _ = try bench.compactor().merge()
    let calls = bench.faults.trace.after(seen).calls
    let new = try #require(try bench.sealedEntries.first).file
    let old = Set(entries.map { LedgerNames.inSegments($0.file) })
    let writes = calls.filter { $0.kind == .write && $0.name == LedgerNames.inSegments(new) }
    #expect(writes.count > 20)
    let largest = writes.map { $0.count ?? 0 }.max() ?? 0
    #expect(largest < 3 * UInt64(RunWriter.blockBytesTarget), "\(largest)")
    // Between two writes no more is read than a block of each segment, and one in passing.
    for (write, next) in zip(writes, writes.dropFirst()) {
      let reads = calls.filter {
        $0.kind == .read && old.contains($0.name) && (write.number..<next.number) ~= $0.number
      }
      #expect(reads.count <= entries.count + 1, "\(reads)")
    }
    #expect(try bench.events() == before)
  }

  @Test func `is the same segments in the order of one`() throws {
    let bench = try Self.bench(segments: 3, each: 100)
    let entries = try bench.sealedEntries
    let digests = (entries[0].digestBefore, entries[2].digestAfter)
    let events = try bench.events()
    #expect(try bench.compactor().merge().plan.groups.map(\.entries) == [entries])
    let merged = try #require(try bench.sealedEntries.first)
    #expect(try bench.sealedEntries.count == 1)
    #expect((merged.digestBefore, merged.digestAfter) == digests)
    #expect(merged.ownCount == 300 && merged.newest == events.last?.stamp)
    let run = try SealedSegment(
      merged, ledger: bench.view().manifest.ledger, in: bench.faults
    ).run(bench.pool)
    #expect(run.footer.ascends)
    #expect(run.footer.taskCount == UInt64(Set(events.map(\.task)).count))
    var order: [Event] = []
    try run.forEachEvent(zstd: Zstd()) { (event) throws(LedgerError) in order.append(event) }
    #expect(order == events.sorted { ($0.task, $0.sequence) < ($1.task, $1.sequence) })
  }

  @Test func `of segments that one cannot hold together is as few as can`() throws {
    var bench = try Self.bench(segments: 7, each: 10)
    bench.options.segmentEventsMax = 30
    let plan = try bench.compactor().mergePlan()
    #expect(plan.groups.map(\.entries.count) == [3, 3] && plan.untouched == 1)
    _ = try bench.compactor().merge()
    #expect(try bench.sealedEntries.map(\.eventCount) == [30, 30, 10])
    #expect(try bench.compactor().mergePlan().groups.isEmpty)
  }

  @Test func `that fails in its second step keeps the first, on record, and goes on from there`()
    throws
  {
    var bench = try Self.bench(segments: 6, each: 10)
    bench.options.segmentEventsMax = 30
    let events = try bench.events()
    bench.faults.arm(FaultPlan(fail: 2, of: [.create], named: LedgerNames.segments))
    #expect(throws: LedgerError.self) { try bench.compactor().merge() }
    bench.faults.disarm()
    #expect(try bench.sealedEntries.map(\.eventCount) == [30, 10, 10, 10])
    #expect(try bench.view().manifest.records.last?.detail("into") == "1")
    #expect(try bench.compactor().merge().plan.groups.map(\.entries.count) == [3])
    #expect(try bench.sealedEntries.map(\.eventCount) == [30, 30])
    #expect(try bench.events() == events)
    #expect(try bench.view().manifest.records.filter { $0.kind == "compacted" }.count == 2)
  }

  @Test func `seals what others close meanwhile, and lets them append`() throws {
    var bench = try StoreBench()
    bench.options.sealBytes = 1 << 10
    for segment in 0..<3 as Range<UInt64> {
      try bench.seal(
        (segment * 2000 + 1...segment * 2000 + 2000).map { StoreBench.event($0, "\($0)", "x") })
    }
    let isDone = Guarded(false)
    let (faults, store) = (bench.faults, bench)
    faults.onCall { call in
      // The new file is begun: the merge is under way.
      guard call.kind == .create, call.name.hasSuffix(".sealed") else { return }
      guard
        !isDone.withLock({ done in
          defer { done = true }
          return done
        })
      else { return }
      try store.close([StoreBench.event(6001, "late", "y")])
    }
    _ = try bench.compactor().merge()
    faults.onCall(nil)
    #expect(isDone.withLock { $0 })
    #expect(try bench.view().manifest.segments.map(\.kind) == [.sealed, .sealed, .active])
    #expect(try bench.sealedEntries.map(\.eventCount) == [6000, 1])
    #expect(try bench.events().map(\.sequence) == Array(1...6001))
  }

  @Test func `that finds a damaged segment changes nothing`() throws {
    let bench = try Self.bench(segments: 4, each: 40)
    let entries = try bench.sealedEntries
    let name = LedgerNames.inSegments(entries[1].file)
    var bytes = try bench.faults.contents(of: name, atMost: 1 << 20)
    bytes[200] ^= 1
    let file = try bench.faults.open(name, .readWrite)
    try file.write(bytes, at: 0)
    let files = try bench.faults.list(LedgerNames.segments)
    for merge in [
      { _ = try bench.compactor().merge() },
      { _ = try bench.compactor().mergeTiers(eventsMax: .max) },
    ] as [() throws -> Void] {
      do {
        try merge()
        Issue.record("nothing was found")
      } catch let error as LedgerError {
        #expect(error.code == .damaged)
      }
      #expect(try bench.sealedEntries == entries)
      #expect(try bench.faults.list(LedgerNames.segments) == files)
    }
  }
}
