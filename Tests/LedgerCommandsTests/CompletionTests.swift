import Foundation
import LedgerCore
import Testing

@testable import LedgerCommands

@Suite struct `What a shell is offered` {
  private let world: TestWorld

  init() throws {
    world = try TestWorld()
    world.run("init")
    world.run("add", "Get milk", "--id", "milk one")
    world.run("add", "Call home", "--id", "home:call")
    world.run("add", "Old", "--id", "old")
    world.run("delete", "old")
    world.run("add", "Gone", "--id", "gone")
    world.run("evict", "gone")
    world.run("add", "Ready", "--id", "ready")
    world.run("done", "ready")
  }

  /// The candidates for the last word, without what they mean.
  private func offered(_ words: String...) -> [String] {
    let result = world.run(["completions", "--candidates", "--"] + words)
    #expect(result.exit == 0 && result.errors == "")
    return result.output.split(separator: "\n").map { line in
      line.hasPrefix("\t") ? String(line) : String(line.prefix { $0 != "\t" })
    }
  }

  @Test func `verbs with their short names`() {
    #expect(offered("re") == ["restore", "redo", "replay", "repair"])
    #expect(offered("--json", "r").contains("rm"))
    #expect(Set(offered("")) == Set(Verbs.all.flatMap { $0.description.names } + ["help"]))
    #expect(offered("help", "ba") == ["backup"])
    #expect(offered("nonsense", "") == [])
  }

  @Test func `options that can still be given`() {
    #expect(offered("--") == ["--ledger", "--author", "--json", "--help", "--version"])
    #expect(offered("compact", "--") == ["--policy", "--before", "--dry-run", "--help"])
    #expect(offered("compact", "--dry-run", "--policy=fold", "--") == ["--before", "--help"])
    #expect(offered("update", "x", "--set", "a=1", "--s") == ["--set"])
    #expect(offered("add", "--", "--s") == [])
  }

  @Test func `values of options`() {
    #expect(offered("log", "--kind", "u") == ["upsert", "update"])
    #expect(offered("log", "--kind=u") == ["--kind=upsert", "--kind=update"])
    #expect(offered("completions", "") == ["bash", "zsh", "fish"])
    #expect(offered("--ledger", "") == ["\tfolders"])
    #expect(offered("--ledger=x") == ["\tfolders"])
    #expect(offered("apply", "") == ["\tfiles"])
    #expect(offered("add", "--message", "") == [])
  }

  @Test func `ids that fit the verb`() {
    #expect(offered("toggle", "") == ["home:call", "milk one", "ready"])
    #expect(offered("done", "") == ["home:call", "milk one"])
    #expect(offered("get", "") == ["home:call", "milk one", "old", "ready"])
    #expect(offered("restore", "") == ["old"])
    #expect(offered("audit", "g") == ["gone"])
    #expect(offered("rm", "milk", "mi") == ["milk one"])
    #expect(offered("get", "old", "") == [])
    #expect(offered("update", "due:to") == ["due:today", "due:tomorrow"])
  }

  @Test func `no id that would turn the line or hide in it`() {
    world.run("add", "Turned", "--id", "x\u{202e}y")
    world.run("add", "Hidden", "--id", "x\u{200b}y")
    world.run("add", "Plain", "--id", "xy")
    #expect(offered("get", "x") == ["xy"])
  }

  @Test func `ids of the ledger that is named, and none where there is none`() {
    #expect(offered("--ledger", "\(world.folder)/nowhere", "get", "") == [])
    world.currentFolder = "/"
    #expect(offered("--ledger", "\(world.folder)/.ledger", "get", "mi") == ["milk one"])
    world.environment["HOME"] = world.folder
    #expect(offered("--ledger", "~/.ledger", "get", "mi") == ["milk one"])
  }

  @Test func `nothing is changed by asking`() throws {
    let before = world.run("verify").output
    _ = offered("get", "")
    #expect(world.run("verify").output == before)
  }
}

