import LedgerCore
import Testing

/// The audit of a task: old and new values of each event, and the values that never showed.
struct TaskHistoryTests {
  /// An entry in words, such as `update due: 1 → null, lost due`.
  private func described(_ entry: AuditEntry) -> String {
    let changes = entry.changes.map { change in
      "\(change.name): \(change.old?.description ?? "none") → \(change.new?.description ?? "null")"
    }
    let lost = entry.lost.map { "lost \($0)" }
    return (["\(entry.event.kind)"] + changes + lost).joined(separator: ", ")
  }

  private func audit(_ tell: (inout Past) -> Void) -> [String] {
    TaskHistory.audit(past(tell).events).map(described)
  }

  @Test func `a plain history shows what each event replaced`() {
    let entries = audit {
      $0.event(.upsert, at: 1, ["body": "Get milk", "due": 1])
      $0.event(.update, at: 2, ["body": "Get oat milk", "due": nil])
      $0.event(.toggle, at: 3, ["isCompleted": true])
      $0.event(.delete, at: 4, ["isDeleted": true])
      $0.event(.evict, at: 5)
    }
    #expect(
      entries == [
        #"upsert, body: none → "Get milk", due: none → 1"#,
        #"update, body: "Get milk" → "Get oat milk", due: 1 → null"#,
        "toggle, isCompleted: false → true", "delete, isDeleted: false → true", "evict",
      ])
  }

  @Test func `old values are absent where the task was not there`() {
    let entries = audit {
      $0.event(.update, at: 1, ["a": 1])
      $0.event(.upsert, at: 2, ["a": 2, "body": ""])
      $0.event(.evict, at: 3)
      $0.event(.upsert, at: 4, ["a": 3, "isDeleted": false])
      $0.event(.update, at: 5, ["a": 4, "b": 5])
    }
    #expect(
      entries == [
        "update, a: none → 1", #"upsert, a: none → 2, body: none → """#, "evict",
        "upsert, a: none → 3, isDeleted: none → false", "update, a: 3 → 4, b: none → 5",
      ])
  }

  @Test func `hidden fields and defaults are old values`() {
    let entries = audit {
      $0.event(.upsert, at: 1, ["a": 2])
      $0.event(.update, at: 3, ["a.b": 1])
      $0.event(.update, at: 4, ["a": 5, "a.b": nil, "body": "x"])
    }
    #expect(entries[2] == #"update, a: 2 → 5, a.b: 1 → null, body: "" → "x""#)
  }

  @Test func `old values are those just before the stamp, not before the arrival`() {
    let entries = audit {
      $0.event(.upsert, at: 1, ["a": 1])
      $0.event(.update, at: 9, ["a": 9])
      $0.event(.update, at: 5, ["a": 5])
    }
    #expect(
      entries == [
        "upsert, a: none → 1", "update, a: 5 → 9", "update, a: 1 → 5, lost a",
      ])
  }

  @Test func `a value is lost to a later-stamped value or unset of the same field`() {
    let entries = audit {
      $0.event(.upsert, at: 1, ["a": 1, "b": 1, "c": 1])
      $0.event(.update, at: 9, ["a": 9, "b": nil])
      $0.event(.update, at: 5, ["a": 5, "b": 5, "c": 5])
    }
    #expect(entries[2] == "update, a: 1 → 5, b: 1 → 5, c: 1 → 5, lost a, lost b")
  }

  @Test func `a value is lost to a later-stamped evict`() {
    let entries = audit {
      $0.event(.upsert, at: 1, ["a": 1])
      $0.event(.evict, at: 9)
      $0.event(.update, at: 5, ["a": 5, "b": nil])
      $0.event(.upsert, at: 10, ["a": 10])
    }
    #expect(
      entries == [
        "upsert, a: none → 1", "evict", "update, a: 1 → 5, b: none → null, lost a",
        "upsert, a: none → 10",
      ])
  }

  @Test func `a value that showed before it was replaced is not lost`() {
    let entries = audit {
      $0.event(.update, at: 5, ["a": 5])
      $0.event(.update, at: 9, ["a": 9])
      $0.event(.evict, at: 10)
    }
    #expect(entries.allSatisfy { !$0.contains("lost") })
  }

  @Test func `an unset and a value hidden by another field are not lost`() {
    let entries = audit {
      $0.event(.upsert, at: 1, ["a": 1])
      $0.event(.update, at: 9, ["a": 9, "b.c": 2])
      $0.event(.update, at: 5, ["a": nil, "b": 5])
    }
    #expect(entries[2] == "update, a: 1 → null, b: none → 5")
  }

  @Test func `a value is lost to a lost value, too, if that is later-stamped`() {
    let entries = audit {
      $0.event(.upsert, at: 9, ["a": 9])
      $0.event(.update, at: 5, ["a": 5])
      $0.event(.update, at: 3, ["a": 3])
      $0.event(.update, at: 7, ["a": 7])
    }
    #expect(entries.map { $0.contains("lost a") } == [false, true, true, true])
  }

  @Test func `fields in two Unicode forms do not supersede each other`() {
    let entries = audit {
      $0.event(.upsert, at: 9, ["caf\u{e9}": 9])
      $0.event(.update, at: 5, ["cafe\u{301}": 5])
    }
    #expect(!entries[1].contains("lost"))
  }

  /// The audit straight from the words of the rules: each event against all others.
  private func plainly(_ events: [Event]) -> [AuditEntry] {
    events.indices.map { index in
      let event = events[index]
      let before = PlainFold(events: events.filter { $0.stamp < event.stamp })
      let laterStamped = events[..<index].filter { $0.stamp > event.stamp }
      let lost = event.changes.filter { change in
        change.value != nil
          && laterStamped.contains { other in
            other.kind == .evict || other.changes.contains { $0.name == change.name }
          }
      }
      let changes = event.changes.map { change in
        let reads = before.held(change.name) ?? change.name.defaultValue
        return (change.name, before.exists ? reads : nil, change.value)
      }
      return entry(event, changes, lost.map(\.name))
    }
  }

  private func entry(
    _ event: Event, _ changes: [(FieldName, Value?, Value?)], _ lost: [FieldName]
  ) -> AuditEntry {
    // An entry has no public initialiser: the one of an event that changes what is wanted serves.
    var entry = TaskHistory.entry(event, after: TaskState())
    for (index, change) in changes.enumerated() {
      entry.changes[index].name = change.0
      entry.changes[index].old = change.1
      entry.changes[index].new = change.2
    }
    entry.lost = lost
    return entry
  }

  @Test(arguments: 0..<60 as Range<UInt64>, [RandomEvents.fewNames, RandomEvents.manyNames])
  func `the audit of any history is what the rules say`(seed: UInt64, names: [FieldName]) {
    var random = RandomEvents(seed: seed, names: names)
    let events = random.events(30)
    #expect(TaskHistory.audit(events) == plainly(events))
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `an event in order has the entry that it has in the audit`(seed: UInt64) {
    var random = RandomEvents(seed: seed)
    let events = random.events(30).sorted { $0.stamp < $1.stamp }
    var state = TaskState()
    for (event, entry) in zip(events, TaskHistory.audit(events)) {
      #expect(TaskHistory.entry(event, after: state) == entry)
      state.fold(event)
    }
  }

  @Test func `an entry shows when and by whom`() {
    let told = past { $0.event(.upsert, at: 7) }
    let entry = TaskHistory.audit(told.events)[0]
    #expect(entry.sequence == 1)
    #expect(entry.time.description == "1970-01-01T00:00:00.007Z")
    #expect(entry.author == "ann")
    #expect(TaskHistory.audit([]).isEmpty)
  }

  @Test(.timeLimit(.minutes(15)))
  func `the audit of 100,000 events takes reasonable time`() {
    let names = (0..<50).map { FieldName(unchecked: "f\($0)") }
    let events = (1...100_000 as ClosedRange<UInt64>).map { sequence in
      // Every other event is late.
      let time = LedgerTime(unchecked: Int64(sequence % 2 == 0 ? sequence : sequence / 2))
      return Event(
        sequence: sequence,
        stamp: Stamp(time: time, replica: ReplicaID(high: 0, low: 1), count: sequence),
        kind: .upsert, task: Past.task, changes: [FieldChange(names[Int(sequence % 50)], 1)],
        author: "ann", transaction: sequence, endsTransaction: true, recorded: time)
    }
    #expect(TaskHistory.audit(events).count == 100_000)
  }
}
