import LedgerFormat
import Testing

@testable import TaskLedger

extension PlainCommand {
  /// The task that an upsert of an app would be given, or the id in its place; nil where the methods cannot say what
  /// the command says.
  fileprivate var asItem: TaskItem? {
    guard time == nil, kind != .update, unset.isEmpty, let id = try? TaskID(task.string) else {
      return nil
    }
    var item = TaskItem(id: id)
    for (index, member) in set.enumerated() {
      let others = set[..<index].map(\.key)
      guard let value = member.value.asFieldValue, kind == .upsert,
        !others.contains(where: { $0 == member.key || $0.collides(with: member.key) })
      else { return nil }
      item[member.key.string] = Value(value)
    }
    return item
  }
}

/// The roads.
extension SideBySide {
  private struct Refused: Error {
    var index: Int
    var error: LedgerError
  }

  private struct GivenUp: Error {}

  mutating func runTransaction(
    _ step: RandomStream.Step, _ commands: [PlainCommand], _ ledger: Ledger
  ) throws {
    let expected = model.run(transaction: commands, now: step.now)
    do {
      let outcomes = try ledger.transaction { transaction in
        try step.commands.indices.map { index in
          try Self.perform(step.commands[index], index, transaction)
        }
      }
      #expect(expected == .done(outcomes), "\(label), \(step.applyLines)")
    } catch let refused as Refused {
      guard case .refused(let index, let refusal) = expected else {
        Issue.record("\(label), \(step.applyLines): \(refused), expected \(expected)")
        return
      }
      #expect(refused.index == index, "\(label), \(step.applyLines)")
      #expect(
        refused.error.agrees(with: refusal),
        "\(label), \(step.applyLines): \(refused.error), expected \(refusal)")
    }
  }

  private static func perform(
    _ command: PlainCommand, _ index: Int, _ transaction: Transaction
  ) throws -> PlainModel.Outcome {
    do throws(LedgerError) {
      let event = try transaction.perform(try command.read(author: author))
      return event.map { .appended(Int($0.sequence)) } ?? .nothing
    } catch {
      throw Refused(index: index, error: error)
    }
  }

  mutating func runLenient(
    _ step: RandomStream.Step, _ commands: [PlainCommand], _ ledger: Ledger
  ) throws {
    // The model runs those that are not refused, found one by one.
    var accepted: [PlainCommand] = []
    var expected: [PlainModel.Outcome] = []
    for command in commands {
      var copy = model
      switch copy.run(transaction: accepted + [command], now: step.now) {
      case .done(let outcomes):
        accepted.append(command)
        expected.append(contentsOf: outcomes.suffix(1))
      case .refused(_, let refusal): expected.append(.refused(refusal))
      }
    }
    var shown: [PlainModel.Document?] = []
    let outcomes = try ledger.transaction { transaction in
      try step.commands.indices.map { index in
        defer { shown.append(Self.shown(step.commands[index].task, transaction)) }
        do {
          return try Self.perform(step.commands[index], index, transaction)
        } catch let refused as Refused {
          guard case .refused(let refusal) = expected[index], refused.error.agrees(with: refusal)
          else { throw refused }
          return .refused(refusal)
        }
      }
    }
    model.run(transaction: accepted, now: step.now)
    #expect(outcomes == expected, "\(label), \(step.applyLines)")
    #expect(
      shown.last == model.document(commands[commands.count - 1].task),
      "\(label), \(step.applyLines)")
  }

  /// A task as the transaction sees it.
  private static func shown(
    _ task: PlainText, _ transaction: Transaction
  ) -> PlainModel.Document? {
    guard let id = try? TaskID(task.string), let item = try? transaction.task(id) else {
      return nil
    }
    return PlainModel.Document(item)
  }

  mutating func runLines(
    _ step: RandomStream.Step, _ commands: [PlainCommand], _ ledger: Ledger
  ) throws {
    let expected = model.run(transaction: commands, now: step.now)
    let summary = try ledger.apply(try Lines.split(step.applyLines))
    switch expected {
    case .done(let outcomes):
      #expect(summary.errors.isEmpty, "\(label), \(step.applyLines): \(summary.errors)")
      #expect(summary.lines == outcomes.count, "\(label), \(step.applyLines)")
      #expect(
        summary.unchanged == outcomes.count { $0 == .nothing }, "\(label), \(step.applyLines)")
    case .refused(let index, _):
      #expect(summary.errors.count == 1, "\(label), \(step.applyLines)")
      let sentence = summary.errors.first?.sentence ?? ""
      #expect(
        sentence.hasPrefix("line \(index + 1)"), "\(label), \(step.applyLines): \(sentence)")
      #expect(summary.events == 0 && summary.lines == 0, "\(label), \(step.applyLines)")
    }
  }

  mutating func runMethods(
    _ step: RandomStream.Step, _ commands: [PlainCommand], _ ledger: Ledger
  ) throws {
    guard let command = commands.first, commands.count == 1, let item = command.asItem else {
      return try runTransaction(step, commands, ledger)
    }
    let expected = model.run(command, now: step.now)
    do throws(LedgerError) {
      try LedgerError.typing {
        try ledger.transaction(
          author: command.author?.string, message: command.message?.string
        ) { transaction in
          switch command.kind {
          case .upsert, .update: try transaction.upsert(item)
          case .toggle: try transaction.toggle(item.id)
          case .delete:
            #expect(try transaction.delete(item.id) == (expected != .nothing), "\(label)")
          case .restore:
            #expect(try transaction.restore(item.id) == (expected != .nothing), "\(label)")
          case .evict: try transaction.evict(item.id)
          }
        }
      }
    } catch {
      guard case .refused(let refusal) = expected, error.agrees(with: refusal) else { throw error }
      return
    }
    if case .refused = expected {
      Issue.record("\(label), \(step.applyLines): taken, expected \(expected)")
    }
  }

  func runGivenUp(_ step: RandomStream.Step, _ ledger: Ledger) throws {
    #expect(throws: GivenUp.self, "\(label), \(step.applyLines)") {
      try ledger.transaction { transaction in
        for index in step.commands.indices {
          _ = try? Self.perform(step.commands[index], index, transaction)
        }
        throw GivenUp()
      }
    }
  }
}

extension PlainModel {
  /// The document of a task; nil when it does not exist.
  func document(_ id: PlainText, at moment: Moment = .present) -> Document? {
    guard let task = task(id, at: moment), task.exists else { return nil }
    return Document(id: id, json: task.document.canonical)
  }
}
