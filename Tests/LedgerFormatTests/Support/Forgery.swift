import LedgerCore
import Testing

@testable import LedgerFormat

/// One way in which a sealed segment lies, with checksums that fit.
struct Forgery {
  /// Who must refuse it.
  enum Reader { case everyone, readerOfEvents }

  let what: String
  let refusedBy: Reader
  let change: (inout ForgedRun) throws -> Void

  init(
    _ what: String, by refusedBy: Reader = .everyone,
    _ change: @escaping (inout ForgedRun) throws -> Void
  ) {
    self.what = what
    self.refusedBy = refusedBy
    self.change = change
  }

  /// Three tasks with values of all types in blocks of which some go on in the next.
  static func honestRun() throws -> ForgedRun { try ForgedRun(events, target: 100) }

  static let events: [Event] = (1...24 as ClosedRange<UInt64>).map { sequence in
    let time = LedgerTime(unchecked: 1_700_000_000_000 + Int64(sequence))
    let task: TaskID =
      ["apples", "bread", "f47ac10b-58cc-4372-a567-0e02b2c3d479"][Int(sequence % 3)]
    let changes: [FieldChange] = [
      FieldChange(FieldName(unchecked: "array"), .array([.int(Int64(sequence)), .text("x")])),
      FieldChange(.body, .text("body \(sequence)")),
      FieldChange(FieldName(unchecked: "double"), .double(Double(sequence) + 0.5)),
      FieldChange(FieldName(unchecked: "due"), .text("2026-01-\(9 + sequence)")),
      FieldChange(FieldName(unchecked: "priority"), .int(Int64(sequence))),
      FieldChange(FieldName(unchecked: "project"), .text("often")),
    ]
    return Event(
      sequence: sequence,
      stamp: Stamp(time: time, replica: ReplicaID(high: 0, low: 1), count: sequence),
      kind: .upsert, task: task, changes: changes, author: "ann", message: "m\(sequence)",
      transaction: sequence, endsTransaction: true,
      recorded: LedgerTime(unchecked: 1_700_000_000_000))
  }

  /// Expects that reading the events is refused, and folding unless nothing is shown of what is wrong.
  func expectRefusal(sourceLocation: SourceLocation = #_sourceLocation) throws {
    var forged = try Self.honestRun()
    try change(&forged)
    let bytes = try forged.bytes()
    expect("reading", sourceLocation) { _ = try TestRun.events(ofBytes: bytes) }
    // Folding must end in any case.
    let run = try? TestRun.open(bytes)
    for cut in [.present, .sequence(13), .time(Self.events[12].time)] as [FoldCut] {
      let fold = { _ = try RunMerge.fold([try run ?? TestRun.open(bytes)], cut: cut).digest() }
      if refusedBy == .everyone {
        expect("folding", sourceLocation, fold)
      } else {
        do { try fold() } catch is LedgerError {}
      }
    }
  }

  private func expect(
    _ doing: String, _ sourceLocation: SourceLocation, _ body: () throws -> Void
  ) {
    do {
      try body()
      Issue.record("\(doing) accepts \(what)", sourceLocation: sourceLocation)
    } catch let error as LedgerError {
      let isRight = error.code == .damaged || error.code == .unsupported
      #expect(isRight, "\(what): \(error)", sourceLocation: sourceLocation)
      #expect(error.path == "test.sealed" && error.hint != nil, "\(what): \(error)")
    } catch {
      Issue.record("\(what): \(error)", sourceLocation: sourceLocation)
    }
  }
}
