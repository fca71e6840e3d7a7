import TaskLedger

/// What followed from what a test did to a ledger.
///
/// Each `then` throws a ``LedgerMismatch`` where something else followed, and gives the outcome back, so that several stand in a chain.
public struct LedgerOutcome {
  /// The ledger, for whatever else is to be asked of it.
  public let ledger: Ledger
  /// The error with which it ended; nil where it was done.
  public let error: (any Error)?
  private let before: UInt64
  private let given: GivenLedger

  init(of given: GivenLedger, _ body: (Ledger) throws -> Void) {
    self.given = given
    ledger = given.ledger
    before = (try? ledger.lastSequence) ?? 0
    do {
      try body(ledger)
      error = nil
    } catch {
      self.error = error
    }
  }

  /// Requires the events that were appended to be these, in their order; none means that nothing was changed.
  ///
  /// - Throws: ``LedgerMismatch`` with what was found in the place of what, also where an error came instead.
  @discardableResult
  public func then(_ expected: EventSketch...) throws -> LedgerOutcome {
    try requireDone()
    let found = try events()
    var differences: [String] = []
    for place in 0..<max(found.count, expected.count) {
      let event = place < found.count ? found[place] : nil
      let sketch = place < expected.count ? expected[place] : nil
      if let event, let sketch, sketch.isMet(by: event) { continue }
      let was = event.map { "found \(EventSketch($0))" } ?? "found no event"
      differences.append(
        "event \(place + 1): \(was); expected \(sketch.map(\.description) ?? "none")")
    }
    try require(differences)
    return self
  }

  /// Requires the tasks, softly deleted ones too, to be these afterwards, in any order.
  ///
  /// - Throws: ``LedgerMismatch`` that names each task that differs, also where an error came instead.
  @discardableResult
  public func then(tasks expected: [TaskItem]) throws -> LedgerOutcome {
    try requireDone()
    try require(try ledger.differences(from: expected))
    return self
  }

  /// Requires it to have been refused, and nothing to have been changed.
  ///
  /// - Parameters:
  ///   - code: the kind of the error.
  ///   - part: what its message says, among other things; nil: anything.
  /// - Throws: ``LedgerMismatch`` where there was no error, or another one, or something was appended all the same.
  @discardableResult
  public func then(
    refused code: LedgerError.Code, _ part: String? = nil
  ) throws -> LedgerOutcome {
    guard let error else {
      throw mismatch(["it was done, expected an error with code \(code.rawValue)"])
    }
    var differences: [String] = []
    let found = error as? LedgerError
    if found?.code != code {
      differences.append("found the error \(error), expected one with code \(code.rawValue)")
    } else if let part, let found, !found.message.contains(part) {
      differences.append("found the message \"\(found.message)\", expected one with \"\(part)\"")
    }
    differences += try events().map { "refused, and yet appended: \(EventSketch($0))" }
    try require(differences)
    return self
  }

  /// Goes on: what was done is given, and something else is done.
  public func when(_ commands: EventSketch..., author: String = "tester") throws -> LedgerOutcome {
    try requireDone()
    given.clock.advance(milliseconds: 1000)
    return LedgerOutcome(of: given) { try $0.perform(commands, author: author) }
  }

  /// The events that were appended.
  private func events() throws -> [Event] {
    var events: [Event] = []
    try ledger.forEachEvent(EventFilter(after: before)) { event in
      events.append(event)
      return true
    }
    return events
  }

  private func requireDone() throws {
    if let error { throw mismatch(["found the error \(error), expected none"]) }
  }

  private func require(_ differences: [String]) throws {
    guard differences.isEmpty else { throw mismatch(differences) }
  }

  private func mismatch(_ differences: [String]) -> LedgerMismatch {
    LedgerMismatch(name: "what followed is not what was expected", differences: differences)
  }
}
