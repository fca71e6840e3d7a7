import Foundation
import Testing

@testable import LedgerCommands

/// A command never ends up in another ledger than the one that is meant.
@Suite(.enabled(if: Executable.path != nil, "the program is not beside the tests"))
struct `The place of a ledger` {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    #expect(try shell("ledger add Own --id own").exit == 0)
  }

  private func expectOwnIsAsItWas() throws {
    #expect(try shell("ledger list").output == "own\topen\tOwn\n")
  }

  @Test func `a working folder that is not UTF-8 has a ledger like any other`() throws {
    let bad = "mkdir -p $'Ann\\xffs'/a/b && cd $'Ann\\xffs' && ledger init"
    #expect(try shell(bad).output == "made a ledger in .ledger\n")
    #expect(try shell("cd $'Ann\\xffs' && ledger add Here --id here").exit == 0)
    let below = try shell("cd $'Ann\\xffs'/a/b && ledger add Below --id below && ledger list")
    #expect(below.output == "below\nbelow\topen\tBelow\nhere\topen\tHere\n")
    #expect(try shell("cd $'Ann\\xffs'/a && ledger verify").exit == 0)
    try expectOwnIsAsItWas()
  }

  @Test func `below a folder that is not UTF-8 the nearest ledger above it is found`() throws {
    try shell("mkdir -p top/$'\\xff' && cd top && ledger init")
    #expect(try shell("cd top/$'\\xff' && ledger add Here --id here").exit == 0)
    #expect(try shell("ledger --ledger top/.ledger list").output == "here\topen\tHere\n")
    try expectOwnIsAsItWas()
  }

  @Test(arguments: ["HOME", "XDG_DATA_HOME", "LEDGER_PATH"])
  func `a variable that names a place and is not UTF-8 is refused`(_ name: String) throws {
    let result = try shell("export \(name)=$PWD/$'\\xff'; ledger add Lost")
    #expect(result.exit == 64)
    #expect(result.errors.contains("the variable \(name) is not UTF-8"))
    #expect(try shell("ls").output == "errors\nhome\n")
    try expectOwnIsAsItWas()
  }

  @Test func `a path that is not UTF-8 is refused, as JSON where that is asked for`() throws {
    let plain = try shell("ledger --ledger $'\\xff' add Lost")
    #expect(plain.exit == 64)
    #expect(plain.errors.hasPrefix("ledger: argument 2 is not UTF-8"))
    for line in ["ledger --json --ledger $'\\xff' list", "ledger --json add $'\\xff'"] {
      let result = try shell(line)
      #expect(result.exit == 64)
      #expect(result.errors.hasPrefix("{\"error\":{\"code\":\"usage\""))
    }
    try expectOwnIsAsItWas()
  }

  @Test func `a working folder that is gone is no reason to change the own ledger`() throws {
    let result = try shell("mkdir gone && cd gone && rmdir ../gone && ledger add Lost")
    #expect(result.exit == 66)
    #expect(result.errors.contains("hint: "))
    try expectOwnIsAsItWas()
  }

  @Test func `a link to a ledger that is not there is no reason to change another`() throws {
    try shell("mkdir -p linked/below && ln -s /nowhere/tasks.ledger linked/.ledger")
    for folder in ["linked", "linked/below"] {
      let result = try shell("cd \(folder) && ledger add Lost")
      #expect(result.exit == 66)
      #expect(result.errors.contains("linked/.ledger: it is a link that leads nowhere"))
    }
    try expectOwnIsAsItWas()
  }

  @Test(arguments: ["ln -s .ledger looped/.ledger", "cd looped && ln -s .ledger .ledger"])
  func `a place that cannot be looked at is no reason to change another`(_ made: String) throws {
    try shell("mkdir looped; \(made)")
    let result = try shell("cd looped && ledger add Lost")
    #expect(result.exit == 74)
    #expect(result.errors.contains("cannot look for a ledger in"))
    #expect(result.errors.contains("ELOOP"))
    try expectOwnIsAsItWas()
  }

  @Test(.enabled(if: geteuid() == 0, "only the superuser can give a folder to another user"))
  func `a ledger of another user is used where it is named, and nowhere else`() throws {
    try shell("mkdir -p theirs/below && cd theirs && ledger init && ledger add Theirs --id theirs")
    try shell("chown -R 12345 theirs/.ledger")
    for folder in ["theirs", "theirs/below"] {
      let result = try shell("cd \(folder) && ledger add Lost")
      #expect(result.exit == 66)
      #expect(result.errors.contains("it belongs to another user, number 12345"))
      #expect(result.errors.contains("hint: if that is the one, name it with --ledger"))
    }
    for line in ["ledger --ledger .ledger list", "LEDGER_PATH=.ledger ledger list"] {
      #expect(try shell("cd theirs && \(line)").output == "theirs\topen\tTheirs\n")
    }
    // Behind sudo it is that of whoever called it.
    #expect(
      try shell("cd theirs && SUDO_UID=12345 ledger list").output == "theirs\topen\tTheirs\n")
    #expect(try shell("cd theirs && SUDO_UID=12346 ledger list").exit == 66)
    try expectOwnIsAsItWas()
  }

  @Test(.enabled(if: geteuid() == 0, "only the superuser can give a link to another user"))
  func `a link of another user leads to no ledger`() throws {
    try shell("mkdir trap && ln -s ../home/.local/share/taskledger/tasks.ledger trap/.ledger")
    #expect(try shell("cd trap && ledger list").output == "own\topen\tOwn\n")
    try shell("chown -h 12345 trap/.ledger")
    #expect(try shell("cd trap && ledger add Lost").exit == 66)
    try expectOwnIsAsItWas()
  }
}

@Suite struct `A ledger that was found` {
  @Test func `is refused where it belongs to another user than the one who runs the command`()
    throws
  {
    let world = try TestWorld()
    world.run("init")
    #expect(world.run("add", "Mine", "--id", "mine").exit == 0)
    world.userID = geteuid() &+ 1
    for arguments in [["list"], ["add", "Lost"], ["verify"], ["repair"], ["maintain"]] {
      #expect(world.run(arguments).exit == 66, "\(arguments)")
    }
    #expect(world.run("completions", "--candidates", "--", "get", "").output == "")
    #expect(world.run("--ledger", ".ledger", "list").output == "mine\topen\tMine\n")
  }
}
