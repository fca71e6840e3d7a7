import Foundation
import LedgerCore
import Testing

@testable import LedgerCommands

/// What only a process of its own can show: descriptors, signals, bytes in arguments.
@Suite(.enabled(if: Executable.path != nil, "the program is not beside the tests"))
struct `The program as a process` {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    #expect(try shell("ledger init").exit == 0)
  }

  @Test func `a full device is an error, and the change is in`() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let result = try shell("ledger add Milk > /dev/full")
    #expect(result.exit == 74)
    #expect(result.errors.contains("cannot write to standard output: No space left on device"))
    #expect(result.errors.contains("the change is in the ledger, but"))
    #expect(result.errors.contains("hint: do not repeat it: `ledger log --last 1` shows"))
    #expect(try shell("ledger log --last 1").output.contains("Milk"))
    #expect(try shell("ledger list").output.hasSuffix("\topen\tMilk\n"))
  }

  @Test func `closed descriptors end no file of the ledger`() throws {
    for redirection in [">&-", "<&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"] {
      let result = try shell("ledger add Milk \(redirection)")
      #expect(
        result.exit == (redirection.contains(" >&-") || redirection.hasPrefix(">&-") ? 74 : 0))
    }
    let result = try shell("ledger apply - <&-")
    #expect(result.exit == 74)
    #expect(result.errors.contains("cannot read from standard input"))
    #expect(try shell("ledger verify").exit == 0)
    #expect(try shell("ledger list").output.split(separator: "\n").count == 5)
  }

  @Test func `a reader who leaves ends the program without a word`() throws {
    try shell("for i in $(seq 20000); do echo '{\"kind\":\"upsert\"}'; done | ledger apply -")
    let result = try shell("ledger --json log | head -n 1 | wc -l; echo ${PIPESTATUS[0]}")
    #expect(result.output == "1\n0\n")
    #expect(result.errors == "")
  }

  @Test func `an argument that is not UTF-8 is refused`() throws {
    let result = try shell("ledger add $'Mil\\xffk'")
    #expect(result.exit == 64)
    #expect(result.errors.contains("argument 2 is not UTF-8"))
    #expect(try shell("ledger list").output == "")
  }

  @Test func `what is appended is acknowledged while the stream waits`() throws {
    let result = try shell(
      """
      { echo '{"kind":"upsert","task":"a"}'; for i in $(seq 100); do
        [ -n "$(ledger list)" ] && break; sleep 0.05; done; ledger list; } | ledger apply -
      """)
    // The listing went into the stream: its line is no JSON, and proves that the first one was in by then.
    #expect(result.exit == 65)
    #expect(result.errors.contains("line 2, column 1"))
    #expect(result.errors.contains("; 1 line before it is in"))
  }

  @Test func `the author is the login name when nothing else says so`() throws {
    try shell("unset LEDGER_AUTHOR; ledger add Milk")
    let name = try shell("id -un").output.trimmingCharacters(in: .newlines)
    #expect(try shell("ledger log").output.contains("\t\(name)\t"))
  }

  @Test func `a variable that is not UTF-8 is refused`() throws {
    let result = try shell("export LEDGER_AUTHOR=$'\\xff'; ledger add Milk")
    #expect(result.exit == 64)
    #expect(result.errors.contains("the variable LEDGER_AUTHOR is not UTF-8"))
  }

  @Test func `a named pipe is read to its end`() throws {
    let result = try shell(
      "mkfifo pipe; { echo '{\"kind\":\"upsert\"}' > pipe & }; ledger apply pipe <(echo '{\"kind\":\"upsert\"}')"
    )
    #expect(result.output == "2 lines are in: 2 events, 0 unchanged\n")
  }

  @Test func `an unlinked working folder is no crash`() throws {
    let result = try shell("mkdir gone && cd gone && rmdir ../gone && ledger list")
    #expect(result.exit == 66)
    #expect(result.errors.contains("hint: "))
  }

  @Test func `writers at once wait for each other`() throws {
    let result = try shell(
      "for i in 1 2 3 4 5 6 7 8; do ledger add Task $i > id.$i & done; wait; cat id.* | sort -u | wc -l"
    )
    #expect(result.output.trimmingCharacters(in: .whitespacesAndNewlines) == "8")
    #expect(
      try shell("ledger list | wc -l").output.trimmingCharacters(in: .whitespacesAndNewlines) == "8"
    )
  }

  @Test func `watch shows what other processes do, until it is asked to end`() throws {
    let result = try shell(
      """
      (exec "$LEDGER" watch --after 0 --limit 3 > first) & watching=$!
      (exec "$LEDGER" watch --after 0 > all) & other=$!
      ledger add Milk --id milk > /dev/null; ledger --author bob toggle milk > /dev/null
      ledger add Tea --id tea > /dev/null
      wait $watching; echo "exit $?"
      until [ "$(wc -l < all)" -ge 3 ]; do sleep 0.05; done
      kill -TERM $other; wait $other; echo "exit $?"
      cut -f 3- first; cmp first all
      """)
    #expect(
      result.output == """
        exit 0
        exit 0
        ann\tupsert\tmilk\tbody: "Milk"\t
        bob\ttoggle\tmilk\tisCompleted: false → true\t
        ann\tupsert\ttea\tbody: "Tea"\t

        """)
    #expect(result.errors == "")
  }

  @Test func `watch ends when nobody reads any more`() throws {
    let result = try shell("ledger watch | true; echo ${PIPESTATUS[0]}")
    #expect(result.output == "0\n")
    #expect(result.errors == "")
  }

  @Test func `watch says that the ledger was moved or deleted once it is both`() throws {
    let result = try shell(
      """
      ledger add Milk > /dev/null; ledger watch --after 0 > all & watching=$!
      until [ -s all ]; do sleep 0.05; done
      mv .ledger other; rm -r other; wait $watching; echo "exit $?"
      """)
    #expect(result.output == "exit 66\n", "\(result)")
    #expect(result.errors.contains("was moved or deleted while it was watched"), "\(result)")
  }

  @Test func `watch ends with an error when the ledger is deleted`() throws {
    let result = try shell(
      """
      ledger add Milk > /dev/null; ledger watch --after 0 > all & watching=$!
      until [ -s all ]; do sleep 0.05; done
      rm -r .ledger; wait $watching; echo "exit $?"
      """)
    #expect(["exit 65\n", "exit 66\n", "exit 74\n"].contains(result.output), "\(result)")
    #expect(result.errors.contains("ledger: "))
  }
}
