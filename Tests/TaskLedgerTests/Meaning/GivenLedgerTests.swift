import LedgerTestSupport
import TaskLedger
import Testing

/// What `LedgerTestSupport` offers for tests in three steps, by such tests of what commands mean.
@Suite struct `A given ledger` {
  private let milk = EventSketch.upsert("milk", ["body": "Get milk", "due": "2026-12-01"])

  private func task(_ change: (inout TaskItem) -> Void = { _ in }) -> TaskItem {
    var task = TaskItem(id: "milk", body: "Get milk")
    task["due"] = "2026-12-01"
    change(&task)
    return task
  }

  @Test func `takes a command, and tells the event that follows`() throws {
    try GivenLedger(milk)
      .when(.toggle("milk"), author: "bob")
      .then(.toggle("milk").by("bob").at("2026-11-30T12:00:01Z"))
      .then(tasks: [task { $0.isCompleted = true }])
  }

  @Test func `records only what differs`() throws {
    try GivenLedger(milk)
      .when(.update("milk", ["body": "Get milk", "due": nil, "priority": 2]).because("no hurry"))
      .then(.update("milk", ["due": nil, "priority": 2]).because("no hurry"))
  }

  @Test func `appends nothing where nothing would change`() throws {
    try GivenLedger(milk).when(.update("milk", ["due": "2026-12-01"]), .restore("milk"))
      .then().then(tasks: [task()])
  }

  @Test func `begins a new life after an evict, and goes on from there`() throws {
    try GivenLedger(milk, .evict("milk"))
      .when(.upsert("milk", ["body": "Get oat milk"]))
      .then(tasks: [TaskItem(id: "milk", body: "Get oat milk")])
      .when(.delete("milk"), author: "bob")
      .then(.delete("milk").by("bob"))
  }

  @Test func `takes late history under what is there`() throws {
    try GivenLedger(milk, .update("milk", ["due": "2026-12-24"]))
      .when(
        .update("milk", ["due": "2026-12-06", "tags.home": true]).at("2026-11-30T12:00:00.500Z")
      )
      .then(.update("milk", ["due": "2026-12-06", "tags.home": true]))
      .then(tasks: [
        task {
          $0["due"] = "2026-12-24"
          $0["tags.home"] = true
        }
      ])
  }

  @Test func `refuses what is about no task, and says so`() throws {
    try GivenLedger(milk, .evict("milk"))
      .when(.toggle("milk"))
      .then(refused: .noSuchTask, "milk")
  }

  @Test func `runs any code on the ledger`() throws {
    try GivenLedger(milk, .update("milk", ["body": "Get oat milk"]).by("ann"))
      .when { try $0.undo(author: "ann") }
      .then(.update("milk", ["body": "Get milk"]).by("ann"))
      .then(tasks: [task()])
  }

  @Test func `is not made of what would change nothing, or is refused`() {
    let idle = #expect(throws: LedgerMismatch.self) {
      try GivenLedger(milk, .restore("milk"))
    }
    #expect(
      idle?.description
        == "given event 2\n  update milk: isDeleted = false would change nothing")
    #expect(throws: LedgerError.self) { try GivenLedger(.toggle("milk")) }
  }

  @Test func `says what followed in the place of what was expected`() throws {
    let toggled = try GivenLedger(milk).when(.toggle("milk"), .update("milk", ["due": nil]))
    let found = [
      "found toggle milk: isCompleted = true, by tester, at 2026-11-30T12:00:01.000Z",
      "found update milk: due unset, by tester, at 2026-11-30T12:00:01.000Z",
    ]
    for (expected, differences) in [
      ([], ["event 1: \(found[0]); expected none", "event 2: \(found[1]); expected none"]),
      (
        [EventSketch.toggle("milk")],
        ["event 2: \(found[1]); expected none"]
      ),
    ] {
      let mismatch = #expect(throws: LedgerMismatch.self) {
        expected.isEmpty ? try toggled.then() : try toggled.then(expected[0])
      }
      #expect(mismatch?.differences == differences)
    }
    let wrong = [
      EventSketch.toggle("eggs"), .delete("milk"), .toggle("milk").by("bob"),
      .toggle("milk").because("why"), .toggle("milk").at("2026-11-30T12:00:02Z"),
    ]
    for sketch in wrong {
      let mismatch = #expect(throws: LedgerMismatch.self) {
        try toggled.then(sketch, .update("milk", ["due": nil]))
      }
      #expect(mismatch?.differences == ["event 1: \(found[0]); expected \(sketch)"])
    }
    for fields in [["due": Optional<Value>.none, "x": 1], ["due": "x"], ["Due": nil]] {
      #expect(throws: LedgerMismatch.self) {
        try toggled.then(.toggle("milk"), .update("milk", fields))
      }
    }
    let more = #expect(throws: LedgerMismatch.self) {
      try toggled.then(.toggle("milk"), .update("milk", ["due": nil]), .evict("milk"))
    }
    #expect(more?.differences == ["event 3: found no event; expected evict milk"])
    #expect(throws: LedgerMismatch.self) { try toggled.then(tasks: [task()]) }
  }

  @Test func `takes no error for an answer, and no answer for an error`() throws {
    let refused = try GivenLedger().when(.toggle("milk"))
    for body: () throws -> Void in [
      { try refused.then() }, { try refused.then(tasks: []) }, { _ = try refused.when(milk) },
      { try refused.then(refused: .conflict) }, { try refused.then(refused: .noSuchTask, "eggs") },
      { try GivenLedger(milk).when(.toggle("milk")).then(refused: .noSuchTask) },
    ] {
      #expect(throws: LedgerMismatch.self) { try body() }
    }
    // Refused in the end, and yet something was appended.
    let half = try GivenLedger(milk).when { ledger in
      try ledger.toggle("milk")
      try ledger.toggle("eggs")
    }
    let mismatch = #expect(throws: LedgerMismatch.self) { try half.then(refused: .noSuchTask) }
    #expect(mismatch?.differences.count == 1)
  }
}