/// The scripts in the shells that are there.
@Suite(.enabled(if: Executable.path != nil, "the program is not beside the tests"))
struct `Completion in a shell` {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    try shell(
      """
      ledger init; ledger add Milk --id 'milk one'; ledger add Call --id home:call
      ledger add Tea --id tea; mkdir folder; touch file.ndjson 'odd name.ndjson'
      """)
  }

  /// What bash would put in the place of the last of these words.
  private func bash(_ words: String) throws -> String {
    let result = try shell(
      """
      source <(ledger completions bash)
      words=(\(words)); COMP_WORDS=("$LEDGER" "${words[@]}"); COMP_CWORD=${#words[@]}
      _ledger "$LEDGER" "${words[${#words[@]}-1]}"; printf '%s|' "${COMPREPLY[@]}"
      """)
    #expect(result.errors == "")
    return result.output
  }

  @Test func `bash completes verbs, options, ids and paths`() throws {
    #expect(try bash("aud") == "audit|")
    #expect(try bash("list --off") == "--offset|")
    #expect(try bash("get te") == "tea|")
    #expect(try bash("get ''") == "home:call|milk\\ one|tea|")
    #expect(try bash("get 'milk\\'") == "milk\\ one|")
    #expect(try bash("get \"'milk\"") == "milk one|")
    #expect(try bash("apply file") == "file.ndjson|")
    #expect(try bash("apply odd") == "odd name.ndjson|")
    #expect(try bash("--ledger fo") == "folder|")
    #expect(try bash("nonsense x") == "|")
  }

  @Test func `nothing in an id leaves the quote in which bash completes it`() throws {
    let id = #"odd$(touch ran)`touch ran`"'$HOME!\end"#
    try shell("ledger add Odd --id \(Self.quoted(id))")
    for (opening, close) in [("", ""), ("\"", "\""), ("'", "'")] {
      let word = try bash("get \(Self.quoted(opening + "odd"))").dropLast()
      let line = try shell("printf '%s' \(opening)\(word)\(close); ls")
      #expect(line.output.hasPrefix(id) && !line.output.contains("\nran"), "in \(opening)")
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  @Test func `bash completes words that it cuts at = and :`() throws {
    #expect(try bash("log --kind = u") == "upsert|update|")
    #expect(try bash("log --kind =") == "upsert|update|toggle|delete|evict|")
    #expect(try bash("get home :") == "call|")
    #expect(try bash("get home : ca") == "call|")
    #expect(try bash("update tea due : tom") == "tomorrow|")
  }

  @Test func `bash lists ids with the texts of their tasks`() throws {
    let result = try shell(
      """
      source <(ledger completions bash)
      COMP_WORDS=("$LEDGER" get ''); COMP_CWORD=2; COMP_TYPE=63
      _ledger "$LEDGER" ''; printf '%s|' "${COMPREPLY[@]}"
      """)
    #expect(result.output == "home:call  (Call)|milk\\ one  (Milk)|tea  (Tea)|")
    #expect(result.errors == "")
  }

  @Test func `bash registers it`() throws {
    let result = try shell("source <(ledger completions bash); complete -p ledger")
    #expect(result.output == "complete -F _ledger ledger\n")
  }

  @Test(arguments: ["zsh", "fish"])
  func `another shell reads its script`(_ name: String) throws {
    guard try shell("command -v \(name)").exit == 0 else { return }
    let result = try shell("ledger completions \(name) > script; \(name) -n script")
    #expect(result.exit == 0, "\(result.errors)")
  }
}

@Suite struct `The manual page` {
  @Test func `names every verb and option, and is ASCII`() {
    let page = ManPage.text()
    #expect(page.utf8.allSatisfy { $0 < 0x7f })
    for verb in Verbs.all.map({ $0.description }) {
      #expect(
        page.contains(".SS \"\(verb.names.joined(separator: ", ").replacing("-", with: "\\-")): "))
      for option in verb.options {
        #expect(page.contains("\\-\\-" + option.name.replacing("-", with: "\\-")), "\(option.name)")
      }
    }
  }

  @Test func `no text is taken for a request`() {
    for line in ManPage.text().split(separator: "\n") where line.hasPrefix(".") {
      #expect(
        [".TH ", ".nh", ".ad l", ".SH ", ".SS ", ".PP", ".TP"].contains { line.hasPrefix($0) },
        "\(line)")
    }
  }

  @Test func `groff finds nothing wrong, and shows every word`() throws {
    let shell = try Shell()
    guard try shell("command -v groff && test -n \"$LEDGER\"").exit == 0 else { return }
    let result = try shell("ledger man | groff -man -Tutf8 -ww -b -z")
    #expect(result.exit == 0)
    #expect(result.errors == "")
    let text = try shell("ledger man | groff -man -Tascii -P-cbou -rLL=200n").output
    #expect(text.contains("ledger - a task list that remembers everything"))
    #expect(text.contains("--if-revision N"))
    #expect(text.contains("C:\\x"))
  }
}
