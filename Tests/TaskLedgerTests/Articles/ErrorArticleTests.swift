import Foundation
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// The article on errors names each of them, and what it says of what was not changed is so.
@Suite struct `The article on errors` {
  private let page: String

  init() throws {
    let root = #filePath.components(separatedBy: "/Tests/")[0]
    let path = "\(root)/Sources/TaskLedger/TaskLedger.docc/Errors.md"
    page = try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test(arguments: LedgerError.Code.allCases)
  func `has a row for each`(code: LedgerError.Code) {
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `\(code.rawValue)` |") }
    #expect(rows.count == 1)
    #expect(rows.first?.split(separator: "|").count == 3)
  }

  @Test func `has no other row`() {
    let known = Set(LedgerError.Code.allCases.map(\.rawValue))
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") && !$0.hasPrefix("| ``") }
    for row in rows {
      let code = row.split(separator: "`")[1]
      #expect(known.contains(String(code)))
    }
  }

  @Test func `shows what compiles`() throws {
    let ledger = try Ledger.inMemory()
    let id: TaskID = "nobody"
    do {
      try ledger.update(id) { $0["priority"] = 2 }
    } catch let error as LedgerError {
      switch error.code {
      case .noSuchTask: print("It is not there any more.")
      case .conflict: for conflict in error.conflicts { print(conflict.reason) }
      case .io, .busy: print("Try again:", error.message)
      case .poisoned: print("Open the ledger again.")
      default: print(error)
      }
    }
    #expect(try ArticleExamples.linesMissing(of: "Errors", in: #filePath) == [])
  }

  @Test func `says what a failed sync leaves`() throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: .forTests())
    try ledger.upsert(TaskItem(id: "milk", body: "Get milk"))
    let draft = try ledger.edit("milk")
    draft.body = "typed"
    disk.failNextSync()
    let first = #expect(throws: LedgerError.self) { try draft.save() }
    #expect(first?.code == .io || first?.code == .poisoned)
    let second = #expect(throws: LedgerError.self) { try draft.save() }
    #expect(second?.code == .poisoned)
    // Both can be read; what was not acknowledged is whole in either, or not there.
    for handle in [ledger, try disk.open()] {
      #expect(["Get milk", "typed"].contains(try handle.task("milk")?.body))
    }
  }

  @Test func `says what a full disk leaves`() throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: .forTests())
    disk.fill()
    let error = #expect(throws: LedgerError.self) {
      for _ in 0..<2000 { try ledger.upsert(TaskItem(body: String(repeating: "x", count: 500))) }
    }
    #expect(error?.code == .io && error?.systemError == ENOSPC)
    let count = try ledger.lastSequence
    disk.makeRoom()
    try ledger.upsert(TaskItem(body: "Get milk"))
    #expect(try ledger.lastSequence == count + 1)
  }
}
