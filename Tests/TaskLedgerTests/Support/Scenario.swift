import LedgerFormat
import Testing

@testable import TaskLedger

/// A ledger that is told a story and asked about it.
///
/// In a settled scenario every segment is sealed, and every question is asked of a handle that was just opened: what
/// is true of events in the active segment must be true of sealed ones.
final class Scenario {
  enum Kind: CaseIterable { case active, settled }

  /// The time when the clock stands at 0 in these stories; "+5" is five milliseconds later.
  static let start: Int64 = 1_700_000_000_000

  let kind: Kind
  let bench: TestLedger
  private var handle: Ledger

  init(_ kind: Kind = .active) throws {
    self.kind = kind
    bench = try TestLedger()
    bench.setClock(Self.start)
    handle = try bench.open(author: "ann")
  }

  /// The ledger; in a settled scenario sealed and opened anew.
  var ledger: Ledger {
    get throws {
      if kind == .settled {
        try handle.sealNow()
        handle = try bench.open(author: "ann")
      }
      return handle
    }
  }

  /// Sets the clock, in milliseconds from the start.
  func clock(_ milliseconds: Int64) { bench.setClock(Self.start + milliseconds) }

  /// A time, in milliseconds from the start.
  static func time(_ milliseconds: Int64) -> LedgerTime {
    LedgerTime(unchecked: start + milliseconds)
  }

  /// Applies one command; `at` is a given time in milliseconds from the start.
  ///
  /// - Returns: whether it made an event.
  @discardableResult
  func tell(
    _ kind: EventKind, _ task: TaskID = "t", set: [String: Value] = [:], unset: [String] = [],
    at: Int64? = nil
  ) throws -> Bool {
    let sets = try set.map { name, value in FieldChange(try FieldName(name), value) }
    let changes = try sets + unset.map { FieldChange(try FieldName($0), nil) }
    let command = Command(
      kind, task, try ChangeSet(changes), time: at.map(Self.time), author: "ann")
    return try ledger.transaction { try $0.perform(command) } != nil
  }

  /// What the document of a task shows beside `_id` and the three standard fields where they have their defaults; nil
  /// when it does not exist.
  func shown(_ task: TaskID = "t", at moment: Moment? = nil) throws -> String? {
    let item = try moment.map { try ledger.at($0).task(task) } ?? ledger.task(task)
    guard let json = item?.json else { return nil }
    let document = try PlainJSONReader.read(Array(json.utf8))
    guard case .object(let members) = document else { return json }
    let defaults = [
      PlainMember("body", ""), PlainMember("isCompleted", false), PlainMember("isDeleted", false),
    ]
    return PlainJSON.object(members.filter { $0.key != "_id" && !defaults.contains($0) })
      .description
  }

  /// The history of a task, a line each: `3 update a: 1 → 2, lost a`; `-` is absent.
  func history(_ task: TaskID = "t") throws -> [String] {
    try ledger.audit(task).map { entry in
      let changes = entry.changes.map { change in
        "\(change.name): \(change.old?.description ?? "-") → \(change.new?.description ?? "-")"
      }
      let lost = entry.lost.isEmpty ? [] : ["lost " + entry.lost.map(\.text).joined(separator: " ")]
      return
        (["\(entry.sequence) \(entry.event.kind)"] + [(changes + lost).joined(separator: ", ")])
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
  }
}
