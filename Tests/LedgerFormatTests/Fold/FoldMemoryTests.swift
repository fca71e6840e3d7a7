import LedgerCore
import Testing

@testable import LedgerFormat

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What reading and folding cost in memory, each measured in a process of its own.
@Suite struct `Memory` {
  /// The most memory that this process ever had, in MiB.
  private static func peak() -> Int {
    #if canImport(Darwin)
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss >> 20
    #else
      // Not getrusage(2): it counts what the parent had before it started this process.
      guard let file = fopen("/proc/self/status", "r") else { return 0 }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 256)
      while fgets(&line, Int32(line.count), file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        if text.hasPrefix("VmHWM:") { return (Int(text.filter(\.isNumber)) ?? 0) >> 10 }
      }
      return 0
    #endif
  }

  /// The address sanitizer keeps what was freed, so that nothing can be said of memory under it.
  private static var isSanitized: Bool { dlsym(dlopen(nil, RTLD_NOW), "__asan_init") != nil }

  /// A run of 256 events of one task, each with a text of 1 MiB; written without having them all in memory.
  private static func longHistory() throws -> [UInt8] {
    let text = String(repeating: "x", count: 1 << 20)
    var writer = RunWriter(
      ledger: TestRun.ledger, digestBefore: .zero, common: CommonValues(), zstd: try Zstd())
    try writer.startTask("hot")
    for sequence in 1...256 as ClosedRange<UInt64> {
      let time = LedgerTime(unchecked: Int64(sequence))
      try writer.add(
        Event(
          sequence: sequence,
          stamp: Stamp(time: time, replica: ReplicaID(high: 0, low: 1), count: sequence),
          kind: .upsert, task: "hot", changes: [FieldChange(.body, .text("\(sequence)" + text))],
          author: "ann", transaction: sequence, endsTransaction: true, recorded: time))
    }
    _ = try writer.finish(digestAfter: .zero, ascends: true)
    return writer.drain()
  }

  #if os(Linux) || os(macOS)
    @Test(.disabled(if: isSanitized))
    func `does not grow with the history of a task`() async {
      await #expect(processExitsWith: .success) {
        let run = try TestRun.open(Memory.longHistory())
        let before = Memory.peak()
        for cut in [FoldCut.present, .sequence(200)] {
          let state = try RunMerge.fold([run], cut: cut)
          try #require(state.count == 1)
          try #require(state.item(at: 0).body.utf8.count == (1 << 20) + 3)
        }
        let zstd = try Zstd()
        try run.forEachEvent(zstd: zstd) { _ throws(LedgerError) in }
        try #require(
          before > 0 && before < 100 && Memory.peak() - before < 64,
          "\(before) + \(Memory.peak() - before) MiB")
      }
    }

    @Test(.disabled(if: isSanitized))
    func `is not asked for by a file that only claims to be large`() async {
      await #expect(processExitsWith: .success) {
        _ = try Forgery.honestRun().bytes()
        let before = Memory.peak()
        for claim in [1 << 30, 1 << 40, UInt64(Int64.max), .max] {
          for change in Memory.claims(claim) {
            var forged = try Forgery.honestRun()
            change(&forged)
            let bytes = try forged.bytes()
            for read in [
              { _ = try TestRun.events(ofBytes: bytes) },
              { _ = try RunMerge.fold([TestRun.open(bytes)]) },
            ] as [() throws -> Void] {
              try #require(throws: LedgerError.self) { try read() }
            }
          }
        }
        try #require(Memory.peak() - before < 64, "\(Memory.peak() - before) MiB")
      }
    }
  #endif

  /// Everything that can say how much of something there is.
  private static func claims(_ claim: UInt64) -> [(inout ForgedRun) -> Void] {
    [
      { $0.blocks[0].rawLength = claim }, { $0.blocks[0].storedLength = claim },
      { $0.blocks[0].eventCount = claim }, { $0.blocks[0].taskCount = claim },
      { $0.footer.eventCount = claim }, { $0.rawIndex = .number(claim) + [0, 0] },
      { $0.rawTables = .number(claim) + [0, 0] }, { $0.blocks[0][.lengths] = .number(claim) },
      { $0.blocks[0][.arrays] = .number(claim) }, { $0.blocks[0][.counts] = .number(claim) },
      { $0.blocks[0][.keys] = .number(claim) + [0] },
      { run in run.atLast = { $0.tables.rawLength = claim } },
      { run in run.atLast = { $0.index.rawLength = claim } },
    ]
  }
}
