import LedgerFormat
import LedgerStorage
import Testing

@testable import TaskLedger

/// The state is a function of the set of events: neither the order in which they arrive nor how they are split into
/// parts can be told from it.
struct `Events in parts` {
  static let seeds = TestSettings.seeds(20)

  /// A ledger that two replicas wrote: the events of one, and those that reached it from the other.
  private static func model(_ seed: UInt64) -> PlainModel {
    var one = PlainModel(replica: "one")
    var two = PlainModel(replica: "two")
    for (index, step) in RandomStream(seed: seed).prefix(TestSettings.steps(120)).enumerated() {
      if index % 3 == 0 {
        two.run(transaction: step.commands, now: step.now - 500)
      } else {
        one.run(transaction: step.commands, now: step.now)
      }
      if index % 7 == 0 { one.receive(two.events) }
      if index % 11 == 0 { two.receive(one.events) }
    }
    one.receive(two.events)
    return one
  }

  /// The events in an order of arrival, as a ledger would hold them.
  private static func events(_ plain: [PlainEvent]) throws -> [Event] {
    try plain.enumerated().map { index, event in
      let stamp = Stamp(
        time: LedgerTime(unchecked: event.stamp.time),
        replica: ReplicaID(high: 0, low: event.stamp.replica == "one" ? 1 : 2),
        count: UInt64(event.stamp.count))
      let changes = try event.changes.map { change in
        FieldChange(try FieldName(change.name.string), change.value.map(Value.init))
      }
      return Event(
        sequence: UInt64(index + 1), stamp: stamp,
        kind: try #require(EventKind(name: event.kind.rawValue)),
        task: try TaskID(event.task.string), changes: changes, author: "ann",
        transaction: UInt64(index + 1), endsTransaction: true,
        recorded: LedgerTime(unchecked: event.recorded))
    }
  }

  /// Runs of consecutive events, cut at random.
  private static func runs(
    _ events: [Event], _ random: inout SplitMix64
  ) throws -> [SealedRun] {
    let zstd = try Zstd()
    let longest = random.pick([1, 3, 20, 1000])
    var runs: [SealedRun] = []
    var rest = events[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(1 + random.below(longest)))
      rest = rest.dropFirst(part.count)
      let bytes = try SortedRun.bytes(
        of: part, ledger: ReplicaID(high: 0, low: 1), digests: nil, level: 1, zstd: zstd)
      runs.append(try SealedRun(MemorySource(bytes), zstd: zstd))
    }
    return runs
  }

  @Test(arguments: seeds)
  func `merged as runs give the digest of the plain model`(seed: UInt64) throws {
    let model = Self.model(seed)
    var random = SplitMix64(seed: seed)
    let times = model.events.map(\.stamp.time)
    for shuffle in 0..<4 {
      let label = "seed \(seed), shuffle \(shuffle)"
      let plain = shuffle == 0 ? model.events : random.shuffle(model.events)
      let runs = try Self.runs(try Self.events(plain), &random)
      let state = try RunMerge.fold(runs)
      #expect(state.digest().hex == model.digest(), "\(label)")
      #expect(state.count == model.documents()?.count, "\(label)")
      #expect(state.eventCount == UInt64(model.events.count), "\(label)")
      let time = random.pick(times)
      #expect(
        try RunMerge.fold(runs, cut: .time(LedgerTime(unchecked: time))).digest().hex
          == model.digest(at: .time(time)), "\(label), time \(time)")
      let number = random.below(plain.count + 1)
      #expect(
        try RunMerge.fold(runs, cut: .sequence(UInt64(number))).digest().hex
          == PlainModel(arriving: Array(plain.prefix(number))).digest(),
        "\(label), sequence \(number)")
    }
  }

  @Test(arguments: seeds)
  func `folded and merged in any order give the documents of the plain model`(seed: UInt64) throws {
    let model = Self.model(seed)
    var random = SplitMix64(seed: seed)
    let events = try Self.events(model.events)
    for round in 0..<6 {
      // Any part may get any event, and a few events get into two parts.
      var parts = [[TaskID: TaskState]](repeating: [:], count: 1 + random.below(7))
      for event in random.shuffle(events) {
        for _ in 0..<(random.chance(5) ? 2 : 1) {
          parts[random.below(parts.count)][event.task, default: TaskState()].fold(event)
        }
      }
      let merged = Self.merged(parts, &random)
      let items = merged.keys.sorted().compactMap { id in merged[id]?.item(id) }
      let expected = try #require(model.documents())
      #expect(
        difference(items.map(PlainModel.Document.init), expected) == nil,
        "seed \(seed), round \(round)")
      for (task, state) in merged {
        #expect(state.brokenInvariants.isEmpty, "seed \(seed), round \(round), \(task)")
        #expect(
          state.revision == model.events(of: PlainText(task)).last.map { UInt64($0.sequence) },
          "seed \(seed), round \(round), \(task)")
      }
    }
  }

  /// Merges two parts, any two, until one is left.
  private static func merged(
    _ parts: [[TaskID: TaskState]], _ random: inout SplitMix64
  ) -> [TaskID: TaskState] {
    var parts = parts
    while parts.count > 1 {
      let other = parts.remove(at: random.below(parts.count))
      let index = random.below(parts.count)
      for (task, state) in other { parts[index][task, default: TaskState()].merge(state) }
    }
    return parts[0]
  }
}
