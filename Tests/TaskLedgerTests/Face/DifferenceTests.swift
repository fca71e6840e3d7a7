import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// Which tasks differ between two moments or two ledgers, and because of which events.
@Suite struct `A difference` {
  private func differences(
    _ find: (((TaskDifference) throws(LedgerError) -> Bool)?) throws -> DifferenceCounts
  ) throws -> (all: [TaskDifference], counts: DifferenceCounts) {
    var all: [TaskDifference] = []
    let counts = try find { difference in
      all.append(difference)
      return true
    }
    #expect(try find(nil) == counts)
    return (all, counts)
  }

  @Test(arguments: TestSettings.seeds(6))
  func `between any two moments is what the two lists say`(seed: UInt64) throws {
    var pair = try SideBySide(seed: seed &* 3 + 1, sealEvents: 5, handles: 1)
    for step in RandomStream(seed: seed).prefix(40) { try pair.take(step) }
    let ledger = pair.handles[0]
    let last = try ledger.lastSequence
    for (first, second) in [(0, last), (last, 0), (last / 3, last / 2), (last / 2, last - 1)] {
      let (all, counts) = try differences {
        try ledger.differences(from: .sequence(first), to: .sequence(second), $0)
      }
      let options = TaskListOptions(includesDeleted: true)
      let old = try ledger.at(.sequence(first)).tasks(options)
      let new = try ledger.at(.sequence(second)).tasks(options)
      let ids = Set((old + new).map(\.id)).sorted()
      let expected = ids.compactMap { id -> TaskID? in
        old.first { $0.id == id }?.json == new.first { $0.id == id }?.json ? nil : id
      }
      #expect(all.map(\.id) == expected, "seed \(seed), \(first) to \(second)")
      #expect(counts.same == ids.count - expected.count)
      #expect(counts.added == all.count { $0.kind == .added })
      #expect(counts.gone == all.count { $0.kind == .gone })
      #expect(counts.changed == all.count { $0.kind == .changed })
      for difference in all {
        #expect(difference.old?.json == old.first { $0.id == difference.id }?.json)
        #expect(difference.new?.json == new.first { $0.id == difference.id }?.json)
        #expect(!difference.changes.isEmpty && !difference.causes.isEmpty, "\(difference)")
        let range = min(first, second) + 1...max(first, second)
        #expect(difference.causes.allSatisfy { range.contains($0.entry.sequence) })
        #expect(difference.changes.allSatisfy { !$0.causes.isEmpty })
      }
    }
  }

  @Test func `says how many events of both sides were read, before it tells a task`() throws {
    let ledger = try TestLedger(sealEvents: 3).open()
    for number in 0..<10 { try ledger.upsert(TaskItem(id: TaskID("\(number)"))) }
    var said: [UInt64] = []
    let counts = try ledger.differences(from: .sequence(4)) { _ in
      #expect(said == [6, 16])
      return true
    } progress: { count in
      said.append(count)
    }
    #expect(counts.added == 6)
    #expect(said == [6, 16])
  }

  /// Two copies of a ledger that went on apart: the same fields in another order, so that their tables differ.
  private func apart() throws -> (Ledger, Ledger) {
    let bench = try TestLedger(sealEvents: 3)
    let start = try bench.open()
    for id in ["milk", "bread", "eggs", "tea"] {
      try start.upsert(TaskItem(id: TaskID(id), body: "Buy \(id)"))
    }
    let copies = try [bench.directory.copy(), bench.directory.copy()].map { directory in
      try Ledger(directory, author: "ann", configuration: bench.configuration)
    }
    for (copy, author) in zip(copies, ["ann", "bob"]) {
      bench.clock.advance(milliseconds: 1000)
      try copy.transaction(author: author) { try $0.update("tea") { $0["due"] = "2026-12-01" } }
    }
    try copies[0].update("milk") { $0["a"] = 1 }
    try copies[0].update("milk") { $0.body = "Buy oat milk" }
    try copies[1].toggle("milk")
    try copies[1].evict("bread")
    try copies[1].upsert(TaskItem(id: "rice", body: "Buy rice"))
    return (copies[0], copies[1])
  }

  @Test func `between two ledgers has the events that only one of them knows of`() throws {
    let (ann, bob) = try apart()
    let (all, counts) = try differences { try ann.differences(to: bob, $0) }
    #expect(all.map { "\($0.kind) \($0.id)" } == ["gone bread", "changed milk", "added rice"])
    #expect(counts.same == 2)
    let milk = all[1]
    #expect(milk.changes.map(\.name) == ["a", "body", "isCompleted"])
    #expect(milk.changes.map(\.old) == [1, "Buy oat milk", false])
    #expect(milk.changes.map(\.new) == [nil, "Buy milk", true])
    #expect(milk.changes.map { $0.causes.map(\.side) } == [[.first], [.first], [.second]])
    #expect(milk.causes.count == 3)
    #expect(all[0].causes.map(\.entry.kind) == [.evict])
    let (back, _) = try differences { try bob.differences(to: ann, $0) }
    #expect(back.map { "\($0.kind) \($0.id)" } == ["added bread", "changed milk", "gone rice"])
  }

  @Test func `of a ledger with itself, compacted or not, is none`() throws {
    let (ann, _) = try apart()
    #expect(try ann.differences(to: ann) == DifferenceCounts(same: 4))
    try ann.sealNow()
    let other = try Ledger(
      (ann.directory as? MemoryDirectory)?.copy() ?? MemoryDirectory(), author: "ann",
      configuration: ann.configuration)
    try other.compact(.fold(before: .sequence(try other.lastSequence)))
    #expect(try ann.differences(to: other) == DifferenceCounts(same: 4))
  }

  @Test func `ends when nobody wants more of it`() throws {
    let (ann, _) = try apart()
    var count = 0
    _ = try ann.differences(from: .sequence(0)) { _ in
      count += 1
      return count < 2
    }
    #expect(count == 2)
  }

  @Test func `with a moment that is not there is refused`() throws {
    let (ann, _) = try apart()
    for (first, second) in [(99, 1), (1, 99)] as [(UInt64, UInt64)] {
      do {
        _ = try ann.differences(from: .sequence(first), to: .sequence(second))
        Issue.record("there is a moment \(first), \(second)")
      } catch {
        #expect(error.code == .beyondEnd)
      }
    }
  }
}
