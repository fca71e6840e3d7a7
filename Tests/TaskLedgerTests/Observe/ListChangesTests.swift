import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// The changes between two values of an observation.
@Suite struct `The changes of a list` {
  /// What is observed at once: the query, the order, the limit.
  private static let wishes: [(Query, TaskSort, Int?)] = [
    (.everything, .byID, nil),
    (.undeleted, "body:desc", nil),
    (.everything, "isCompleted,body", 5),
    (!Field("isCompleted"), "priority:desc", 3),
    (.undeleted, .byID, 4),
  ]

  @Test(arguments: TestSettings.seeds(4))
  func `lead from the old list to the new one, on random histories`(seed: UInt64) async throws {
    let bench = try TestLedger(sealEvents: [9, nil, 40][Int(seed % 3)])
    let mine = try bench.open()
    let writers = [mine, try bench.open()]
    var followed = Self.wishes.map { wish in
      let values = mine.observe(wish.0, sortedBy: wish.1, limit: wish.2).makeAsyncIterator()
      return (values: values, shown: [TaskItem]())
    }
    var random = SplitMix64(seed: seed)
    for step in RandomStream(seed: seed, refusedPercent: 0).prefix(TestSettings.steps(60)) {
      bench.setClock(step.now)
      try random.pick(writers).apply(try Lines.split(step.applyLines))
      for index in followed.indices where random.chance(40) {
        try await follow(&followed[index], Self.wishes[index], mine, "seed \(seed)")
      }
    }
    for index in followed.indices {
      try await follow(&followed[index], Self.wishes[index], mine, "seed \(seed), at the end")
    }
  }

  /// Takes the next value where the ledger says that there is one.
  private func follow(
    _ followed: inout (values: TaskObservation.Iterator, shown: [TaskItem]),
    _ wish: (Query, TaskSort, Int?), _ ledger: Ledger, _ label: String
  ) async throws {
    let expected = try ledger.find(wish.0, sortedBy: wish.1, limit: wish.2)
    guard expected != followed.shown else { return }
    let value = try await followed.values.value()
    #expect(Array(value) == expected, "\(label), \(wish)")
    let led = value.changes.applied(to: followed.shown, new: { value[$0] })
    #expect(led == expected, "\(label), \(wish): \(value.changes)")
    let found = value.changes
    #expect(found.deletions == found.deletions.sorted())
    #expect(found.insertions == found.insertions.sorted())
    for index in found.updates {
      let old = followed.shown.first { $0.id == value[index].id }
      #expect(old != nil && old != value[index], "\(label): an update that changes nothing")
    }
    followed.shown = Array(value)
  }

  @Test(arguments: TestSettings.seeds(12))
  func `lead there however many tasks change at once`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let order: TaskSort = "n"
    func task(_ id: Int) -> TaskItem {
      var task = TaskItem(id: TaskID(unchecked: "task \(id)"))
      task["n"] = .int(Int64(random.below(12)))
      return task
    }
    let limit = random.chance(50) ? random.below(30) : nil
    var list = ObservedList(.everything, sortedBy: order, limit: limit)
    var tasks = (0..<random.below(40)).map { task($0) }.sorted { $0.id < $1.id }
    list.replace { body in _ = tasks.allSatisfy(body) }
    var shown = list.give(at: 0).map(Array.init) ?? []
    for round in 0..<15 {
      for _ in 0..<random.below(20) {
        let changed = task(random.below(50))
        let isGone = random.chance(25)
        tasks.removeAll { $0.id == changed.id }
        if !isGone { tasks.append(changed) }
        list.set(changed.id, isGone ? nil : changed)
      }
      tasks.sort { $0.id < $1.id }
      // Now and then everything is read anew.
      if random.chance(20) { list.replace { body in _ = tasks.allSatisfy(body) } }
      let sorted = tasks.sorted { TaskPlace($0, in: order) < TaskPlace($1, in: order) }
      let expected = Array(sorted.prefix(limit ?? .max))
      guard let value = list.give(at: 0) else {
        #expect(expected == shown, "seed \(seed), round \(round)")
        continue
      }
      #expect(Array(value) == expected, "seed \(seed), round \(round)")
      #expect(
        value.changes.applied(to: shown, new: { value[$0] }) == expected,
        "seed \(seed), round \(round): \(value.changes)")
      shown = expected
    }
  }

  @Test func `move as few tasks as can be`() {
    var list = ObservedList(.everything, sortedBy: "n", limit: nil)
    var tasks = (0..<10).map { number in
      var task = TaskItem(id: TaskID(unchecked: "\(number)"))
      task["n"] = .int(Int64(10 * number))
      return task
    }
    list.replace { body in _ = tasks.allSatisfy(body) }
    _ = list.give(at: 0)
    // The third comes last; the fifth gets another value and stays where it is.
    tasks[2]["n"] = 1000
    tasks[4]["n"] = 41
    for index in [2, 4] { list.set(tasks[index].id, tasks[index]) }
    let changes = list.give(at: 1)?.changes
    #expect(changes?.moves == [.init(from: 2, to: 9)])
    #expect(changes?.updates == [3, 9])
    #expect(changes?.insertions == [] && changes?.deletions == [])
  }

  @Test(arguments: [100, 10_000])
  func `cost as much as was changed, in a ledger of any size`(count: Int) async throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: .forTests(sealEvents: 1_000_000))
    try ledger.transaction { transaction in
      for number in 0..<count {
        var task = TaskItem(id: TaskID(unchecked: "task \(number)"), body: "\(number % 17)")
        task["n"] = .int(Int64(number))
        try transaction.upsert(task)
      }
    }
    var byID = try ledger.observe("true").makeAsyncIterator()
    var sorted = try ledger.observe("true", sortedBy: "body,n:desc").makeAsyncIterator()
    var old = [try await byID.value(), try await sorted.value()]
    let id = TaskID(unchecked: "task \(count / 2)")
    var calls: [Int] = []
    for step in 0..<6 {
      let before = disk.faults.trace.calls.count
      try ledger.update(id) { $0.body = step % 2 == 0 ? "0" : "9" }
      let new = [try await byID.value(), try await sorted.value()]
      calls.append(disk.faults.trace.calls.count - before)
      for (old, new) in zip(old, new) {
        #expect(new.rows.pagesNotIn(old.rows) <= 8, "\(count) tasks")
        #expect(new.changes.updates.count == 1)
        #expect(new.changes.moves.count <= 1)
        #expect(new.changes.insertions.isEmpty && new.changes.deletions.isEmpty)
      }
      old = new
    }
    // Neither list was read again: a commit takes no more calls than without observers, and what its own look takes.
    #expect(calls.allSatisfy { $0 < 60 }, "\(count) tasks: \(calls)")
  }
}

extension TaskListChanges {
  /// The list that they lead to, done as a list view does it.
  func applied<Item>(to old: [Item], new: (Int) -> Item) -> [Item] {
    let gone = Set(deletions).union(moves.map(\.from))
    var list = old.indices.filter { !gone.contains($0) }.map { old[$0] }
    for index in (insertions + moves.map(\.to)).sorted() {
      // A move brings its own task along; how it reads now is shown by the updates.
      let moved = moves.first { $0.to == index }
      list.insert(moved.map { old[$0.from] } ?? new(index), at: index)
    }
    for index in updates { list[index] = new(index) }
    return list
  }
}
