import LedgerCore
import Testing

@testable import LedgerFormat

/// A filter may say "perhaps" too often, never "no" of a task that is there.
@Suite struct `The filter of a sealed segment` {
  /// One event of each task.
  private static func events(_ tasks: [TaskID]) -> [Event] {
    tasks.enumerated().map { place, task in
      let sequence = UInt64(place) + 1
      let stamp = Stamp(
        time: LedgerTime(unchecked: 1_700_000_000_000), replica: ReplicaID(high: 0, low: 1),
        count: sequence)
      return Event(
        sequence: sequence, stamp: stamp, kind: .upsert, task: task,
        changes: [FieldChange(.body, .text("a"))], author: "ann", transaction: sequence,
        endsTransaction: true, recorded: stamp.time)
    }
  }

  /// Ids of both forms.
  private static func tasks(_ count: Int, seed: UInt64) -> [TaskID] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { number in
      number % 3 == 0
        ? TaskID(unchecked: "seed \(seed), task \(number)") : .random(using: &generator)
    }
  }

  private static func run(_ tasks: [TaskID]) throws -> (bytes: [UInt8], ends: RunEnds) {
    let bytes = try TestRun.bytes(events(tasks), hasFilter: true)
    return (bytes, try RunEnds(MemorySource(bytes)))
  }

  /// Reads all of a run and checks it, as `verify` does.
  private static func check(_ bytes: [UInt8], zstd: Zstd) throws {
    let run = try SealedRun(MemorySource(bytes, path: "test.sealed"), zstd: zstd)
    _ = try run.clocks(zstd: zstd)
    var marks: [RunFilter.Mark] = []
    try run.forEachEvent(zstd: zstd, noting: { marks.append(RunFilter.Mark($0)) }, { _ in })
    try run.checkFilter(marks)
  }

  @Test(arguments: [1, 2, 700, 3000])
  func `holds every task, and leaves out nineteen of twenty others`(count: Int) throws {
    let tasks = Self.tasks(count, seed: UInt64(count))
    let (bytes, ends) = try Self.run(tasks)
    let source = MemorySource(bytes)
    for task in tasks { #expect(try ends.mayHold(task, in: source) == true, "\(task)") }
    let others = Self.tasks(2000, seed: 77)
    let taken = try others.count { try ends.mayHold($0, in: source) == true }
    #expect(taken < 160, "of 2000")
    let filter = try #require(ends.footer.filter)
    #expect(filter.storedLength == RunFilter.byteCount(tasks: UInt64(count)))
    try Self.check(bytes, zstd: try Zstd())
  }

  @Test func `is made of the same ids whatever their order and number of mentions`() {
    let marks = Self.tasks(500, seed: 5).map(RunFilter.Mark.init)
    let filter = RunFilter(marks, pageCount: 2).encoded(of: .zero)
    #expect(RunFilter(marks.reversed() + marks, pageCount: 2).encoded(of: .zero) == filter)
    #expect(RunFilter(marks.dropLast(), pageCount: 2).encoded(of: .zero) != filter)
  }

  @Test func `is not written where nobody asks for it`() throws {
    let bytes = try TestRun.bytes(Self.events(Self.tasks(10, seed: 1)))
    let ends = try RunEnds(MemorySource(bytes))
    #expect(ends.footer.filter == nil && bytes[8] == 4 && bytes[10] == 4)
    #expect(try ends.mayHold("anything", in: MemorySource(bytes)) == nil)
    #expect(try Self.run(Self.tasks(10, seed: 1)).bytes[8...11].elementsEqual([5, 0, 5, 0]))
  }

  @Test func `is noticed when it is damaged, or anything around it`() throws {
    let (bytes, _) = try Self.run(Self.tasks(4, seed: 9))
    let zstd = try Zstd()
    try Self.check(bytes, zstd: zstd)
    refusedWhenDamaged(bytes) { try Self.check($0, zstd: zstd) }
  }

  @Test func `hides nothing when it is damaged`() throws {
    let tasks = Self.tasks(900, seed: 21)
    let (bytes, ends) = try Self.run(tasks)
    let filter = try #require(ends.footer.filter)
    #expect(filter.storedLength == 2 * UInt64(RunFilter.pageByteCount))
    let range = Int(filter.offset)..<Int(filter.offset + filter.storedLength)
    for bit in stride(from: 8 * range.lowerBound, to: 8 * range.upperBound, by: 37) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      let source = MemorySource(damaged, path: "test.sealed")
      var failed = 0
      for task in tasks.prefix(40) {
        do throws(LedgerError) {
          #expect(try ends.mayHold(task, in: source) == true, "bit \(bit), \(task)")
        } catch {
          failed += 1
          #expect(error.code == .damaged && error.path == "test.sealed")
          #expect(error.sentence.hasPrefix("cannot read page "))
          #expect(error.hint == LedgerError.repairHint)
        }
      }
      // The other page is as good as before.
      #expect(failed > 0 && failed < 40, "bit \(bit)")
      // Whoever reads the events finds them all the same.
      #expect(try TestRun.events(ofBytes: damaged).count == tasks.count)
    }
  }

  @Test func `fits no other place and no other segment`() throws {
    let tasks = Self.tasks(900, seed: 21)
    let (bytes, ends) = try Self.run(tasks)
    let start = Int(try #require(ends.footer.filter).offset)
    let size = RunFilter.pageByteCount
    var swapped = bytes
    swapped.replaceSubrange(start..<start + size, with: bytes[start + size..<start + 2 * size])
    swapped.replaceSubrange(start + size..<start + 2 * size, with: bytes[start..<start + size])
    let other = try Self.run(Self.tasks(900, seed: 22))
    let otherStart = Int(try #require(other.ends.footer.filter).offset)
    var foreign = bytes
    foreign.replaceSubrange(
      start..<start + 2 * size, with: other.bytes[otherStart..<otherStart + 2 * size])
    for damaged in [swapped, foreign] {
      for task in tasks.prefix(50) {
        refused { try ends.mayHold(task, in: MemorySource(damaged)) }
      }
      refused { try Self.check(damaged, zstd: try Zstd()) }
    }
  }

  @Test func `that hides a task is found, though every checksum fits`() throws {
    let tasks = Self.tasks(60, seed: 3)
    let zstd = try Zstd()
    for hidden in [0, 17, 59] {
      var forged = try ForgedRun(Self.events(tasks), hasFilter: true)
      var marks = tasks.map(RunFilter.Mark.init)
      marks.remove(at: hidden)
      forged.filter = RunFilter(marks, pageCount: 1).encoded(of: forged.footer.digestAfter)
      let bytes = try forged.bytes()
      let sentence = refused { try Self.check(bytes, zstd: zstd) }
      #expect(sentence == "the filter is not the one of the tasks")
      let run = try TestRun.open(bytes)
      #expect(try !run.hasRightFilter(zstd: zstd))
    }
    let honest = try ForgedRun(Self.events(tasks), hasFilter: true).bytes()
    try Self.check(honest, zstd: zstd)
    #expect(try TestRun.open(honest).hasRightFilter(zstd: zstd))
  }

  @Test func `of a length that none can have is refused`() throws {
    func refuse(
      _ filter: [UInt8]?, _ change: @escaping (inout RunFooter) -> Void = { _ in }
    ) throws {
      var forged = try ForgedRun(Self.events(Self.tasks(3, seed: 1)), hasFilter: true)
      if let filter { forged.filter = filter }
      forged.atLast = change
      let bytes = try forged.bytes()
      refused { try RunEnds(MemorySource(bytes)) }
    }
    let page = [UInt8](repeating: 255, count: RunFilter.pageByteCount)
    try refuse([])
    try refuse(page.dropLast())
    try refuse(page + [0])
    try refuse(nil) { $0.filter?.rawLength += 1 }
    try refuse(nil) { $0.filter?.rawLength = .max }
    try refuse(nil) { $0.filter?.storedLength += UInt64(RunFilter.pageByteCount) }
    try refuse(nil) { $0.filter?.storedLength = .max }
    try refuse(nil) { $0.filter?.offset = 0 }
    try refuse(nil) { $0.filter?.offset += 1 }
    try refuse(nil) { $0.filter?.offset = .max }
    try refuse(nil) { $0.filter = nil }
    try refuse([UInt8](repeating: 0, count: (RunFilter.pageCountMax + 1) * page.count))
  }

  @Test func `belongs to version 5 alone`() throws {
    var forged = try ForgedRun(Self.events(Self.tasks(3, seed: 1)), hasFilter: true)
    forged.header[8] = 4
    forged.header[10] = 4
    refused { try RunEnds(MemorySource(try forged.bytes())) }
    var without = try ForgedRun(Self.events(Self.tasks(3, seed: 1)))
    without.header[8] = 5
    without.header[10] = 5
    refused { try RunEnds(MemorySource(try without.bytes())) }
  }

  @Test func `does not keep a flipped bit elsewhere from being mended`() throws {
    let tasks = Self.tasks(30, seed: 8)
    let events = Self.events(tasks)
    let (bytes, ends) = try Self.run(tasks)
    let filter = try #require(ends.footer.filter)
    let zstd = try Zstd()
    let parts = [
      0..<FileHeader.byteCount, Int(ends.footer.tables.offset)..<Int(filter.offset),
      Int(filter.offset + filter.storedLength)..<bytes.count,
    ]
    for bit in parts.flatMap({ stride(from: 8 * $0.lowerBound, to: 8 * $0.upperBound, by: 5) }) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      let mended = try RunMending.mend(
        MemorySource(damaged), kind: .sealed, ledger: TestRun.ledger,
        checksum: ends.footer.checksum)
      let run = try SealedRun(try #require(mended, "bit \(bit)"), zstd: zstd)
      #expect(try TestRun.events(of: run) == events, "bit \(bit)")
      #expect(try run.hasRightFilter(zstd: zstd), "bit \(bit)")
    }
  }
}
