import Foundation
import Testing

@testable import LedgerCommands

/// What the article says of tasks that come from another program.
@Suite(
  .enabled(if: Executable.path != nil && FileManager.default.fileExists(atPath: "/usr/bin/jq")))
struct `Tasks of another program` {
  private static let root = #filePath.components(separatedBy: "/Tests/")[0]

  /// The article's command.
  private func command() throws -> String {
    let page = try String(
      contentsOfFile: "\(Self.root)/Sources/TaskLedger/TaskLedger.docc/GettingStarted.md",
      encoding: .utf8)
    let examples = page.components(separatedBy: "```sh\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    return try #require(examples.first { $0.hasPrefix("task export | jq ") })
  }

  @Test func `come from Taskwarrior with their dates, priorities, projects, tags and ends`()
    throws
  {
    let shell = try Shell()
    let export = """
      [
      {"description":"Pay rent","due":"20261204T000000Z","entry":"20261101T100000Z","priority":"H","project":"home","status":"pending","tags":["home","money"],"uuid":"6b0b0a51-1111-4c1e-9b7e-000000000001"},
      {"description":"Old thing","status":"deleted","uuid":"6b0b0a51-1111-4c1e-9b7e-000000000002"},
      {"description":"Done thing","status":"completed","priority":"L","uuid":"6b0b0a51-1111-4c1e-9b7e-000000000003"},
      {"description":"Each week","recur":"weekly","status":"recurring","uuid":"6b0b0a51-1111-4c1e-9b7e-000000000004"}
      ]
      """
    try export.write(toFile: "\(shell.folder)/export.json", atomically: true, encoding: .utf8)
    try shell("ledger init")
    let result = try shell("task() { cat export.json; }; \(try command())")
    #expect(result.exit == 0, "\(result.errors)")
    let list = try shell("ledger list --deleted")
    #expect(
      list.output
        == """
        6b0b0a51-1111-4c1e-9b7e-000000000001\topen\tPay rent\tdue=2026-12-04T00:00:00Z\tpriority=3\tproject=home\ttags.home=true\ttags.money=true
        6b0b0a51-1111-4c1e-9b7e-000000000002\tdeleted\tOld thing
        6b0b0a51-1111-4c1e-9b7e-000000000003\tdone\tDone thing\tpriority=1

        """)
    let due = try shell(#"ledger list 'due < "2026-12-05" && tags.home && project == "home"'"#)
    #expect(due.output.contains("Pay rent") && due.errors.isEmpty, "\(due.errors)")
  }
}
