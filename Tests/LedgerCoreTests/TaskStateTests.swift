import LedgerCore
import Testing

/// State is a function of the set of events, whatever the order of arrival.
struct TaskStateTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `any order of arrival gives the state that the rules give`(seed: UInt64) {
    var random = RandomEvents(seed: seed)
    let events = random.events(40)
    let expected = TaskState(events)
    #expect(PlainFold(events: events).agrees(with: expected))
    for _ in 0..<4 {
      var state = TaskState()
      let order = events.shuffled(using: &random.generator)
      for (index, event) in order.enumerated() {
        state.fold(event)
        #expect(state.brokenInvariants == [])
        #expect(PlainFold(events: Array(order[...index])).agrees(with: state))
      }
      #expect(state == expected)
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `events of many fields follow the same rules`(seed: UInt64) {
    var random = RandomEvents(seed: seed, names: RandomEvents.manyNames)
    let events = random.events(30, kinds: [.upsert, .update, .update, .update, .toggle, .evict])
    var state = TaskState()
    for (index, event) in events.enumerated() {
      state.fold(event)
      #expect(state.brokenInvariants == [])
      #expect(PlainFold(events: Array(events[...index])).agrees(with: state))
    }
    #expect(TaskState(events.shuffled(using: &random.generator)) == state)
  }

  @Test(arguments: 0..<40 as Range<UInt64>, [RandomEvents.fewNames, RandomEvents.manyNames])
  func `any split of the events merges to the same state`(seed: UInt64, names: [FieldName]) {
    var random = RandomEvents(seed: seed, names: names)
    let events = random.events(40)
    let expected = TaskState(events)
    for parts in 1...5 {
      var states = [TaskState](repeating: TaskState(), count: parts)
      for event in events.shuffled(using: &random.generator) {
        // An event may have reached several parts.
        for _ in 0...Int.random(in: 0...1, using: &random.generator) {
          states[Int.random(in: 0..<parts, using: &random.generator)].fold(event)
        }
      }
      while states.count > 1 {
        states.shuffle(using: &random.generator)
        let other = states.removeLast()
        states[0].merge(other)
        #expect(states[0].brokenInvariants == [])
      }
      #expect(states[0] == expected)
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `what was folded before changes nothing`(seed: UInt64) {
    var random = RandomEvents(seed: seed)
    let events = random.events(30)
    var state = TaskState(events)
    for event in events { state.fold(event) }
    state.merge(state)
    state.merge(TaskState())
    #expect(state == TaskState(events))
  }

  @Test func `changes that are not sorted are folded all the same`() {
    let told = past {
      $0.event(.upsert, at: 1, ["c": 1, "a": 2, "b": 3, "a": 4])
      $0.event(.update, at: 2, ["z": 1, "d": 2, "b": 5, "A": 6])
    }
    #expect(told.state.brokenInvariants == [])
    #expect(told.state.fields.map(\.name.text) == ["A", "a", "b", "c", "d", "z"])
    #expect(told.state.held(FieldName(unchecked: "b")) == 5)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `many changes that are not sorted are folded all the same`(seed: UInt64) {
    var random = RandomEvents(seed: seed, names: RandomEvents.manyNames)
    var (sorted, mixed) = (TaskState(), TaskState())
    for event in random.events(20) {
      sorted.fold(event)
      var other = event
      other.changes = (event.changes + event.changes).shuffled(using: &random.generator)
      mixed.fold(other)
      #expect(mixed.brokenInvariants == [])
      #expect(mixed == sorted)
    }
  }

  @Test func `a state without events is that of a task that never was`() {
    let state = TaskState()
    #expect(!state.exists)
    #expect(state.item(Past.task) == nil)
    #expect(state.revision == 0)
    #expect(state.newest == nil)
  }

  @Test func `an update alone makes no task`() {
    #expect(past { $0.event(.update, at: 1, ["body": "Get milk"]) }.json == nil)
  }

  @Test func `the revision is the newest sequence number, not that of the newest stamp`() {
    let told = past {
      $0.event(.upsert, at: 9, ["body": "Get milk"])
      $0.event(.update, at: 1, ["body": "Get honey"])
    }
    #expect(told.state.revision == 2)
    #expect(told.state.newest == told.events[0].stamp)
  }

  @Test func `a late value of a field loses to a later-stamped one`() {
    let told = past {
      $0.event(.upsert, at: 1, ["body": "Get milk"])
      $0.event(.update, at: 9, ["body": "Get oat milk"])
      $0.event(.update, at: 5, ["body": "Get honey", "due": 1])
    }
    #expect(told.state.item(Past.task)?.body == "Get oat milk")
    #expect(told.state.item(Past.task)?["due"] == 1)
  }

  @Test func `a late value loses to a later-stamped unset`() {
    let told = past {
      $0.event(.upsert, at: 1, ["due": 1])
      $0.event(.update, at: 9, ["due": nil])
      $0.event(.update, at: 5, ["due": 2])
    }
    #expect(told.state.item(Past.task)?["due"] == nil)
  }

  @Test func `a late toggle records a value and replay never guesses`() {
    let told = past {
      $0.event(.upsert, at: 1)
      $0.event(.toggle, at: 9, ["isCompleted": true])
      $0.event(.toggle, at: 5, ["isCompleted": true])
    }
    #expect(told.state.item(Past.task)?.isCompleted == true)
  }

  @Test func `equal times are decided by replica, then by count`() {
    let told = past {
      $0.event(.upsert, at: 1, replica: 2, ["who": "two, first"])
      $0.event(.update, at: 1, replica: 2, ["who": "two, second"])
      $0.event(.update, at: 1, replica: 1, ["who": "one"])
    }
    #expect(told.state.item(Past.task)?["who"] == "two, second")
  }

  @Test func `an evict ends the life of the task and of all its fields`() {
    let told = past {
      $0.event(.upsert, at: 1, ["body": "Get milk", "due": 1])
      $0.event(.evict, at: 2)
    }
    #expect(told.json == nil)
    #expect(told.state.fields.isEmpty)
  }

  @Test func `a new life starts without the fields of the one before`() {
    let told = past {
      $0.event(.upsert, at: 1, ["body": "Get milk", "due": 1])
      $0.event(.evict, at: 2)
      $0.event(.upsert, at: 3, ["priority": 2])
    }
    #expect(
      told.json
        == #"{"_id":"milk","body":"","isCompleted":false,"isDeleted":false,"priority":2}"#)
  }

  @Test func `a late evict removes what is older and spares what is newer`() {
    let told = past {
      $0.event(.upsert, at: 1, ["body": "Get milk", "due": 1])
      $0.event(.upsert, at: 9, ["priority": 2])
      $0.event(.evict, at: 5)
    }
    #expect(
      told.json
        == #"{"_id":"milk","body":"","isCompleted":false,"isDeleted":false,"priority":2}"#)
  }

  @Test func `a late evict takes the existence when no upsert is newer`() {
    let told = past {
      $0.event(.upsert, at: 1, ["body": "Get milk"])
      $0.event(.update, at: 9, ["priority": 2])
      $0.event(.evict, at: 5)
    }
    #expect(told.json == nil)
    #expect(told.state.held(FieldName(unchecked: "priority")) == 2)
  }

  @Test func `an upsert older than the evict revives nothing`() {
    let told = past {
      $0.event(.upsert, at: 1)
      $0.event(.evict, at: 9)
      $0.event(.upsert, at: 5, ["body": "Get milk"])
    }
    #expect(told.json == nil)
  }

  @Test func `updates between the evict and the reviving upsert belong to the new life`() {
    let told = past {
      $0.event(.upsert, at: 1, ["due": 1])
      $0.event(.evict, at: 2)
      $0.event(.update, at: 3, ["priority": 2])
      $0.event(.upsert, at: 4, ["body": "Get milk"])
    }
    #expect(
      told.json
        == #"{"_id":"milk","body":"Get milk","isCompleted":false,"isDeleted":false,"priority":2}"#)
  }

  @Test(.timeLimit(.minutes(15)))
  func `events of 100,000 fields are folded in reasonable time`() {
    func event(_ sequence: UInt64, _ suffix: String) -> Event {
      let stamp = Stamp(
        time: .earliest, replica: ReplicaID(high: 0, low: 1), count: sequence)
      return Event(
        sequence: sequence, stamp: stamp, kind: .upsert, task: Past.task,
        changes: (100_000..<200_000).map { FieldChange(FieldName(unchecked: "\($0)\(suffix)"), 1) },
        author: "ann", transaction: sequence, endsTransaction: true, recorded: stamp.time)
    }
    var state = TaskState()
    for (index, suffix) in ["k", "b", ".d.e", "x"].enumerated() {
      state.fold(event(UInt64(index + 1), suffix))
    }
    state.merge(TaskState([event(9, "c"), event(10, "k")]))
    #expect(state.fields.count == 500_000)
    #expect(state.visibleFields.count == 500_000)
    #expect(state.brokenInvariants == [])
  }
}
