import LedgerTestSupport
import TaskLedger
import Testing

/// Expects that a disk holds what the book says.
func expectHolds(
  _ disk: TestDisk, _ entries: [Bookkeeper.Entry], mayHaveTail: Bool = false,
  _ context: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) throws(LedgerError) {
  let ledger = try disk.open()
  let problems = LedgerCheck.problems(ledger, entries, audits: false)
  #expect(problems == [], context, sourceLocation: sourceLocation)
  let notices = ledger.takeNotices()
  #expect(notices.isEmpty || mayHaveTail, context, sourceLocation: sourceLocation)
}

/// Expects that a disk holds what the book says, that nothing is damaged, and that the ledger goes on from there.
func expectWhole(
  _ disk: TestDisk, _ entries: [Bookkeeper.Entry], mayHaveTail: Bool = false,
  _ context: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) throws(LedgerError) {
  try expectHolds(
    disk, entries, mayHaveTail: mayHaveTail, context, sourceLocation: sourceLocation)
  try expectSound(disk, mayHaveTail: mayHaveTail, context, sourceLocation: sourceLocation)
  let ledger = try disk.open()
  let before = try ledger.lastSequence
  try LedgerError.typing { try ledger.upsert(TaskItem(id: "afterwards", body: "\(before)")) }
  for left in [disk.processKilled(), disk.powerCut()] {
    let next = try left.open()
    #expect(try next.lastSequence == before + 1, context, sourceLocation: sourceLocation)
    #expect(
      try next.task("afterwards")?.body == "\(before)", context, sourceLocation: sourceLocation)
    #expect(next.takeNotices() == [], context, sourceLocation: sourceLocation)
  }
  try expectSound(disk, context, sourceLocation: sourceLocation)
}

/// Expects that nothing on a disk is damaged.
func expectSound(
  _ disk: TestDisk, mayHaveTail: Bool = false, _ context: Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) throws(LedgerError) {
  for file in try disk.verify().files {
    switch file.status {
    case .sound, .absent, .unlisted, .unneeded: break
    case .tornTail:
      #expect(mayHaveTail, "a torn tail in \(file.name)", sourceLocation: sourceLocation)
    case .foreign:
      Issue.record("\(file.name) is foreign", sourceLocation: sourceLocation)
    case .damaged(let error), .missing(let error), .otherLedger(let error),
      .unreadable(let error), .leftOut(let error):
      Issue.record("\(error): \(context.map { "\($0)" } ?? "")", sourceLocation: sourceLocation)
    }
  }
}

/// Expects that a ledger holds what the book says, audits included.
func expectSame(
  _ ledger: Ledger, _ entries: [Bookkeeper.Entry], _ context: Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let problems = LedgerCheck.problems(ledger, entries)
  #expect(problems == [], context, sourceLocation: sourceLocation)
}
