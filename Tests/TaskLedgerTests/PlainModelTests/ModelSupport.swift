import Testing

/// The clock of tests that do not care, and times around it.
let noon: Int64 = 1_700_000_000_000

extension PlainModel {
  /// Runs a command at a time, and demands that it makes an event.
  @discardableResult
  mutating func make(
    _ kind: PlainCommand.Kind, _ task: PlainText = "t", set: [PlainMember] = [],
    unset: [PlainText] = [], at time: Int64? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> PlainEvent {
    let outcome = run(PlainCommand(kind, task, set: set, unset: unset, time: time), now: noon)
    #expect(outcome == .appended(events.count), sourceLocation: sourceLocation)
    return events.last!
  }

  /// Runs a command at a time, for its outcome.
  mutating func outcome(
    _ kind: PlainCommand.Kind, _ task: PlainText = "t", set: [PlainMember] = [],
    unset: [PlainText] = [], at time: Int64? = nil
  ) -> Outcome {
    run(PlainCommand(kind, task, set: set, unset: unset, time: time), now: noon)
  }

  /// The documents as text, one per line.
  func text(at moment: Moment = .present) -> String? {
    digestedBytes(at: moment).map { String(decoding: $0, as: UTF8.self) }
  }

  /// What the document of `t` shows beside the four fields that are always there.
  var shown: String {
    guard case .object(let members) = task("t")!.document else { return "" }
    let standard: [PlainText] = ["_id", "body", "isCompleted", "isDeleted"]
    return PlainJSON.object(members.filter { !standard.contains($0.key) }).description
  }
}

extension PlainEvent {
  /// The changes as one JSON object, unset fields null.
  var changesText: String {
    PlainJSON.object(changes.map { PlainMember($0.name, $0.value ?? .null) }).description
  }
}

/// A member with the value first read from JSON.
func field(_ name: PlainText, _ json: String) -> PlainMember {
  PlainMember(name, try! PlainJSONReader.read(Array(json.utf8)))
}
