import LedgerCore
import Testing

/// An error is one sentence and one hint.
struct LedgerErrorTests {
  @Test func `the sentence comes alone when nothing else is known`() {
    #expect(LedgerError(.invalid, "no such day").description == "no such day")
  }

  @Test func `file, byte and cause follow the sentence and the hint has its own line`() {
    let error = LedgerError(
      .damaged, "cannot read block 3", path: "tasks.ledger/segments/1.seg", offset: 81_920,
      cause: "checksum 9f12, expected 03ac", hint: "run `ledger verify`, then `ledger repair`")
    #expect(
      error.description == """
        cannot read block 3 in tasks.ledger/segments/1.seg at byte 81920: checksum 9f12, expected 03ac
        hint: run `ledger verify`, then `ledger repair`
        """)
    #expect(!error.message.contains("hint"))
  }

  @Test func `a byte without a file is shown too`() {
    #expect(LedgerError(.badLine, "cannot read", offset: 3).message == "cannot read at byte 3")
  }
}
