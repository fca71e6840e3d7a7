import LedgerCore

/// What happened to one task, told event by event: `past.event(.update, at: 3, ["due": nil])`.
///
/// Events get sequence numbers in the order in which they are told, whatever their times; all are of one replica
/// unless another is named.
struct Past {
  private(set) var events: [Event] = []

  static let task: TaskID = "milk"

  mutating func event(
    _ kind: EventKind, at time: Int64, replica: UInt64 = 1,
    _ changes: KeyValuePairs<String, Value?> = [:]
  ) {
    let sequence = UInt64(events.count + 1)
    let stamp = Stamp(
      time: LedgerTime(unchecked: time), replica: ReplicaID(high: 0, low: replica), count: sequence)
    events.append(
      Event(
        sequence: sequence, stamp: stamp, kind: kind, task: Self.task, changes: listed(changes),
        author: "ann", transaction: sequence, endsTransaction: true, recorded: stamp.time))
  }

  var state: TaskState { TaskState(events) }

  /// The document in JSON; nil when the task does not exist.
  var json: String? { state.item(Self.task)?.json }

  /// What a command would record, such as `due=null priority=2`; nil when it would change nothing.
  func recorded(
    by kind: EventKind, _ changes: KeyValuePairs<String, Value?> = [:]
  ) throws -> String? {
    let command = Command(kind, Self.task, try ChangeSet(listed(changes)), author: "ann")
    return try state.changes(for: command).map(described)
  }
}

/// A past told in one place.
func past(_ tell: (inout Past) -> Void) -> Past {
  var past = Past()
  tell(&past)
  return past
}

/// Changes out of a literal.
func listed(_ changes: KeyValuePairs<String, Value?>) -> [FieldChange] {
  changes.map { FieldChange(FieldName(unchecked: $0.key), $0.value) }
}

/// Changes in words.
func described(_ changes: [FieldChange]) -> String {
  changes.map { "\($0.name)=\($0.value?.description ?? "null")" }.joined(separator: " ")
}
