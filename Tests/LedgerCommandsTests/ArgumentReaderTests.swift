import LedgerCore
import Testing

@testable import LedgerCommands

@Suite struct `Reading arguments` {
  private static let verb = VerbDescription(
    "paint", "paint the fence", usage: ["FENCE..."], operands: .some("FENCE"),
    options: [
      .init("colour", "NAME", "which"), .init("set", "F=V", repeats: true, "fields"),
      .flag("twice", "two coats"),
    ], examples: [])

  private func read(_ words: String...) throws(LedgerError) -> Arguments {
    try ArgumentReader.read(words[...], for: Self.verb)
  }

  private func refusal(_ words: String...) -> LedgerError? {
    do throws(LedgerError) {
      _ = try ArgumentReader.read(words[...], for: Self.verb)
      return nil
    } catch {
      return error
    }
  }

  @Test func `options and operands stand in any order`() throws {
    let arguments = try read("north", "--colour", "red", "south", "--twice")
    #expect(arguments.operands == ["north", "south"])
    #expect(arguments.value("colour") == "red")
    #expect(arguments.has("twice"))
  }

  @Test func `a value stands behind = or as the next argument`() throws {
    #expect(try read("f", "--colour=red").value("colour") == "red")
    #expect(try read("f", "--colour=a=b").value("colour") == "a=b")
    #expect(try read("f", "--colour=").value("colour") == "")
    #expect(try read("f", "--colour", "").value("colour") == "")
    #expect(try read("f", "--colour", "-1").value("colour") == "-1")
    #expect(try read("f", "--colour=--twice").value("colour") == "--twice")
  }

  @Test func `a combining mark behind = belongs to the value`() throws {
    let arguments = try read("f", "--colour=\u{338}x")
    #expect(arguments.value("colour").map { Array($0.utf8) } == Array("\u{338}x".utf8))
  }

  @Test func `two dashes end the options`() throws {
    let arguments = try read("--twice", "--", "--colour", "--", "-x")
    #expect(arguments.operands == ["--colour", "--", "-x"])
    #expect(!arguments.has("colour"))
  }

  @Test func `one dash is an operand`() throws {
    #expect(try read("-").operands == ["-"])
  }

  @Test func `only options that say so may be repeated`() throws {
    #expect(try read("f", "--set", "a=1", "--set", "b=2").all("set") == ["a=1", "b=2"])
    #expect(refusal("f", "--colour", "red", "--colour", "blue")?.code == .usage)
    #expect(refusal("f", "--twice", "--twice")?.sentence == "--twice is given twice")
  }

  @Test func `help is understood wherever it stands`() throws {
    #expect(try read("--help").has("help"))
    #expect(try read("f", "--twice", "-h", "--nonsense").has("help"))
  }

  @Test func `what is unknown is refused with a suggestion`() {
    #expect(refusal("f", "--color", "red")?.hint == "did you mean `--colour`?")
    #expect(refusal("f", "--nonsense")?.hint == "`ledger paint --help` shows what it takes")
    #expect(refusal("f", "--json")?.hint?.contains("ledger --json paint") == true)
    #expect(refusal("f", "--json=1")?.hint?.contains("ledger --json paint") == true)
    #expect(refusal("f", "-5")?.hint == "what begins with a dash and is no option goes behind --")
  }

  @Test func `too few and too many operands are refused`() throws {
    #expect(refusal()?.sentence == "paint needs FENCE")
    let one = VerbDescription("get", "get", usage: ["ID"], operands: .one("ID"), examples: [])
    #expect(throws: LedgerError.self) { try ArgumentReader.read(["a", "b"], for: one) }
    let none = VerbDescription("stats", "stats", usage: [""], examples: [])
    #expect(throws: LedgerError.self) { try ArgumentReader.read(["a"], for: none) }
  }

  @Test func `global options end at the verb`() throws {
    var globals = Arguments()
    let rest = try ArgumentReader.readGlobals(
      ["--json", "--ledger=x", "list", "--limit", "3"], into: &globals)
    #expect(Array(rest) == ["list", "--limit", "3"])
    #expect(globals.value("ledger") == "x")
  }

  @Test func `two dashes before the verb end the global options`() throws {
    var globals = Arguments()
    let rest = try ArgumentReader.readGlobals(["--json", "--", "list"], into: &globals)
    #expect(Array(rest) == ["list"])
  }

  @Test func `what was read before an error tells how to print it`() {
    var globals = Arguments()
    #expect(throws: LedgerError.self) {
      try ArgumentReader.readGlobals(["--json", "--nonsense"], into: &globals)
    }
    #expect(globals.has("json"))
  }

  @Test(arguments: ["", "-1", "+1", "1.0", " 1", "١", "18446744073709551616"])
  func `only digits are a number`(_ text: String) throws {
    var arguments = Arguments()
    arguments.add("limit", text)
    #expect(throws: LedgerError.self) { try arguments.number("limit") }
  }
}

@Suite struct `What was meant` {
  private let verbs = [
    "add", "apply", "audit", "list", "log", "replay", "restore", "toggle", "update",
  ]

  @Test func `one slip in a short word, two in a longer one`() {
    #expect(Suggestion.closest(to: "lst", among: verbs) == ["list"])
    #expect(Suggestion.closest(to: "lots", among: verbs) == [])
    #expect(Suggestion.closest(to: "togle", among: verbs) == ["toggle"])
    #expect(Suggestion.closest(to: "udpdate", among: verbs) == ["update"])
    #expect(Suggestion.closest(to: "frobnicate", among: verbs) == [])
  }

  @Test func `a swap counts as one slip`() {
    #expect(Suggestion.distance(Array("udpate".utf8), Array("update".utf8)) == 1)
    #expect(Suggestion.distance(Array("".utf8), Array("abc".utf8)) == 3)
    #expect(Suggestion.distance(Array("abc".utf8), Array("".utf8)) == 3)
  }

  @Test func `the beginning of a word stands for it`() {
    #expect(Suggestion.closest(to: "rep", among: verbs) == ["replay"])
    #expect(Suggestion.closest(to: "re", among: verbs) == [])
  }

  @Test func `every familiar word leads to a verb`() {
    for word in [
      "ls", "remove", "complete", "import", "history", "check", "show", "edit", "status",
    ] {
      #expect(throws: LedgerError.self) { try Verbs.named(word) }
      do throws(LedgerError) {
        _ = try Verbs.named(word)
      } catch {
        #expect(error.hint?.hasPrefix("did you mean `ledger ") == true, "\(word)")
      }
    }
  }
}
