import LedgerTestSupport
import TaskLedger
import TaskLedgerUI
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The words for people in apps.
@Suite struct `What is shown of an error` {
  @Test(arguments: LedgerError.Code.allCases)
  func `names no command, whatever it was`(code: LedgerError.Code) {
    let error = LedgerError(
      code, "the value is too long", path: "/home/ann/tasks.ledger", cause: "EIO",
      hint: "run `ledger verify`, then `ledger repair`")
    for deed in ShownError.Deed.allCases {
      let shown = ShownError(deed, error)
      for text in [shown.title, shown.advice, shown.details, "\(shown)"] {
        #expect(!text.isEmpty && !text.contains("`") && !text.contains("hint"))
        #expect(!text.contains("ledger verify"))
      }
      #expect(shown.advice.hasSuffix(".") && !shown.title.hasSuffix("."))
      #expect(shown.details.contains("/home/ann/tasks.ledger"))
    }
  }

  @Test func `says what can be done about the system's own failures`() {
    func advice(_ number: Int32?) -> String {
      ShownError(.save, LedgerError(.io, "cannot write", systemError: number)).advice
    }
    #expect(advice(ENOSPC) == "There is no room left on the disk. Make some, then try again.")
    #expect(advice(EACCES).contains("not allowed"))
    #expect(Set([ENOSPC, EACCES, EROFS, EMFILE, EIO].map(advice)).count == 5)
    #expect(advice(nil) == advice(EIO))
  }

  @Test func `repeats what a rule says of what was typed`() throws {
    let ledger = try Ledger.inMemory()
    let error = #expect(throws: LedgerError.self) {
      try ledger.upsert(TaskItem(body: String(repeating: "x", count: 1 << 20)))
    }
    let shown = ShownError(.save, try #require(error))
    #expect(shown.advice.contains("expected at most 1048576"))
  }
}
