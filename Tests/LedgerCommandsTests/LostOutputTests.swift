import Foundation
import Testing

@testable import LedgerCommands

/// What the operating system takes away in the middle of the work.
@Suite(.enabled(if: Executable.path != nil, "the program is not beside the tests"))
struct `When output or space runs out` {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    #expect(try shell("ledger init && ledger add One --id one").exit == 0)
  }

  @Test func `a limit for the size of files is an error, and the ledger stays sound`() throws {
    let result = try shell("ulimit -f 0; ledger add Two")
    #expect(result.exit == 74)
    #expect(try shell("ledger verify").exit == 0)
    #expect(try shell("ledger list").output == "one\topen\tOne\n")
    let output = try shell("ulimit -f 0; ledger --help 2>&1 > file | cat")
    #expect(output.exit == 74)
    #expect(output.output.contains("EFBIG"))
    #expect(output.output.contains("hint: raise the limit for the size of files"))
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: [
      "toggle one", "update one --set a=1", "delete one", "evict one", "add Two",
      "upsert '{\"body\":\"Two\"}'", "apply lines",
    ])
  func `a change whose report is lost is said to be in the ledger`(_ command: String) throws {
    try shell("echo '{\"kind\":\"toggle\",\"task\":\"one\"}' > lines")
    for option in ["", "--json "] {
      let before = try shell("ledger log").output
      let result = try shell("ledger \(option)\(command) > /dev/full")
      let after = try shell("ledger log").output
      #expect(result.exit == 74 || before == after)
      guard before != after else { continue }
      #expect(result.errors.contains("the change is in the ledger, but the program cannot write"))
      #expect(result.errors.contains("do not repeat it"))
      #expect(!result.errors.contains("try again"))
    }
  }

  /// What cannot be undone, or takes long: the command, what it needs first, and what is said of it.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: [
      ("repair", "rm .ledger/CURRENT", "the ledger was repaired"),
      (
        "compact",
        "ledger maintain --policy policy; ledger toggle one; ledger maintain --policy policy",
        "the segments were merged"
      ),
      ("compact --policy fold --before 1", "true", "the history was folded"),
      ("snapshot", "true", "the snapshot was made"),
      ("backup copy", "true", "the backup is up to date"),
      (
        "--ledger new restore --from copy", "rm -rf new; ledger backup copy",
        "the ledger was restored"
      ),
      ("maintain --policy policy", "true", "what was due is done"),
    ])
  func `long or final work whose report is lost is said to be done`(
    _ command: String, _ preparation: String, _ sentence: String
  ) throws {
    for option in ["", "--json "] {
      let shell = try Shell()
      try shell("ledger init; ledger add One --id one")
      try shell("printf 'seal-events = 1\\nmerge-segments = 0\\n' > policy; \(preparation)")
      let result = try shell("ledger \(option)\(command) > /dev/full")
      #expect(result.exit == 74)
      #expect(
        result.errors.contains("\(sentence), but the program cannot write to standard output"),
        "\(result.errors)")
      #expect(result.errors.contains("do not repeat it: `ledger "))
      #expect(!result.errors.contains("try again"))
      #expect(try shell("ledger verify").exit == 0)
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `an answer of no that is lost is an error of output`() throws {
    let result = try shell("ledger toggle one; ledger diff --from 1 > /dev/full")
    #expect(result.exit == 74 && result.errors.contains("cannot write to standard output"))
    #expect(try shell("ledger get nobody > /dev/full").exit == 1)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `a lost answer about no change is said to be that alone`() throws {
    for command in ["list", "update one --set body=One"] {
      let result = try shell("ledger \(command) > /dev/full")
      #expect(result.exit == 74)
      #expect(result.errors.contains("ledger: cannot write to standard output"))
      #expect(!result.errors.contains("in the ledger"))
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `a ledger that was made is said to be there`() throws {
    let result = try shell("ledger init other > /dev/full")
    #expect(result.exit == 74)
    #expect(result.errors.contains("the ledger was made, but"))
    #expect(try shell("ledger --ledger other verify").exit == 0)
  }
}
