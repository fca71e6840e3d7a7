import Foundation
import LedgerTestSupport
import TaskLedger
import Testing

/// A bulk load that is killed on its way: while lines are appended, segments sealed and their frames removed beside that, or a
/// snapshot made at its end.
///
/// LEDGER_KILLS sets the number of kills; `tools/kills` runs many.
@Suite(.enabled(if: CrashChild.path != nil, "the child program is not beside the tests"))
struct `A killed process that loads` {
  private static let kills: Int = {
    let asked = ProcessInfo.processInfo.environment["LEDGER_KILLS"].flatMap(Int.init)
    return asked.map { max(1, $0 / 4) } ?? 6
  }()

  @Test func `leaves a beginning, and the next one reaches the same end`() throws {
    let load = try Load()
    var kills = 0
    var fell: [String: Int] = [:]
    while kills < Self.kills {
      try withTemporaryFolder { path in
        let file = "\(path)/lines"
        try Data(load.text.utf8).write(to: URL(fileURLWithPath: file))
        let folder = "\(path)/tasks.ledger"
        let ledger = try Ledger.create(at: folder)
        var wasKilled = true
        while wasKilled {
          let before = Int(try ledger.lastSequence)
          let skipped = try #require(load.lines(before))
          // The last of some is let live, so that it ends.
          let end = kills < Self.kills ? Self.anyEnd(kills) : nil
          let seed = Int.random(in: 0..<1000)
          let life = try CrashChild.run([folder, "\(seed)", file, "\(skipped)"], until: end)
          wasKilled = life.wasKilled
          let context = "child \(seed) from event \(before), \(life.call)"
          #expect(wasKilled || life.said.last == "@loaded", "\(context): \(life.said.last ?? "")")
          let acknowledged = before + (life.acknowledged.last.flatMap { Int($0) } ?? 0)
          try check(folder, load, acknowledged, context)
          guard wasKilled else { continue }
          kills += 1
          fell[life.call, default: 0] += 1
        }
        #expect(try Int(ledger.lastSequence) == load.events)
        #expect(try ledger.replay().digest == load.digest(load.events))
      }
    }
    let calls = fell.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    print("\(kills) kills of loads, inside", calls.joined(separator: " "))
  }

  /// While it loads or, each third one, while it does what a load leaves for its end.
  private static func anyEnd(_ number: Int) -> CrashChild.End {
    number % 3 == 2
      ? .init(count: 1, word: "@finish", microseconds: 300_000)
      : .init(count: Int.random(in: 1...24), word: "@load", microseconds: 20_000)
  }

  /// What was acknowledged is there, no transaction half, and nothing else than the beginning of the load.
  private func check(
    _ folder: String, _ load: Load, _ acknowledged: Int, _ context: String
  ) throws {
    let ledger = try Ledger.open(at: folder, createIfMissing: false)
    let events = Int(try ledger.lastSequence)
    #expect(events >= acknowledged, "\(context)")
    #expect(load.lines(events) != nil, "\(context): event \(events) cuts a transaction")
    #expect(try ledger.replay().digest == load.digest(events), "\(context)")
    #expect(try Ledger.verify(at: folder).isSound, "\(context)")
  }
}

/// The lines of a load, bad ones among them, and what they add up to.
private final class Load {
  private(set) var text = ""
  private let plain: Ledger
  /// How many lines lead to each number of events that ends a transaction.
  private var linesOfEvents: [Int: Int] = [0: 0]
  private(set) var events = 0

  init() throws {
    plain = try Ledger.inMemory()
    var count = 0
    for number in 1...Self.transactions {
      let lines = Self.transaction(number)
      for line in lines { text += line + "\n" }
      count += lines.count
      let isBad = number % Self.badEach == 0
      if !isBad { events += lines.count }
      // Bad ones behind it may be read again: nothing of them is in.
      if !isBad { linesOfEvents[events] = count }
    }
    let applier = Applier(plain, continues: true)
    for line in try Lines.split(text.split(separator: "\n").map(String.init)) {
      _ = try applier.add(line)
    }
    let summary = try applier.finish()
    precondition(summary.events == events && summary.bad == Self.transactions / Self.badEach)
  }

  private static let transactions = 4000
  private static let badEach = 331

  /// One line, or three that are one transaction; each makes an event.
  private static func transaction(_ number: Int) -> [String] {
    (0..<(number % 5 == 0 ? 3 : 1)).map { part in
      let token = number % 5 == 0 ? #","transaction":\#(number)"# : ""
      // The last one of some asks for what cannot be.
      let isBad = number % badEach == 0 && part == (number % 5 == 0 ? 2 : 0)
      let task = (number * number + part) % 997
      let set =
        isBad ? #""isDeleted":"perhaps""# : #""body":"Step \#(number)","n\#(part)":\#(number)"#
      return #"{"kind":"upsert","task":"task \#(task)","set":{\#(set)}\#(token)}"#
    }
  }

  /// How many lines are in when so many events are; nil where these cut a transaction.
  func lines(_ events: Int) -> Int? { linesOfEvents[events] }

  func digest(_ events: Int) throws -> String {
    try plain.replay(at: .sequence(UInt64(events))).digest
  }
}
