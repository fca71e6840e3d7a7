import TaskLedger

/// A ledger in which something has happened already, for a test in three steps: given events, when something is done, then what
/// follows.
///
/// ```swift
/// @Test func `a task that comes back keeps its text`() throws {
///   try GivenLedger(.upsert("milk", ["body": "Get milk"]), .delete("milk"))
///     .when(.restore("milk"))
///     .then(.update("milk", ["isDeleted": false]))
///     .then(tasks: [TaskItem(id: "milk", body: "Get milk")])
/// }
/// ```
/// What is done need not be sketches: `when` takes any closure, such as a call of the app's own code. What follows is asked for by
/// events, by tasks, or by the error with which it was refused; what does not hold is thrown as a ``LedgerMismatch``, which a test that
/// throws reports.
///
/// The ledger lives in memory. Its clock says 2026-11-30T12:00:00Z at the first event, moves on by a second for each, and stands still in
/// between; new ids are `task-1`, `task-2` and so on.
public struct GivenLedger: Sendable {
  /// The ledger.
  public let ledger: Ledger
  /// Its clock.
  public let clock: TestClock

  /// Makes a ledger in which these things were done, each in a transaction of its own, by the author `given` unless it says otherwise.
  ///
  /// - Throws: ``LedgerError`` where one of them is refused; ``LedgerMismatch`` where one of them changes nothing, for then the ledger
  ///   would not be what the test says.
  public init(_ events: EventSketch...) throws {
    clock = try TestClock()
    ledger = try Ledger.inMemory(
      author: "given", configuration: .forTests(clock: clock, ids: TestIDs()))
    for (place, event) in events.enumerated() {
      guard try ledger.perform([event], author: "given").isEmpty == false else {
        throw LedgerMismatch(
          name: "given event \(place + 1)", differences: ["\(event) would change nothing"])
      }
      clock.advance(milliseconds: 1000)
    }
  }

  /// Does something, in one transaction.
  ///
  /// - Parameters:
  ///   - commands: what is done.
  ///   - author: by whom, where a command does not say.
  /// - Returns: what follows, an error of the ledger included.
  public func when(_ commands: EventSketch..., author: String = "tester") -> LedgerOutcome {
    when { ledger in try ledger.perform(commands, author: author) }
  }

  /// Does something with the ledger.
  ///
  /// - Returns: what follows, an error that `body` throws included.
  public func when(_ body: (Ledger) throws -> Void) -> LedgerOutcome {
    LedgerOutcome(of: self, body)
  }
}

extension Ledger {
  /// Carries out sketches in one transaction.
  ///
  /// - Returns: the events that they made.
  @discardableResult
  func perform(_ sketches: [EventSketch], author: String) throws -> [Event] {
    try transaction(author: author) { transaction in
      try sketches.compactMap { try transaction.perform($0.command(by: author)) }
    }
  }
}
