import Foundation
import TaskLedgerUI
import Testing

/// The SwiftUI of the article cannot be compiled here; what it uses of the models is looked up at least.
struct `The article on a task app` {
  private let root = #filePath.components(separatedBy: "/Tests/")[0]

  private func read(_ path: String) throws -> String {
    try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }

  /// The article's examples, in order.
  private func examples() throws -> [String] {
    let page = try read("Sources/TaskLedgerUI/TaskLedgerUI.docc/TaskApp.md")
    return page.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
  }

  @Test func `uses what the models have`() throws {
    let folder = "\(root)/Sources/TaskLedgerUI"
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    let sources = try files.filter { $0.hasSuffix(".swift") }
      .map { try read("Sources/TaskLedgerUI/\($0)") }.joined(separator: "\n")
    var used: Set<String> = []
    for example in try examples() {
      for match in example.matches(of: /\b(?:model|list|conflict|failure)\??\.(\w+)/) {
        used.insert(String(match.1))
      }
      for match in example.matches(of: /\berror\??\.(\w+)/) { used.insert(String(match.1)) }
    }
    #expect(used.count > 20)
    for name in used {
      let isThere = [" var \(name)", " let \(name)", " func \(name)("].contains {
        sources.contains("public\($0)") || sources.contains("public private(set)\($0)")
      }
      #expect(isThere, "\(name)")
    }
  }

  @Test @MainActor func `A task is made`() async throws {
    let ledger = try Ledger.inMemory()
    let list = TaskListModel(AppLedger(ledger))
    await list.editNew()
    list.sheet?.body = "Get milk"
    await list.sheet?.save()
    #expect(list.sheet == nil)
    #expect(try ledger.find("!isDeleted").map(\.body) == ["Get milk"])
  }

  @Test func `has the test that is above`() throws {
    let example = try #require(try examples().last).split(separator: "\n")
    let test = Set(
      try read("Tests/TaskLedgerUITests/ArticleTests.swift").split(separator: "\n").map {
        $0.trimmingCharacters(in: .whitespaces)
      })
    for line in example { #expect(test.contains(line.trimmingCharacters(in: .whitespaces))) }
  }
}
