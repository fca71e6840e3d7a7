/// Commands become events.
extension PlainModel {
  package enum Outcome: Equatable, Sendable {
    /// The event with this sequence number was appended.
    case appended(Int)
    /// It would change nothing; that is a success.
    case nothing
    case refused(PlainRefusal)
  }

  package enum TransactionOutcome: Equatable, Sendable {
    /// One outcome per command, none of them refused.
    case done([Outcome])
    /// The command at this index was refused, and nothing of the transaction happened.
    case refused(index: Int, PlainRefusal)
  }

  private static let dayMilliseconds: Int64 = 86_400_000
  private static let eventSizeMax = 4 << 20
  private static let transactionSizeMax = 64 << 20

  /// Runs a command that is its own transaction. `now` is the machine's clock in Unix milliseconds.
  @discardableResult
  package mutating func run(_ command: PlainCommand, now: Int64) -> Outcome {
    switch run(transaction: [command], now: now) {
    case .done(let outcomes): outcomes[0]
    case .refused(_, let refusal): .refused(refusal)
    }
  }

  /// Runs commands that are one transaction: all of them, or none. Each acts on what those before
  /// it left.
  @discardableResult
  package mutating func run(transaction commands: [PlainCommand], now: Int64) -> TransactionOutcome
  {
    let (countBefore, ownCountBefore) = (events.count, ownCount)
    var outcomes: [Outcome] = []
    for (index, command) in commands.enumerated() {
      do throws(PlainRefusal) {
        // A transaction is named by its first event; commands that append nothing do not count.
        let event = try makeEvent(command, now: now, transaction: countBefore + 1)
        if let event { append(event) }
        outcomes.append(event.map { .appended($0.sequence) } ?? .nothing)
        let size = events[countBefore...].reduce(0) { $0 + $1.size }
        if size > Self.transactionSizeMax { throw .size }
      } catch {
        rollBack(to: countBefore, ownCount: ownCountBefore)
        return .refused(index: index, error)
      }
    }
    return .done(outcomes)
  }

  /// The event that a command makes; nil when it would change nothing.
  private func makeEvent(_ command: PlainCommand, now: Int64, transaction: Int)
    throws(PlainRefusal) -> PlainEvent?
  {
    guard command.task.isTaskID else { throw .taskID }
    let wishes = try command.wishes()
    if let time = command.time, time > now + Self.dayMilliseconds { throw .future }
    let stamp = nextStamp(time: command.time, now: now)
    // A late command acts on the task as it stood at its stamp; any other on all there is, which
    // is the same thing, for its stamp is the largest.
    let earlier = events(of: command.task).filter { $0.stamp < stamp }
    let task = PlainTask(command.task, folding: earlier)
    guard task.exists || command.kind == .upsert else { throw .noTask }
    let changes = task.changes(for: command.kind, wishes)
    // Creating and evicting are changes even where no field changes.
    let createsOrEvicts = !task.exists || command.kind == .evict
    if changes.isEmpty && !createsOrEvicts { return nil }
    let event = PlainEvent(
      sequence: events.count + 1, stamp: stamp, kind: command.kind.event, task: command.task,
      changes: changes, author: command.author, message: command.message,
      transaction: transaction, recorded: now)
    if event.size > Self.eventSizeMax { throw .size }
    return event
  }
}

extension PlainCommand.Kind {
  package var event: PlainEvent.Kind {
    self == .restore ? .update : PlainEvent.Kind(rawValue: rawValue)!
  }
}

/// What differs between the task as it stands and the task as a command wants it.
extension PlainTask {
  package func changes(for kind: PlainCommand.Kind, _ wishes: [PlainWish]) -> [PlainChange] {
    switch kind {
    case .upsert, .update: changes(for: wishes)
    case .toggle: changes(for: [PlainWish(name: "isCompleted", value: opposite("isCompleted"))])
    case .delete: changes(for: [PlainWish(name: "isDeleted", value: true)])
    case .restore: changes(for: [PlainWish(name: "isDeleted", value: false)])
    case .evict: []
    }
  }

  private func opposite(_ name: PlainText) -> PlainJSON { .bool(reading(name) == false) }

  private func changes(for wishes: [PlainWish]) -> [PlainChange] {
    var changes: [PlainText: PlainJSON?] = [:]
    for wish in wishes {
      if let value = wish.value {
        // A new task records whatever it is given, the default or what it holds already, too.
        if !exists || reading(wish.name) != value { changes.updateValue(value, forKey: wish.name) }
        // Even where the value does not differ, it shall show from now on.
        for held in fields.keys where held.collides(with: wish.name) {
          changes.updateValue(nil, forKey: held)
        }
      } else {
        for held in fields.keys where held == wish.name || held.extends(wish.name) {
          if unsettingDiffers(held) { changes.updateValue(nil, forKey: held) }
        }
      }
    }
    return changes.sorted { $0.key < $1.key }.map { PlainChange(name: $0.key, value: $0.value) }
  }

  /// Unsetting a field that holds what an absent one reads as changes nothing for any reader. A new
  /// task unsets it nevertheless, as it also records a default that it is given.
  private func unsettingDiffers(_ name: PlainText) -> Bool {
    !exists || fields[name]?.value != PlainStandardField.reading(name)
  }
}
