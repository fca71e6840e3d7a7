import LedgerCore
import LedgerFormat
import LedgerTestSupport
import Testing

@testable import TaskLedger

@Suite struct `Of a stream` {
  private let command = Command(.toggle, "milk", author: "ann")

  private func badLine(_ number: Int) -> LedgerError { LedgerError(.badLine, "line \(number)") }

  @Test func `a transaction of too many lines is refused at the first that is too many`() {
    var batch = ApplyBatch(token: .integer(1))
    let bytes = [UInt8](repeating: 0x20, count: 50)[...]
    for number in 1...Limits.transactionEventsMax {
      guard batch.add(number: number, bytes, { command }) else {
        Issue.record("line \(number) is refused")
        return
      }
    }
    #expect(batch.badCount == 0 && batch.lines.count == Limits.transactionEventsMax)
    // What they ask for takes more than ten times as much as these bytes.
    #expect(batch.lines.first.count < 10_000)
    for number in 1...3 {
      let isKept = batch.add(number: Limits.transactionEventsMax + number, bytes, { command })
      #expect(!isKept)
    }
    #expect(batch.errors.map(\.sentence.isEmpty) == [false])
    #expect(batch.errors[0].sentence.contains("line \(Limits.transactionEventsMax + 1):"))
    // Nothing of it is held any more.
    #expect(batch.lines.count == 0)
    #expect(batch.lineCount == Limits.transactionEventsMax + 3)
  }

  @Test func `a transaction of too many bytes is refused at the line that is too much`() {
    var batch = ApplyBatch(token: .integer(1))
    let bytes = [UInt8](repeating: 0x20, count: 1 << 20)[...]
    var number = 0
    while batch.badCount == 0, number < 1000 {
      number += 1
      _ = batch.add(number: number, bytes, { command })
    }
    #expect(number == 2 * Limits.transactionBytesMax >> 20 + 1)
  }

  @Test func `a transaction of very many bad lines keeps few errors and counts the others`() {
    var batch = ApplyBatch(token: .integer(1))
    for number in 1...1000 { batch.addBad(badLine(number)) }
    #expect(batch.badCount == 1000 && batch.lineCount == 1000)
    #expect(batch.errors.count == 101)
    #expect(batch.errors.last?.sentence.contains("900 more lines") == true)
  }

  @Test func `nothing is kept of the lines behind a bad one of the same transaction`() {
    var batch = ApplyBatch(token: .integer(1))
    let kept = (1...10).filter { number in
      guard number == 2 else { return batch.add(number: number, [0x20], { command }) }
      batch.addBad(badLine(2))
      return false
    }
    #expect(kept == [1])
    #expect(batch.lines.count == 1 && batch.lineCount == 10)
  }

  @Test func `a long transaction is carried out in order, and whole or not at all`() throws {
    let bench = try TestLedger(sealEvents: 100_000)
    let ledger = try bench.open()
    try ledger.upsert(TaskItem(id: "known", body: "before"))
    let count = 35_200
    func lines(_ last: String) throws -> [LineSplitter.Line] {
      try Lines.split(
        (1..<count).map { number in
          number % 4 == 0
            ? #"{"kind":"update","task":"known","set":{"body":"\#(number)"},"transaction":1}"#
            : #"{"kind":"upsert","set":{"body":"task \#(number)"},"transaction":1}"#
        } + [last])
    }
    let refused = try ledger.apply(
      try lines(#"{"kind":"toggle","task":"nobody","transaction":1}"#))
    #expect(refused.errors.first?.sentence.hasPrefix("line \(count): ") == true)
    #expect(refused.lines == 0 && refused.goesOnAt == 1)
    #expect(try ledger.lastSequence == 1)
    let applied = try ledger.apply(
      try lines(#"{"kind":"toggle","task":"known","transaction":1}"#))
    #expect(applied.lines == count && applied.events == count)
    let events = try LedgerCheck.allEvents(of: ledger)
    try #require(events.count == count + 1)
    #expect(Set(events.map(\.transaction)) == [1, 2])
    #expect(events[4].changes.first?.value == .text("4"))
    #expect(events[count - 4].changes.first?.value == .text("\(count - 4)"))
    #expect(try ledger.tasks().count == count - count / 4 + 1)
  }

  @Test func `long lines do not wait for two thousand others to be appended`() throws {
    let ledger = try TestLedger().open()
    let applier = Applier(ledger)
    let body = String(repeating: "x", count: 1 << 20 - 100)
    let texts = (1...16).map {
      "{\"kind\":\"upsert\",\"task\":\"task \($0)\",\"set\":{\"body\":\"\(body)\"}}"
    }
    for line in try Lines.split(texts) { #expect(try applier.add(line)) }
    #expect(applier.summary.lines >= 4)
    #expect(try applier.finish().lines == 16)
    #expect(try ledger.tasks().count == 16)
  }

  @Test func `lines that compress well do not make a segment that is huge in memory`() throws {
    let ledger = try TestLedger().open()
    let body = String(repeating: "x", count: 1 << 20 - 100)
    for number in 1...10 { try ledger.upsert(TaskItem(id: TaskID("task \(number)"), body: body)) }
    #expect(try ledger.statistics().segments.count { $0.kind == "sealed" } >= 2)
  }
}
