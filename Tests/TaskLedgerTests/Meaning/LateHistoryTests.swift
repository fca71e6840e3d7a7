import LedgerFormat
import Testing

@testable import TaskLedger

/// What arrives late acts on the past, and the present is what it would have been.
struct `Late history` {
  @Test(arguments: Scenario.Kind.allCases)
  func `an evict under a later update ends the task but not the update's field`(
    kind: Scenario.Kind
  ) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert, set: ["a": 1, "b": 2], at: 10)
    try story.tell(.update, set: ["a": 3], at: 30)
    try story.tell(.evict, at: 20)
    #expect(try story.shown() == nil)
    #expect(try story.ledger.tasks().isEmpty)
    #expect(throws: LedgerError.self) { try story.tell(.toggle) }
    #expect(
      try story.history() == [
        "1 upsert a: - → 1, b: - → 2", "2 update a: - → 3", "3 evict",
      ])
    #expect(try story.shown(at: .sequence(2)) == #"{"a":3,"b":2}"#)
    #expect(try story.shown(at: .time(Scenario.time(19))) == #"{"a":1,"b":2}"#)
    #expect(try story.shown(at: .time(Scenario.time(25))) == nil)
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `an upsert after such an evict finds the orphaned field`(kind: Scenario.Kind) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert, set: ["a": 1, "b": 2], at: 10)
    try story.tell(.update, set: ["a": 3], at: 30)
    try story.tell(.evict, at: 20)
    try story.tell(.upsert, set: ["c": 4], at: 40)
    #expect(try story.shown() == #"{"a":3,"c":4}"#)
    #expect(try story.history()[3] == "4 upsert c: - → 4")
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `an upsert that revives unsets what it collides with or nulls`(kind: Scenario.Kind) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert, at: 10)
    try story.tell(.update, set: ["a.b": 1, "c": 2, "d": 3], at: 30)
    try story.tell(.evict, at: 20)
    // It also records what the present life holds already: it creates the task.
    try story.tell(.upsert, set: ["a": 5, "d": 3], unset: ["c"], at: 40)
    #expect(try story.history()[3] == "4 upsert a: - → 5, a.b: - → -, c: - → -, d: - → 3")
    #expect(try story.shown() == #"{"a":5,"d":3}"#)
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `an upsert that arrives under a later evict changes nothing but the history`(
    kind: Scenario.Kind
  ) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert, set: ["a": 1], at: 10)
    try story.tell(.evict, at: 30)
    #expect(try story.tell(.upsert, set: ["a": 2, "b": 3], at: 20))
    #expect(try story.shown() == nil)
    #expect(
      try story.history() == [
        "1 upsert a: - → 1", "2 evict", "3 upsert a: 1 → 2, b: - → 3, lost a b",
      ])
    #expect(try story.shown(at: .time(Scenario.time(20))) == #"{"a":2,"b":3}"#)
    // A new life knows nothing of it.
    try story.tell(.upsert, set: ["c": 4], at: 40)
    #expect(try story.shown() == #"{"c":4}"#)
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `an upsert under an evict of a task that had no upsert yet creates it in the past only`(
    kind: Scenario.Kind
  ) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert, set: ["a": 1], at: 30)
    try story.tell(.evict, at: 40)
    try story.tell(.upsert, set: ["a": 1], at: 20)
    #expect(try story.history()[2] == "3 upsert a: - → 1, lost a")
    // What was new at 30 is not new any more: there was a task by then.
    #expect(try story.history()[0] == "1 upsert a: 1 → 1")
    #expect(try story.shown() == nil)
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `a toggle reverses what was there, and the later one stays`(kind: Scenario.Kind) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert, at: 10)
    try story.tell(.toggle, at: 30)
    try story.tell(.toggle, at: 20)
    #expect(
      try story.history() == [
        "1 upsert", "2 toggle isCompleted: true → true",
        "3 toggle isCompleted: false → true, lost isCompleted",
      ])
    #expect(try story.shown() == #"{"isCompleted":true}"#)
    try story.tell(.toggle, at: 40)
    #expect(try story.shown() == "{}")
    try story.tell(.toggle, at: 35)
    #expect(try story.history()[4] == "5 toggle isCompleted: true → false, lost isCompleted")
    #expect(try story.shown() == "{}")
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `a command that was right at its time is taken, one that was not is refused`(
    kind: Scenario.Kind
  ) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert, set: ["a": 1], at: 10)
    try story.tell(.evict, at: 30)
    #expect(throws: LedgerError.self) { try story.tell(.toggle, at: 5) }
    #expect(throws: LedgerError.self) { try story.tell(.toggle, at: 30) }
    #expect(try !story.tell(.update, set: ["a": 1], at: 29))
    #expect(try story.tell(.update, set: ["a": 2], at: 29))
    #expect(try story.tell(.delete, at: 29))
    #expect(try !story.tell(.delete, at: 29))
    #expect(try story.ledger.lastSequence == 4)
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `events of one millisecond follow each other as they came`(kind: Scenario.Kind) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert, set: ["a": 1], at: 10)
    try story.tell(.update, set: ["a": 2], at: 10)
    try story.tell(.toggle, at: 10)
    try story.tell(.toggle, at: 10)
    #expect(
      try story.history() == [
        "1 upsert a: - → 1", "2 update a: 1 → 2", "3 toggle isCompleted: false → true",
        "4 toggle isCompleted: true → false",
      ])
    #expect(try story.shown() == #"{"a":2}"#)
    // The time cannot cut between them, the number can.
    #expect(try story.shown(at: .time(Scenario.time(10))) == #"{"a":2}"#)
    #expect(try story.shown(at: .sequence(1)) == #"{"a":1}"#)
    try story.tell(.update, set: ["a": 5], at: 20)
    // Late, in the millisecond of the others, it comes after them.
    try story.tell(.update, set: ["a": 3], at: 10)
    #expect(try story.history()[5] == "6 update a: 2 → 3, lost a")
    #expect(try story.history()[4] == "5 update a: 3 → 5")
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `an evict and an upsert of one millisecond are a new life`(kind: Scenario.Kind) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert, set: ["a": 1], at: 10)
    try story.tell(.evict, at: 10)
    try story.tell(.upsert, set: ["b": 2], at: 10)
    #expect(try story.shown() == #"{"b":2}"#)
    #expect(try story.history()[2] == "3 upsert b: - → 2")
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `a prefix told late hides under the path that is newer, and shows when that is unset`(
    kind: Scenario.Kind
  ) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert, at: 10)
    try story.tell(.update, set: ["a.b": 1], at: 30)
    try story.tell(.update, set: ["a": 2], at: 20)
    #expect(try story.shown() == #"{"a":{"b":1}}"#)
    #expect(try story.history()[2] == "3 update a: - → 2")
    // A hidden field counts as set: the command compares with it, and setting what shows unsets it.
    #expect(try !story.tell(.update, set: ["a": 2], at: 20))
    try story.tell(.update, set: ["a.b": 1], at: 40)
    #expect(try story.history()[3] == "4 update a: 2 → -")
    #expect(try story.shown() == #"{"a":{"b":1}}"#)
    try story.tell(.update, unset: ["a.b"], at: 35)
    #expect(try story.shown() == "{}")
    #expect(try story.shown(at: .time(Scenario.time(36))) == #"{"a":2}"#)
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `the end of a life is told late, and what followed becomes the next life`(
    kind: Scenario.Kind
  ) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert, set: ["a": 1, "b": 1], at: 10)
    try story.tell(.upsert, set: ["a": 2], at: 30)
    try story.tell(.evict, at: 20)
    #expect(try story.shown() == #"{"a":2}"#)
    #expect(try story.history()[1] == "2 upsert a: - → 2")
    try story.tell(.update, set: ["b": 7], at: 15)
    #expect(try story.shown() == #"{"a":2}"#)
    #expect(try story.history()[3] == "4 update b: 1 → 7, lost b")
  }
}
