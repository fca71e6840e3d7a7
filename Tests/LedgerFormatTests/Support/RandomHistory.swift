import LedgerCore

/// Histories that nobody would make by hand: any kinds of event, close and equal times, several replicas, fields that
/// exclude one another, transactions of several events, messages, undoes, clocks that disagree.
struct RandomHistory {
  /// In which order events arrive.
  enum Arrival: CaseIterable {
    /// In order of their stamps.
    case inOrder
    /// In any order of time; the counts of each replica ascend.
    case shuffledTimes
    /// In any order of everything.
    case shuffled
  }

  enum IDs: CaseIterable { case uuids, texts, mixed }

  /// What a history is like.
  struct Style {
    var tasks = 6
    var ids = IDs.mixed
    var replicas: UInt64 = 2
    /// The number of different times.
    var moments: Int64 = 30
    var arrival = Arrival.shuffled
    var names = RandomHistory.fewNames
    var firstSequence: UInt64 = 1

    /// Any style.
    static func random(using generator: inout SeededGenerator) -> Style {
      var style = Style()
      style.tasks = Int.random(in: 1...12, using: &generator)
      style.ids = IDs.allCases.randomElement(using: &generator) ?? .mixed
      style.replicas = UInt64.random(in: 1...3, using: &generator)
      style.moments = [1, 4, 30, 5000].randomElement(using: &generator) ?? 30
      style.arrival = Arrival.allCases.randomElement(using: &generator) ?? .shuffled
      if generator.once(in: 5) { style.names = RandomHistory.manyNames }
      return style
    }
  }

  static let fewNames = [
    "a", "a.b", "a.b.c", "a.d", "a-b", "ab", "caf\u{e9}", "cafe\u{301}", "cafe\u{301}.x", "body",
    "isCompleted", "isDeleted", "due", "\u{e000}", "\u{10000}",
  ].map(FieldName.init(unchecked:))

  /// More than a task usually has, a third of them with extensions.
  static let manyNames = (0..<150).map { number in
    FieldName(unchecked: ["f\(number)", "f\(number / 3).x", "f\(number / 5).x.y"][number % 3])
  }

  var generator: SeededGenerator
  let style: Style
  private let tasks: [TaskID]
  private let names: [FieldName]

  init(seed: UInt64, style: Style? = nil) {
    var generator = SeededGenerator(seed: seed)
    let style = style ?? Style.random(using: &generator)
    var tasks: [TaskID] = []
    for number in 0..<style.tasks {
      tasks.append(Self.id(number, style.ids, using: &generator))
    }
    self.generator = generator
    self.style = style
    self.tasks = tasks
    names = Set(style.names).sorted()
  }

  private static func id(
    _ number: Int, _ ids: IDs, using generator: inout SeededGenerator
  ) -> TaskID {
    if ids == .uuids || (ids == .mixed && number % 2 == 0) {
      return TaskID.random(using: &generator)
    }
    let forms = [
      "\(number)", "task-\(number)", "\u{e9}\(number)", "f0\(number)-and more",
      "F47AC10B-58CC-4372-A567-0E02B2C3D4\(10 + number)",
      String(repeating: "long", count: 60) + "\(number)",
    ]
    return TaskID(unchecked: forms.randomElement(using: &generator) ?? "x")
  }

  /// So many events, with contiguous sequence numbers, in order of arrival.
  mutating func events(_ count: Int) -> [Event] {
    var events: [Event] = []
    let stamps = stamps(count)
    while events.count < count {
      let length = min(count - events.count, generator.once(in: 3) ? 4 : 1)
      let transaction = style.firstSequence + UInt64(events.count)
      let own = stamps[events.count].time
      let recorded = generator.once(in: 3) ? LedgerTime(unchecked: 1_700_000_000_000) : own
      for place in 0..<length {
        let sequence = transaction + UInt64(place)
        events.append(
          event(
            sequence: sequence, stamp: stamps[events.count], transaction: transaction,
            ends: place == length - 1, recorded: recorded))
      }
    }
    return events
  }

  private mutating func stamps(_ count: Int) -> [Stamp] {
    var parts: [(time: LedgerTime, replica: UInt64)] = []
    for _ in 0..<count {
      let time = Int64.random(in: 0..<style.moments, using: &generator) * 1000
      parts.append(
        (LedgerTime(unchecked: time), UInt64.random(in: 1...style.replicas, using: &generator)))
    }
    if style.arrival == .inOrder { parts.sort { ($0.time, $0.replica) < ($1.time, $1.replica) } }
    var counts: [UInt64: UInt64] = [:]
    var stamps = parts.map { part in
      counts[part.replica, default: part.replica * 100] += 1
      return Stamp(
        time: part.time, replica: ReplicaID(high: 7, low: part.replica),
        count: counts[part.replica] ?? 0)
    }
    if style.arrival == .shuffled { stamps.shuffle(using: &generator) }
    return stamps
  }

  private mutating func event(
    sequence: UInt64, stamp: Stamp, transaction: UInt64, ends: Bool, recorded: LedgerTime
  ) -> Event {
    let kind =
      [EventKind.upsert, .upsert, .upsert, .update, .update, .update, .toggle, .toggle]
      .randomElement(using: &generator) ?? .update
    let isEnd = generator.once(in: 6)
    let end: EventKind = Bool.random(using: &generator) ? .delete : .evict
    let message: String? =
      generator.once(in: 4)
      ? ["", "from CSV", RandomValue.text(using: &generator)].randomElement(using: &generator) : nil
    return Event(
      sequence: sequence, stamp: stamp, kind: isEnd ? end : kind,
      task: tasks.randomElement(using: &generator) ?? "x", changes: changes(of: isEnd ? end : kind),
      author: ["ann", "bob", "", "\u{e9}", "e\u{301}"].randomElement(using: &generator) ?? "",
      message: message, transaction: transaction, endsTransaction: ends, recorded: recorded,
      undoes: generator.once(in: 8) ? UInt64.random(in: 1...UInt64.max, using: &generator) : nil)
  }

  private mutating func changes(of kind: EventKind) -> [FieldChange] {
    switch kind {
    case .evict: []
    case .delete: [FieldChange(.isDeleted, true)]
    case .toggle: [FieldChange(.isCompleted, .bool(Bool.random(using: &generator)))]
    case .upsert, .update: someChanges()
    }
  }

  /// Some of the names, sorted; no two that are set exclude each other, as in an event that a command makes.
  private mutating func someChanges() -> [FieldChange] {
    let count = Int.random(in: 0...(names.count / 2), using: &generator)
    var changes: [FieldChange] = []
    for name in names.shuffled(using: &generator).prefix(count) {
      let isSet = !generator.once(in: 3)
      if isSet, changes.contains(where: { $0.value != nil && $0.name.collides(with: name) }) {
        continue
      }
      changes.append(FieldChange(name, isSet ? value(of: name) : nil))
    }
    return changes.sorted { $0.name < $1.name }
  }

  private mutating func value(of name: FieldName) -> Value {
    switch name.defaultValue {
    case .text: .text(RandomValue.text(using: &generator))
    case .bool: .bool(Bool.random(using: &generator))
    default: RandomValue.any(using: &generator)
    }
  }
}
