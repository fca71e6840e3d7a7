import Foundation
import LedgerStorage
import LedgerTestSupport
import Testing

@testable import LedgerCommands

@Suite(.enabled(if: Executable.path != nil, "the program is not beside the tests"))
struct `Two thousand segments` {
  @Test func `are no trouble to a process that may open 256 files`() throws {
    let shell = try Shell()
    let ledger = try LocalDirectory.create(path: shell.folder + "/.ledger")
    _ = try SegmentedLedger(segments: 2000, tasks: 600, in: ledger)
    let limited = "ulimit -n 256; "
    let listed = try shell(limited + "ledger list | wc -l")
    #expect(listed.errors == "")
    #expect(listed.output.trimmingCharacters(in: .whitespacesAndNewlines) == "600")
    let written = try shell(
      limited
        + "ledger toggle task-7 && ledger --json audit task-7 | wc -l && ledger replay && ledger verify"
    )
    #expect(written.exit == 0, "\(written.errors)")
    #expect(written.output.contains("events  2,001"), "\(written.output)")
    #expect(written.output.contains("\n5\n"), "\(written.output)")
  }
}
