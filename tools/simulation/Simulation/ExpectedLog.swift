import LedgerPlainModel

/// What a ledger may hold: all that was acknowledged, and behind it of what was asked for and not answered any part, in any order
/// that makes sense.
///
/// - What was acknowledged is kept as the plain model's own events, made by the model from the commands.
/// - An attempt that was not answered stays possible until something is acknowledged without it before it.
struct ExpectedLog {
  /// Commands that were given to a ledger as one transaction.
  struct Attempt {
    let number: Int
    let commands: [PlainCommand]
    /// What the clock showed.
    let now: Int64
    /// Whether it may still be under way.
    var isRunning = true
  }

  private(set) var acknowledged: PlainModel
  private var attempts: [Attempt] = []
  private var lastNumber = 0
  /// Attempts that others built on.
  private var pinned: Set<Int> = []

  init(replica: PlainText) { acknowledged = PlainModel(replica: replica) }

  /// Notes what is about to be asked.
  mutating func ask(_ commands: [PlainCommand], now: Int64) -> Int {
    lastNumber += 1
    attempts.append(Attempt(number: lastNumber, commands: commands, now: now))
    return lastNumber
  }

  /// It was refused: nothing of it can be there.
  mutating func refused(_ number: Int) { attempts.removeAll { $0.number == number } }

  /// There was no answer, or a failure: it may be there or not.
  mutating func unanswered(_ number: Int) {
    for place in attempts.indices where attempts[place].number == number {
      attempts[place].isRunning = false
    }
  }

  /// It was acknowledged, and these are the events that the ledger has now: all that stands before it is as good as
  /// acknowledged, and what does not will not come any more.
  mutating func acknowledged(_ number: Int, with found: [PlainEvent], after horizon: Int) throws {
    let (model, used) = try match(found, after: horizon)
    let made = attempts.first { $0.number == number }
    acknowledged = model
    attempts.removeAll { !$0.isRunning || $0.number == number || used.contains($0.number) }
    pinned.formUnion(used)
    // Somebody who built on it may have been answered first.
    guard used.contains(number) || pinned.remove(number) != nil else {
      throw BrokenPromise("the acknowledged transaction of \(made?.lines ?? []) is not there")
    }
  }

  /// These events are durable, whoever asked for them.
  mutating func pin(_ found: [PlainEvent], after horizon: Int) throws {
    let (model, used) = try match(found, after: horizon)
    acknowledged = model
    // What is not among them may have come since they were read.
    attempts.removeAll { used.contains($0.number) }
    pinned.formUnion(used)
  }

  /// Whether the log is known: nothing is unanswered, nothing under way.
  var isSure: Bool { attempts.isEmpty }

  /// The plain model of a log that was found; throws where it is not one that can be.
  func model(of found: [PlainEvent], after horizon: Int) throws -> PlainModel {
    try match(found, after: horizon).model
  }

  /// All attempts are over: the machine has stopped.
  mutating func allStopped() {
    for place in attempts.indices { attempts[place].isRunning = false }
  }

  private func match(
    _ found: [PlainEvent], after horizon: Int
  ) throws -> (model: PlainModel, used: Set<Int>) {
    let known = acknowledged.events.dropFirst(horizon)
    for (event, expected) in zip(found, known) where event != expected {
      throw BrokenPromise(
        "event \(expected.sequence) is \(event.summary), acknowledged was \(expected.summary)")
    }
    guard found.count >= known.count else {
      throw BrokenPromise(
        "the log ends with event \(horizon + found.count), acknowledged was \(acknowledged.events.count)"
      )
    }
    var model = acknowledged
    var used: Set<Int> = []
    var rest = found.dropFirst(known.count)
    while let first = rest.first {
      let group = rest.prefix { $0.transaction == first.transaction }
      guard let (next, number) = step(from: model, to: Array(group), without: used) else {
        throw BrokenPromise(
          "the transaction \(first.transaction) was never asked for like that: \(group.map(\.summary))"
        )
      }
      model = next
      used.insert(number)
      rest = rest.dropFirst(group.count)
    }
    return (model, used)
  }

  private func step(
    from model: PlainModel, to events: [PlainEvent], without used: Set<Int>
  ) -> (model: PlainModel, number: Int)? {
    for attempt in attempts where !used.contains(attempt.number) {
      var next = model
      guard case .done = next.run(transaction: attempt.commands, now: attempt.now) else { continue }
      if Array(next.events.dropFirst(model.events.count)) == events {
        return (next, attempt.number)
      }
    }
    return nil
  }
}

extension ExpectedLog.Attempt {
  /// What was asked for, as lines for `ledger apply`.
  var lines: [String] { commands.map(\.applyLine) }
}

extension PlainEvent {
  /// What tells it from others, in a few words.
  fileprivate var summary: String {
    "\(sequence) \(kind.rawValue) \(task) \(changes.map { "\($0.name)".prefix(12) }) at \(stamp.time), recorded \(recorded)"
  }
}
