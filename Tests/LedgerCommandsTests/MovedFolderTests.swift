import Testing

/// The ledger's folder, or the one that a command runs in, goes elsewhere while a program has it open.
@Suite(.enabled(if: Executable.path != nil, "the program is not beside the tests"))
struct `A folder that goes elsewhere` {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    #expect(try shell("ledger init").exit == 0)
  }

  @Test(arguments: [
    "mv .ledger other", "cp -r .ledger copy; mv .ledger other; mv copy .ledger",
    "ledger backup copy > /dev/null; rm -r .ledger; ledger --ledger .ledger restore --from copy > /dev/null",
  ])
  func `ends a watch of it`(_ move: String) throws {
    let result = try shell(
      """
      ledger add Milk > /dev/null; (exec "$LEDGER" watch --after 0 > all) & watching=$!
      until [ -s all ]; do sleep 0.05; done
      \(move); wait $watching; echo "exit $?"
      """)
    #expect(result.output == "exit 66\n", "\(result)")
    #expect(result.errors.contains("was moved or deleted while it was watched"), "\(result)")
  }

  @Test func `takes along what a stream appends, which the run says`() throws {
    let result = try shell(
      """
      { echo '{"kind":"upsert","task":"a"}'; until [ -n "$(ledger list)" ]; do sleep 0.05; done
        mv .ledger other; ledger init > /dev/null; echo '{"kind":"upsert","task":"b"}'; } | ledger apply -
      ledger list; echo --; ledger --ledger other list
      """)
    #expect(result.output.contains("2 lines are in"), "\(result)")
    #expect(result.output.hasSuffix("\n--\na\topen\t\nb\topen\t\n"), "\(result)")
    #expect(
      result.errors.contains("the folder of the ledger was moved, deleted or replaced meanwhile"))
    #expect(result.errors.contains("are not in "))
  }

  @Test(arguments: [
    "init", "init new", "--ledger new init", "--ledger new list",
    "--ledger $HERE/.ledger backup new",
    "--ledger $HERE/new restore --from old", "--ledger $HERE/.ledger apply lines", "diff a b",
  ])
  func `is named where a command needs it`(_ arguments: String) throws {
    let result = try shell(
      """
      HERE=$PWD; mkdir gone; cd gone; rmdir ../gone; ledger \(arguments)
      """)
    #expect(result.exit == 66, "\(result)")
    #expect(result.errors.contains("there is no working folder any more"), "\(result)")
    #expect(result.errors.contains("hint: go to a folder that exists"), "\(result)")
  }
}
