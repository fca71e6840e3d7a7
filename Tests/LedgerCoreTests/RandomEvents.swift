import LedgerCore

/// Events of one task that nobody would make by hand: any kinds, close and equal times, several replicas, many fields
/// that exclude one another.
struct RandomEvents {
  var generator: SeededGenerator
  let names: [FieldName]
  private var counts: [UInt64: UInt64] = [:]
  private var sequence: UInt64 = 0

  static let fewNames = [
    "a", "a.b", "a.b.c", "a.d", "a-b", "ab", "caf\u{e9}", "cafe\u{301}", "cafe\u{301}.x", "body",
    "isCompleted", "isDeleted",
  ].map(FieldName.init(unchecked:))

  static let manyNames = (0..<60).map { number in
    FieldName(unchecked: ["f\(number)", "f\(number / 3).x", "f\(number / 5).x.y"][number % 3])
  }

  init(seed: UInt64, names: [FieldName] = fewNames) {
    generator = SeededGenerator(seed: seed)
    self.names = Set(names).sorted()
  }

  mutating func next(kinds: [EventKind] = EventKind.allCases) -> Event {
    sequence += 1
    let replica = UInt64.random(in: 1...3, using: &generator)
    counts[replica, default: 0] += 1
    let time = LedgerTime(unchecked: Int64.random(in: 0..<40, using: &generator))
    let kind = kinds.randomElement(using: &generator) ?? .update
    return Event(
      sequence: sequence,
      stamp: Stamp(
        time: time, replica: ReplicaID(high: 0, low: replica), count: counts[replica] ?? 0),
      kind: kind, task: Past.task, changes: changes(of: kind), author: "ann", transaction: sequence,
      endsTransaction: true, recorded: time)
  }

  mutating func events(_ count: Int, kinds: [EventKind] = EventKind.allCases) -> [Event] {
    (0..<count).map { _ in next(kinds: kinds) }
  }

  private mutating func changes(of kind: EventKind) -> [FieldChange] {
    switch kind {
    case .evict: return []
    case .delete: return [FieldChange(.isDeleted, true)]
    case .toggle: return [FieldChange(.isCompleted, .bool(Bool.random(using: &generator)))]
    case .upsert, .update: return changes(unsetting: true)
    }
  }

  /// Some of the names, sorted; no two that are set exclude each other, as in an event that a command makes.
  private mutating func changes(unsetting: Bool) -> [FieldChange] {
    let count = Int.random(in: 0...(names.count / 3), using: &generator)
    var changes: [FieldChange] = []
    for name in names.shuffled(using: &generator).prefix(count) {
      let isSet = Int.random(in: 0..<3, using: &generator) > 0
      if isSet, changes.contains(where: { $0.value != nil && $0.name.collides(with: name) }) {
        continue
      }
      if isSet || unsetting { changes.append(FieldChange(name, isSet ? value(of: name) : nil)) }
    }
    return changes.sorted { $0.name < $1.name }
  }

  private mutating func value(of name: FieldName) -> Value {
    let number = Int64.random(in: 0..<3, using: &generator)
    return switch name.defaultValue {
    case .text: .text(number == 0 ? "" : "text \(number)")
    case .bool: .bool(number == 0)
    default: .int(number)
    }
  }

  /// What a command gives: no two names exclude each other.
  mutating func given() throws -> ChangeSet {
    var kept: [FieldChange] = []
    for change in changes(unsetting: true)
    where !kept.contains(where: { $0.name.collides(with: change.name) }) { kept.append(change) }
    return try ChangeSet(kept)
  }
}
