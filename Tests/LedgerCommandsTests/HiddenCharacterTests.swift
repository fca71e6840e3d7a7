import LedgerCore
import LedgerFormat
import Testing

@testable import LedgerCommands

/// Characters that turn the direction of text, drive a terminal or hide: no verb prints one as it stands, wherever it comes from.
@Suite struct `Hidden characters` {
  @Test(arguments: Verbs.all.map { $0.description.name }, [nil, 40, 400] as [Int?])
  func `are printed by no verb, in no text`(_ verb: String, _ columns: Int?) throws {
    let world = try VerbCalls.world(columns: columns)
    for arguments in try #require(VerbCalls.all[verb], "\(verb) is not in the table") {
      let result = world.run(arguments)
      check(result.output, of: arguments)
      check(result.errors, of: arguments)
    }
  }

  @Test func `are escaped in JSON on a terminal, and exact elsewhere`() throws {
    for columns in [nil, 80] {
      let world = try VerbCalls.world(columns: columns)
      for arguments in [["list"], ["log"], ["audit", VerbCalls.id], ["get", VerbCalls.id]] {
        let output = world.run(["--json"] + arguments).output
        let isExact = output.contains(VerbCalls.hidden)
        #expect(isExact == (columns == nil), "\(arguments)")
        if columns != nil { check(output, of: arguments) }
      }
    }
  }

  @Test(arguments: ["a;touch ran", "$(touch ran)", "it's"])
  func `of a shell in an id are quoted in a command that is hinted at`(_ id: String) throws {
    let world = try TestWorld()
    world.run("init")
    world.run("add", "Odd", "--id", id)
    world.run("evict", id)
    let hint = world.run("done", id).errors
    let quoted = id == "it's" ? #"'it'\''s'"# : "'\(id)'"
    #expect(hint.contains("`ledger audit \(quoted)`") && hint.contains("`ledger undo \(quoted)`"))
  }

  private func check(_ text: String, of arguments: [String]) {
    let found = text.unicodeScalars.filter {
      TerminalText.isEscaped($0) && $0 != "\n" && $0 != "\t"
    }
    #expect(found.isEmpty, "\(arguments): \(found.map { String($0.value, radix: 16) })")
  }
}
