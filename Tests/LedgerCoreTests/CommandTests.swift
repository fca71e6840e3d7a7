import LedgerCore
import Testing

/// What the event of a command records, given the task as it stands.
struct CommandTests {
  /// A task with a body, a due date and two tags.
  private let milk = past {
    $0.event(
      .upsert, at: 1,
      ["body": "Get milk", "due": "2026-11-30", "tags.home": true, "tags.shop.near": 1])
  }

  // MARK: upsert

  @Test func `upsert of a new task records every value, defaults too, and no null`() throws {
    #expect(
      try Past().recorded(
        by: .upsert,
        ["body": "", "isCompleted": false, "isDeleted": false, "due": nil, "priority": 2])
        == #"body="" isCompleted=false isDeleted=false priority=2"#)
  }

  @Test func `upsert of a new task without fields makes an event without changes`() throws {
    #expect(try Past().recorded(by: .upsert) == "")
    #expect(try Past().recorded(by: .upsert, ["due": nil, "body": nil]) == "")
  }

  @Test func `upsert of a task that is there records what differs`() throws {
    #expect(
      try milk.recorded(by: .upsert, ["body": "Get milk", "isDeleted": false, "priority": 2])
        == "priority=2")
    #expect(try milk.recorded(by: .upsert, ["due": nil]) == "due=null")
  }

  @Test func `upsert that would change nothing appends nothing`() throws {
    #expect(try milk.recorded(by: .upsert) == nil)
    #expect(try milk.recorded(by: .upsert, ["body": "Get milk", "isCompleted": false]) == nil)
  }

  @Test func `upsert leaves a deleted task deleted unless told otherwise`() throws {
    var deleted = milk
    deleted.event(.delete, at: 2, ["isDeleted": true])
    #expect(try deleted.recorded(by: .upsert, ["priority": 2]) == "priority=2")
    #expect(try deleted.recorded(by: .upsert, ["isDeleted": false]) == "isDeleted=false")
  }

  @Test func `upsert of an evicted task starts from nothing`() throws {
    var evicted = milk
    evicted.event(.evict, at: 2)
    #expect(
      try evicted.recorded(by: .upsert, ["body": "Get milk", "tags": 1, "due": nil])
        == #"body="Get milk" tags=1"#)
  }

  @Test func `a reviving upsert unsets what it collides with or nulls`() throws {
    let orphaned = past {
      $0.event(.upsert, at: 1)
      $0.event(.evict, at: 2)
      $0.event(.update, at: 3, ["a": 1, "b.c": 2, "d": 3, "e.f": 4, "body": "", "isDeleted": true])
    }
    #expect(
      try orphaned.recorded(
        by: .upsert, ["a.x": 1, "b": 2, "d": nil, "e": nil, "body": nil, "isDeleted": nil])
        == "a=null a.x=1 b=2 b.c=null body=null d=null e.f=null isDeleted=null")
  }

  @Test func `a reviving upsert records every value, also one that an orphaned update set`() throws
  {
    let orphaned = past { $0.event(.update, at: 3, ["a": 1, "isCompleted": false]) }
    #expect(
      try orphaned.recorded(by: .upsert, ["a": 1, "isCompleted": false]) == "a=1 isCompleted=false")
  }

  // MARK: update

  @Test func `update records the fields that differ`() throws {
    #expect(
      try milk.recorded(
        by: .update, ["body": "Get oat milk", "due": "2026-11-30", "tags.home": true, "n": 1])
        == #"body="Get oat milk" n=1"#)
  }

  @Test func `update that would change nothing appends nothing`() throws {
    #expect(try milk.recorded(by: .update) == nil)
    #expect(
      try milk.recorded(
        by: .update,
        ["body": "Get milk", "isCompleted": false, "isDeleted": nil, "n": nil, "tags.home": true])
        == nil)
  }

  @Test func `a number in another spelling is no difference`() throws {
    let told = past { $0.event(.upsert, at: 1, ["n": 1, "z": 0]) }
    #expect(try told.recorded(by: .update, ["n": .double(1), "z": .double(-0.0)]) == nil)
  }

  @Test func `a text in another Unicode form is a difference`() throws {
    let told = past { $0.event(.upsert, at: 1, ["n": "caf\u{e9}"]) }
    #expect(try told.recorded(by: .update, ["n": "cafe\u{301}"]) == "n=\"cafe\u{301}\"")
  }

  @Test func `unsetting a standard field that reads as its default records nothing`() throws {
    let told = past { $0.event(.upsert, at: 1, ["body": "", "isCompleted": false]) }
    #expect(
      try told.recorded(by: .update, ["body": nil, "isCompleted": nil, "isDeleted": nil]) == nil)
    #expect(try milk.recorded(by: .update, ["body": nil]) == "body=null")
  }

  @Test func `restoring is an update of isDeleted`() throws {
    var deleted = milk
    deleted.event(.delete, at: 2, ["isDeleted": true])
    #expect(try deleted.recorded(by: .update, ["isDeleted": false]) == "isDeleted=false")
    #expect(try milk.recorded(by: .update, ["isDeleted": false]) == nil)
  }

  @Test func `setting a field unsets its extensions`() throws {
    #expect(
      try milk.recorded(by: .update, ["tags": "none"])
        == #"tags="none" tags.home=null tags.shop.near=null"#)
    #expect(try milk.recorded(by: .update, ["tags.shop": 2]) == "tags.shop=2 tags.shop.near=null")
  }

  @Test func `setting a field unsets its prefixes`() throws {
    #expect(try milk.recorded(by: .update, ["due.day": 30]) == "due=null due.day=30")
    #expect(
      try milk.recorded(by: .update, ["tags.home.x.y": 1, "tags.shop.near.by": 2])
        == "tags.home=null tags.home.x.y=1 tags.shop.near=null tags.shop.near.by=2")
  }

  @Test func `unsetting a field unsets its extensions and not its prefixes`() throws {
    #expect(
      try milk.recorded(by: .update, ["tags": nil]) == "tags.home=null tags.shop.near=null")
    #expect(try milk.recorded(by: .update, ["due.day": nil]) == nil)
  }

  @Test func `what is unset already is not unset again`() throws {
    var told = milk
    told.event(.update, at: 2, ["tags.home": nil, "due": nil])
    #expect(
      try told.recorded(by: .update, ["tags": nil, "due.day": 3]) == "due.day=3 tags.shop.near=null"
    )
  }

  @Test func `fields that only look like extensions are left alone`() throws {
    let told = past {
      $0.event(
        .upsert, at: 1, ["a-b": 1, "a!": 2, "ab": 3, "ab.c": 4, "a/b": 5, "cafe\u{301}.x": 6])
    }
    #expect(try told.recorded(by: .update, ["a": 1, "caf\u{e9}": 2]) == "a=1 caf\u{e9}=2")
    #expect(try told.recorded(by: .update, ["a": nil, "e": nil]) == nil)
  }

  @Test func `hidden fields count as set`() throws {
    let told = past {
      $0.event(.upsert, at: 5, ["a.b": 1])
      $0.event(.update, at: 3, ["a": 2])
    }
    // Held and hidden: the same value is no difference, but what hides it has to go.
    #expect(try told.recorded(by: .update, ["a": 2]) == "a.b=null")
    #expect(try told.recorded(by: .update, ["a": 3]) == "a=3 a.b=null")
    #expect(try told.recorded(by: .update, ["a": nil]) == "a=null a.b=null")
    // Shown as it is, but the hidden prefix is still unset.
    #expect(try told.recorded(by: .update, ["a.b": 1]) == "a=null")
    #expect(try told.recorded(by: .update, ["a.c": 1]) == "a=null a.c=1")
    #expect(try told.recorded(by: .update, ["a.b": nil]) == "a.b=null")
  }

  // MARK: toggle, delete, evict

  @Test func `toggle records the value that it sets`() throws {
    #expect(try milk.recorded(by: .toggle) == "isCompleted=true")
    var done = milk
    done.event(.toggle, at: 2, ["isCompleted": true])
    #expect(try done.recorded(by: .toggle) == "isCompleted=false")
    done.event(.update, at: 3, ["isCompleted": nil])
    #expect(try done.recorded(by: .toggle) == "isCompleted=true")
  }

  @Test func `delete sets isDeleted`() throws {
    #expect(try milk.recorded(by: .delete) == "isDeleted=true")
  }

  @Test func `delete of a deleted task appends nothing`() throws {
    var deleted = milk
    deleted.event(.delete, at: 2, ["isDeleted": true])
    #expect(try deleted.recorded(by: .delete) == nil)
    deleted.event(.update, at: 3, ["isDeleted": false])
    #expect(try deleted.recorded(by: .delete) == "isDeleted=true")
  }

  @Test func `evict records no fields, of a deleted task neither`() throws {
    #expect(try milk.recorded(by: .evict) == "")
    var deleted = milk
    deleted.event(.delete, at: 2, ["isDeleted": true])
    #expect(try deleted.recorded(by: .evict) == "")
  }

  @Test(arguments: [EventKind.update, .toggle, .delete, .evict])
  func `a task that does not exist is refused`(kind: EventKind) {
    var evicted = milk
    evicted.event(.evict, at: 2)
    let orphaned = past { $0.event(.update, at: 3, ["a": 1]) }
    let hint = "`ledger list` shows the tasks that exist, `ledger audit ID` the history of one"
    let afterEvict =
      "it was evicted; `ledger undo ID` takes that back, `ledger audit ID` shows its history"
    for (told, hint) in [(Past(), hint), (evicted, afterEvict), (orphaned, hint)] {
      expectRefusal(
        "there is no task \"milk\"", code: .noSuchTask, hint: hint
      ) { _ = try told.recorded(by: kind) }
    }
  }

  // MARK: any command on any task

  /// The rule without the shortcuts: every change is compared with every held field.
  private func plainly(_ given: ChangeSet, on fold: PlainFold) -> [FieldChange] {
    var recorded: [FieldName: Value?] = [:]
    for change in given.changes {
      for field in fold.fields where field.value != nil {
        let isUnset =
          change.name.isPrefix(of: field.name)
          || (change.value != nil && field.name.isPrefix(of: change.name))
        if isUnset { recorded.updateValue(nil, forKey: field.name) }
      }
      let held = fold.held(change.name)
      let reads = held ?? change.name.defaultValue
      if change.value != nil {
        if !fold.exists || reads != change.value { recorded[change.name] = change.value }
      } else if held != nil, !fold.exists || reads != change.name.defaultValue {
        recorded.updateValue(nil, forKey: change.name)
      }
    }
    return recorded.map { FieldChange($0.key, $0.value) }.sorted { $0.name < $1.name }
  }

  @Test(arguments: 0..<60 as Range<UInt64>, [RandomEvents.fewNames, RandomEvents.manyNames])
  func `a command leaves the task as it says and then changes nothing`(
    seed: UInt64, names: [FieldName]
  ) throws {
    var random = RandomEvents(seed: seed, names: names)
    var events = random.events(15)
    for step in 0..<15 {
      let given = try random.given()
      var state = TaskState(events)
      let existed = state.exists
      let command = Command(existed ? .update : .upsert, Past.task, given, author: "ann")
      let recorded = try state.changes(for: command)
      #expect((recorded ?? []) == plainly(given, on: PlainFold(events: events)))
      #expect(
        (recorded == nil) == (existed && plainly(given, on: PlainFold(events: events)).isEmpty))

      guard let recorded else { continue }
      let sequence = UInt64(1000 + step)
      let event = Event(
        sequence: sequence,
        stamp: Stamp(
          time: LedgerTime(unchecked: Int64(sequence)), replica: ReplicaID(high: 0, low: 1),
          count: sequence),
        kind: command.kind, task: Past.task, changes: recorded, author: "ann",
        transaction: sequence,
        endsTransaction: true, recorded: .earliest)
      state.fold(event)
      events.append(event)
      let item = try #require(state.item(Past.task))
      for change in given.changes {
        let shown = item[change.name.text] ?? change.name.defaultValue
        #expect(shown == change.value ?? change.name.defaultValue)
        #expect(
          !item.fields.contains {
            change.value != nil && FieldName(unchecked: $0.name).collides(with: change.name)
          })
      }
      let again = Command(.upsert, Past.task, given, author: "ann")
      #expect(try state.changes(for: again) == nil)
    }
  }

  @Test(.timeLimit(.minutes(15)))
  func `a command on 100,000 fields is answered in reasonable time`() throws {
    let names = (0..<100_000).map { FieldName(unchecked: "f\($0).x") }
    let stamp = Stamp(time: .earliest, replica: ReplicaID(high: 0, low: 1), count: 1)
    let state = TaskState([
      Event(
        sequence: 1, stamp: stamp, kind: .upsert, task: Past.task,
        changes: try ChangeSet(names.map { FieldChange($0, 1) }).changes, author: "ann",
        transaction: 1,
        endsTransaction: true, recorded: .earliest)
    ])
    let below = try ChangeSet(names.map { FieldChange(FieldName(unchecked: $0.text + ".y"), 1) })
    #expect(
      try state.changes(for: Command(.update, Past.task, below, author: "ann"))?.count == 200_000)
    let above = try ChangeSet(
      names.map { FieldChange(FieldName(unchecked: String($0.text.dropLast(2))), 1) })
    #expect(
      try state.changes(for: Command(.update, Past.task, above, author: "ann"))?.count == 200_000)
  }

  @Test func `commands are equal when author and message have the same bytes`() {
    let command = Command(.toggle, Past.task, author: "Zoë", message: "caf\u{e9}")
    var other = command
    #expect(other == command)
    #expect(other.hashValue == command.hashValue)
    other.message = "cafe\u{301}"
    #expect(other != command)
    other = command
    other.author = "Zoe\u{308}"
    #expect(other != command)
    other = command
    other.message = nil
    #expect(other != command)
  }
}
