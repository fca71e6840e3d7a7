import Foundation
import LedgerCore
import TaskLedger
import Testing

@testable import LedgerCommands

@Suite struct `Applying streams` {
  private static let scenarios = URL(fileURLWithPath: `Golden output`.folder)
    .deletingLastPathComponent().appendingPathComponent("scenarios").path

  /// The figures of Fixtures/scenarios/README.md.
  @Test(arguments: [
    (
      "tracker-a", "754 lines are in: 739 events, 15 unchanged\n",
      "{\"events\":739,\"tasks\":180,\"digest\":\"7352c9df3e62fcd7974378e8b913784b7742879592e6ec02bc2638fc4999311d\""
    ),
    (
      "tracker-b", "2,095 lines are in: 1,932 events, 163 unchanged\n",
      "{\"events\":1932,\"tasks\":259,\"digest\":\"3ff914f73b4bb57ac1d2c8c2d9a5a24621c4b1aa610c678bbdbcbd323c7fbe35\""
    ),
  ]) func `real histories come out as they should`(
    _ name: String, _ summary: String, _ replay: String
  ) throws {
    let world = try TestWorld()
    world.configuration.sealEvents = 100
    world.run("init")
    let result = world.run("apply", "\(Self.scenarios)/\(name).ndjson")
    #expect(result.output == summary)
    #expect(world.run("--json", "replay").output.hasPrefix(replay))
    #expect(world.run("verify").exit == 0)
    // The bulk load left no active segment that is larger than others may be.
    let statistics = try Ledger.open(at: world.path(".ledger")).statistics()
    #expect(statistics.segments.map(\.kind) == ["sealed", "active"])
  }

  @Test func `chunks of any size give the same`() throws {
    let text = """
      {"kind":"upsert","task":"a","set":{"body":"One"},"transaction":"é"}
      {"kind":"toggle","task":"a","transaction":"é"}

      {"kind":"upsert","task":"b"}
      """
    for chunk in [1, 2, 3, 7, 50, 1000] {
      let world = try TestWorld()
      world.run("init")
      world.inputSource = BytesSource(Array(text.utf8), chunk: chunk)
      #expect(world.run("apply", "-").output == "3 lines are in: 3 events, 0 unchanged\n")
      #expect(world.run("list").output == "a\tdone\tOne\nb\topen\t\n")
    }
  }

  @Test func `a stream that pauses is appended as far as it came`() throws {
    let world = try TestWorld()
    world.run("init")
    let path = world.path(".ledger")
    let seen = Seen()
    let look = { seen.counts.append(try? Ledger.open(at: path).lastSequence) }
    world.inputSource = InterruptedSource([
      (
        "{\"kind\":\"upsert\",\"task\":\"a\"}\n{\"kind\":\"upsert\",\"task\":\"b\",\"transaction\":1}\n",
        look
      ),
      ("{\"kind\":\"upsert\",\"task\":\"c\",\"transaction\":1}\n{\"kind\":\"ups", look),
      ("ert\",\"task\":\"d\"}\n", look),
      ("", look),
    ])
    #expect(world.run("apply", "-").exit == 0)
    // A transaction is in as a whole, once it is known to be complete.
    #expect(seen.counts == [0, 1, 1, 4])
  }

  private final class Seen { var counts: [UInt64?] = [] }

  @Test func `a bad line in the middle of a pause stops the run at once`() throws {
    let world = try TestWorld()
    world.run("init")
    var reads = 0
    let count = { reads += 1 }
    world.inputSource = InterruptedSource([
      ("{\"kind\":\"upsert\",\"task\":\"a\"}\n", count),
      ("{\"kind\":\"toggle\",\"task\":\"nobody\"}\n", count),
      ("{\"kind\":\"upsert\",\"task\":\"c\"}\n", count),
    ])
    let result = world.run("apply", "-")
    #expect(result.exit == 65)
    #expect(result.errors.contains("line 2: there is no task \"nobody\""))
    #expect(reads == 2)
  }

  @Test func `files are applied in order, each with its own line numbers`() throws {
    let world = try TestWorld()
    world.run("init")
    try world.write("{\"kind\":\"upsert\",\"task\":\"a\",\"transaction\":1}\n", to: "one")
    try world.write(
      "{\"kind\":\"toggle\",\"task\":\"a\",\"transaction\":1}\n{\"kind\":\"nonsense\"}\n", to: "two"
    )
    try world.write("{\"kind\":\"upsert\",\"task\":\"c\"}\n", to: "three")
    let result = world.run("apply", "one", "two", "three")
    #expect(result.exit == 65)
    #expect(result.output == "2 lines are in: 2 events, 0 unchanged; 1 line dropped\n")
    #expect(result.errors.contains("two: line 2, column 9"))
    #expect(result.errors.contains("; 1 line before it is in"))
    #expect(world.run("list").output == "a\tdone\t\n")
    // Files are transactions of their own, even where their tokens are the same.
    #expect(!world.run("--json", "log").output.contains("ends"))
  }

  @Test func `a missing file is found before anything is applied`() throws {
    let world = try TestWorld()
    world.run("init")
    try world.write("{\"kind\":\"upsert\",\"task\":\"a\"}\n", to: "one")
    let result = world.run("apply", "one", "missing")
    #expect(result.exit == 66)
    #expect(result.errors.contains("missing"))
    #expect(world.run("list").output == "")
  }

  @Test func `busy is told, and can be tried again`() throws {
    let world = try TestWorld()
    world.run("init")
    world.configuration.lockTimeoutMilliseconds = 20
    let lock = open(world.path(".ledger/LOCK"), O_RDWR)
    #expect(flock(lock, LOCK_EX) == 0)
    let result = world.run("add", "Milk")
    #expect(result.exit == 75)
    #expect(result.errors.contains("hint: try again"))
    close(lock)
    #expect(world.run("add", "Milk").exit == 0)
  }
}
