import Foundation
import LedgerFormat
import TaskLedger

/// A ledger that was recorded once, as a regression test of a few lines: it must lead to the same tasks for ever.
///
/// ```swift
/// @Test func `a recorded week leads to the same tasks`() throws {
///   try RecordedLedger(folder: "Fixtures/week.ledger").expect(digest: "7352c9df…")
///   try RecordedLedger(stream: "Fixtures/week.ndjson").expect(tasks: [TaskItem(id: "milk", body: "Get milk")])
/// }
/// ```
public struct RecordedLedger: Sendable {
  /// The ledger, for whatever else is to be asked of it.
  public let ledger: Ledger
  /// What was recorded, as messages name it.
  public let name: String

  /// Opens the ledger in a folder. Nothing in it is changed.
  ///
  /// - Throws: ``LedgerError`` with code `notFound` where there is no ledger, else as `Ledger.open`.
  public init(folder: String) throws(LedgerError) {
    name = folder
    ledger = try Ledger.open(at: folder, createIfMissing: false)
  }

  /// Applies the lines of a file, as `ledger apply` takes them, to a new ledger in memory.
  ///
  /// - Throws: ``LedgerError`` with code `notFound` where there is no file, `badLine` for the first line that cannot be used.
  public init(stream path: String) throws {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw LedgerError(
        .notFound, "there is no stream to apply", path: path,
        hint: "name a file with a line of JSON for each command")
    }
    try self.init(lines: bytes, name: path)
  }

  /// Applies lines, as `ledger apply` takes them, to a new ledger in memory.
  ///
  /// - Parameters:
  ///   - lines: the bytes of the stream.
  ///   - name: what messages call it.
  /// - Throws: ``LedgerError`` with code `badLine` for the first line that cannot be used.
  public init(lines: some Sequence<UInt8>, name: String = "the stream") throws {
    self.name = name
    // The same on every run, and later than whatever was recorded.
    let clock = try TestClock("2200-01-01T00:00:00Z")
    ledger = try Ledger.inMemory(
      configuration: .forTests(clock: clock, ids: TestIDs(), sealEvents: 1024))
    var problem: LedgerError?
    let applier = Applier(ledger, continues: false) { problem = problem ?? $0 }
    var splitter = LineSplitter()
    splitter.append(Array(lines)[...])
    splitter.finish()
    while problem == nil, let line = try splitter.next() {
      guard try applier.add(line) else { break }
    }
    _ = try applier.finish()
    if let problem { throw problem }
  }
}

extension RecordedLedger {
  /// Requires the tasks to have a state digest, as `ledger replay` prints it.
  ///
  /// - Throws: ``LedgerMismatch`` when they have another.
  public func expect(digest: String) throws {
    let replay = try ledger.replay()
    guard replay.digest.lowercased() != digest.lowercased() else { return }
    throw LedgerMismatch(
      name: name,
      differences: [
        "the digest of \(replay.tasks) tasks after \(replay.events) events is \(replay.digest), expected \(digest)"
      ])
  }

  /// Requires the tasks, softly deleted ones too, to be these, in any order.
  ///
  /// - Throws: ``LedgerMismatch`` that names each task that differs.
  public func expect(tasks: [TaskItem]) throws {
    let differences = try ledger.differences(from: tasks)
    guard !differences.isEmpty else { return }
    throw LedgerMismatch(name: name, differences: differences)
  }
}
