import LedgerFormat
import Testing

@testable import TaskLedger

/// A ledger and the plain model that are told the same, and must say the same.
struct SideBySide {
  /// How a step reaches the ledger.
  enum Road: CaseIterable {
    /// A transaction that fails with its first refused command.
    case transaction
    /// A transaction that goes on without the commands that are refused.
    case lenient
    /// Lines of a stream.
    case lines
    /// A transaction that is given up after its last command.
    case givenUp
  }

  let label: String
  let bench: TestLedger
  private(set) var handles: [Ledger]
  private(set) var model: PlainModel
  var random: SplitMix64
  private(set) var met: [Road: Int] = [:]

  static let author = "tester"

  init(seed: UInt64, sealEvents: UInt64?, handles count: Int) throws {
    label = "seed \(seed)"
    bench = try TestLedger(sealEvents: sealEvents, sealsInBackground: seed % 3 == 0)
    let bench = bench
    handles = try (0..<count).map { _ in try bench.open() }
    model = PlainModel(replica: PlainText(try handles[0].statistics().replica))
    random = SplitMix64(seed: seed &* 0x5851_F42D)
  }

  /// Lets go of all handles and opens others, as many.
  mutating func reopen() throws {
    let bench = bench
    handles = try handles.map { _ in try bench.open() }
  }

  mutating func anyHandle() -> Ledger { random.pick(handles) }

  /// Gives a step to both and compares what came of each command.
  mutating func take(_ step: RandomStream.Step) throws {
    bench.setClock(step.now)
    let road = random.pick([Road.transaction, .transaction, .lines, .lenient, .givenUp])
    met[road, default: 0] += 1
    let ledger = anyHandle()
    let commands = step.commands.map(\.asRecorded)
    let before = model.events.count
    switch road {
    case .transaction: try runTransaction(step, commands, ledger)
    case .lenient: try runLenient(step, commands, ledger)
    case .lines: try runLines(step, commands, ledger)
    case .givenUp: try runGivenUp(step, ledger)
    }
    try compareNewEvents(after: before, ledger)
  }

  /// The new events, each to the last detail.
  private func compareNewEvents(after count: Int, _ ledger: Ledger) throws {
    var found: [PlainEvent] = []
    var ends: [Bool] = []
    try ledger.forEachEvent(EventFilter(after: UInt64(count))) { event in
      found.append(PlainEvent(event))
      ends.append(event.endsTransaction)
      return true
    }
    let expected = Array(model.events[count...])
    #expect(difference(found, expected) == nil, "\(label), after \(count)")
    let expectedEnds = expected.map { $0.sequence == model.events.count }
    #expect(ends == expectedEnds, "\(label), after \(count)")
  }
}

extension PlainCommand {
  /// The command with what the product records where nothing was said.
  fileprivate var asRecorded: PlainCommand {
    var command = self
    command.author = author ?? PlainText(SideBySide.author)
    if message == "" { command.message = nil }
    return command
  }
}

/// The roads.
extension SideBySide {
  private struct Refused: Error {
    var index: Int
    var error: LedgerError
  }

  private struct GivenUp: Error {}

  private mutating func runTransaction(
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

  private mutating func runLenient(
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

  private mutating func runLines(
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

  private func runGivenUp(_ step: RandomStream.Step, _ ledger: Ledger) throws {
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
