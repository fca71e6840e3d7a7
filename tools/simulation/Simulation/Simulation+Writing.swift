import LedgerPlainModel
import LedgerStorage
import TaskLedger

/// Transactions, side by side with the model.
extension Simulation {
  /// Gives the next commands of the stream to a handle as one transaction.
  func write(by index: Int) throws {
    var commands = nextCommands()
    // Most of what would be refused is passed over.
    while random.chance(75), isRefusedByModel(commands) { commands = nextCommands() }
    // Before the commands are noted: a handle that cannot be opened asks for nothing.
    let ledger = try handle(index)
    let number = expected.ask(commands, now: machine.now)
    tell("  \(commands.map(\.applyLine))")
    do {
      let made = try ledger.transaction { transaction in
        for command in commands { try transaction.perform(command.read(author: Self.author)) }
        return transaction.events.count
      }
      // A machine that has stopped acknowledges nothing.
      guard machine.remains == nil else { return expected.unanswered(number) }
      tell("  acknowledged \(made) events")
      if made == 0 {
        expected.refused(number)
        try check(commands, isRefused: false)
      } else {
        counts.count("commits")
        try noteAcknowledged(number, by: ledger)
      }
    } catch let broken as BrokenPromise {
      throw broken
    } catch {
      try noteFailed(number, commands, LedgerError.wrapping(error))
    }
  }

  private func noteAcknowledged(_ number: Int, by ledger: Ledger) throws {
    let known = expected.acknowledged.events.count
    var found: [PlainEvent] = []
    do throws(LedgerError) {
      try ledger.forEachEvent(EventFilter(after: UInt64(known))) { event in
        found.append(PlainEvent(event))
        return true
      }
    } catch {
      // The reading may have met a fault: others read.
      found = try LedgerInspection.log(of: opened()).events.filter { $0.sequence > known }
    }
    if machine.remains != nil { return expected.unanswered(number) }
    isSurelyCreated = true
    let count = expected.acknowledged.events.count
    if count > known {
      // Others were answered meanwhile.
      found = try LedgerInspection.log(of: opened()).events.filter { $0.sequence > count }
      return try expected.acknowledged(number, with: found, after: count)
    }
    try expected.acknowledged(number, with: found, after: known)
  }

  private func noteFailed(_ number: Int, _ commands: [PlainCommand], _ error: LedgerError) throws {
    switch error.code {
    case .invalid, .noSuchTask, .badLine:
      expected.refused(number)
      counts.count("refused")
      let isBeforeHorizon = horizons != [0] && error.message.contains("horizon")
      if !isBeforeHorizon { try check(commands, isRefused: true) }
    default:
      // A machine that stopped in the middle of that has said nothing.
      if error.wasTakenBack, machine.remains == nil {
        expected.refused(number)
        counts.count("writes taken back")
      } else {
        expected.unanswered(number)
      }
      throw error
    }
  }

  /// The model says the same of commands that made no event.
  private func check(_ commands: [PlainCommand], isRefused: Bool) throws {
    guard expected.isSure, machine.remains == nil, !machine.hasInterlude else { return }
    var model = expected.acknowledged
    let before = model.events.count
    switch model.run(transaction: commands, now: machine.now) {
    case .refused where isRefused: return
    case .done where !isRefused && model.events.count == before: return
    case let outcome:
      throw BrokenPromise(
        "the ledger \(isRefused ? "refuses" : "sees no change in") \(commands.map(\.applyLine)), the model says \(outcome)"
      )
    }
  }

  private func isRefusedByModel(_ commands: [PlainCommand]) -> Bool {
    var model = expected.acknowledged
    if case .refused = model.run(transaction: commands, now: machine.now) { return true }
    return false
  }

  private func nextCommands() -> [PlainCommand] {
    guard let step = stream.next() else { return [] }
    machine.now = step.now + clockShift
    var commands = step.commands.map { command in
      var command = command
      command.author = command.author ?? PlainText(Self.author)
      if command.message == "" { command.message = nil }
      command.time = isCalm ? nil : command.time.map { $0 + clockShift }
      return command
    }
    if random.chance(15) {
      // Long enough for several sectors, and nothing that zstd could shorten.
      let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-".utf8)
      let bytes = (0..<200 + random.below(2500)).map { _ in random.pick(letters) }
      let text = PlainText(String(decoding: bytes, as: UTF8.self))
      commands.append(
        PlainCommand(
          .upsert, "long", set: [PlainMember("text", .text(text))],
          author: PlainText(Self.author)))
    }
    return commands
  }
}
