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
    /// The methods that an app calls, where they can say the same.
    case methods
  }

  let label: String
  let bench: TestLedger
  private(set) var handles: [Ledger]
  var model: PlainModel
  var random: SplitMix64
  private(set) var met: [Road: Int] = [:]

  static let author = "tester"

  init(seed: UInt64, sealEvents: UInt64?, handles count: Int) throws {
    label = "seed \(seed)"
    // With a snapshot now and then, at every sealing, or none.
    bench = try TestLedger(
      sealEvents: sealEvents, sealsInBackground: seed % 3 == 0,
      snapshotEvents: [7, 1, nil][Int(seed / 3) % 3])
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
    let road = random.pick(
      [Road.transaction, .transaction, .lines, .lenient, .givenUp, .methods, .methods])
    met[road, default: 0] += 1
    let ledger = anyHandle()
    let commands = step.commands.map(\.asRecorded)
    let before = model.events.count
    switch road {
    case .transaction: try runTransaction(step, commands, ledger)
    case .lenient: try runLenient(step, commands, ledger)
    case .lines: try runLines(step, commands, ledger)
    case .givenUp: try runGivenUp(step, ledger)
    case .methods: try runMethods(step, commands, ledger)
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
  var asRecorded: PlainCommand {
    var command = self
    command.author = author ?? PlainText(SideBySide.author)
    if message == "" { command.message = nil }
    return command
  }
}
