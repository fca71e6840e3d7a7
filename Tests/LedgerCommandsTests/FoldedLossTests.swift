import Foundation
import Testing

@testable import LedgerCommands

/// A baseline of which a part is lost: nothing that is said of it claims more than is known.
@Suite struct `A folded ledger that lost a part of what still counted` {
  private let world: TestWorld

  /// Six tasks in a baseline of two blocks, of which the first is damaged, and one behind it; no snapshot is there.
  init() throws {
    world = try TestWorld()
    world.configuration.sealEvents = 3
    world.run("init")
    for number in 1...6 {
      // Text that does not shrink much fills a block.
      let body = (0..<8_000).map { String(($0 + number) &* 2_654_435_761 % 999_983, radix: 36) }
      world.run("add", String(body.joined().prefix(28_000)), "--id", "t\(number)")
    }
    #expect(world.run("compact", "--policy", "fold", "--before", "6").exit == 0)
    world.run("add", "Seven", "--id", "t7")
    let folder = world.path(".ledger/segments")
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder).first {
        $0.hasSuffix(".baseline")
      })
    let url = URL(fileURLWithPath: "\(folder)/\(name)")
    var bytes = try Data(contentsOf: url)
    for place in 40..<48 { bytes[place] ^= 0xff }
    try bytes.write(to: url)
  }

  @Test func `is told how many are lost, and shown as lacking some, not all`() throws {
    let damaged = world.run("verify")
    #expect(damaged.exit == 65 && damaged.output.contains("doubtful      events 1 to 6"))
    let plan = world.run("repair", "--dry-run")
    let repair = world.run("repair")
    let words = try #require(
      repair.output.split(separator: "\n").first { $0.contains("lost     ") }?
        .split(separator: " ").dropFirst().first)
    let lost = try #require(Int(words))
    #expect((1...5).contains(lost))
    let what = "\(lost) of the 6 events that still counted of 1 to 6"
    let left = "\(7 - lost) tasks"
    #expect(plan.output.contains("  lost     \(what)\n"), "\(plan.output)")
    #expect(plan.output.contains("\(left) would be left"), "\(plan.output)")
    #expect(plan.output.contains("\(what) would be lost; nobody can tell which numbers."))
    #expect(repair.output.contains("\(left) are left"), "\(repair.output)")
    let verb = lost == 1 ? "is" : "are"
    #expect(
      repair.output.contains("\(what) \(verb) lost; nobody can tell which numbers."),
      "\(repair.output)")

    let verify = world.run("verify")
    #expect(verify.exit == 0)
    #expect(
      verify.output.contains(
        "folded        events 1 to 6: some of what still counted was lost, as a repair recorded"),
      "\(verify.output)")
    #expect(!verify.output.contains("\nlost before"))
    #expect(!verify.output.contains("what still counts"))
    #expect(verify.output.contains("sound but for what was lost before"))
    let list = world.run("list")
    #expect(list.output.split(separator: "\n").count == 7 - lost)
    #expect(
      list.errors
        == "note: some of what still counted of events 1 to 6 was lost, and what is shown lacks it; `ledger stats` shows the repair\n"
    )
    let stats = world.run("stats").output
    #expect(stats.contains("lostOfFolded=1 to 6  lostEvents=\(lost)"), "\(stats)")
  }

  @Test func `is told to programs alike`() throws {
    let repair = world.run("--json", "repair")
    let lines = repair.output.split(separator: "\n")
    #expect(
      lines.contains {
        $0.contains(#""part":"segment""#) && $0.contains(#""ofFolded":true,"countedEvents":6,"#)
      }, "\(repair.output)")
    let last = try #require(lines.last)
    let ranges = #"[{"firstSequence":1,"lastSequence":6}]"#
    #expect(last.contains(#""lostOfFolded":\#(ranges)"#) && !last.contains(#""lostEvents":6,"#))
    let verify = world.run("--json", "verify").output
    #expect(verify.contains(#""lostOfFolded":\#(ranges)"#), "\(verify)")
  }
}

/// What a snapshot has that the events have not any more.
@Suite struct `Tasks of which only a snapshot tells` {
  @Test func `come back by the commands that the repair names`() throws {
    let world = try TestWorld()
    world.configuration.sealEvents = 2
    world.run("init")
    for id in ["a", "b", "c"] { world.run("add", "Text of \(id)", "--id", id) }
    #expect(world.run("snapshot").exit == 0)
    let before = world.run("list").output
    let folder = world.path(".ledger/segments")
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder).first {
        $0.hasSuffix(".sealed")
      })
    try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    #expect(world.run("repair", "--dry-run").output.contains("is said after the repair"))
    let repair = world.run("repair").output
    #expect(world.run("list").output != before)
    try bringBack(repair, in: world)
    #expect(world.run("list").output == before)
  }

  /// Carries out the line that pipes one command into another.
  private func bringBack(_ repair: String, in world: TestWorld) throws {
    let pipes = repair.split(separator: "\n").filter { $0.contains(" | ") }
    #expect(pipes.count == 1 && pipes[0].hasPrefix("  ledger "), "\(repair)")
    let halves = try #require(pipes.first).split(separator: "|").map {
      $0.split(separator: " ").map(String.init)
    }
    #expect(halves.allSatisfy { $0.first == "ledger" })
    let tasks = world.run(Array(halves[0].dropFirst()))
    world.input = Array(tasks.output.utf8)
    #expect(world.run(Array(halves[1].dropFirst())).exit == 0)
  }

  /// What is said of the recipe, and of a way to see what it leaves.
  @Test func `come back with what the snapshot has, and keep what it lacks`() throws {
    let world = try TestWorld()
    world.configuration.sealEvents = 3
    world.run("init")
    world.run("add", "Milk", "--id", "a", "due:2026-12-01", "pri:1")
    world.run("add", "Bread", "--id", "b")
    world.run("add", "Salt", "--id", "f")
    // These are lost: one unsets, two make.
    world.run("update", "a", "--unset", "due", "--set", "body=Oat milk")
    world.run("add", "Eggs", "--id", "c")
    world.run("add", "Rice", "--id", "e")
    world.run("snapshot")
    world.run("add", "Jam", "--id", "d")
    world.run("update", "b", "pri:2")
    let folder = world.path(".ledger/segments")
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder).first {
        $0.hasPrefix("0000000000000004-") && $0.hasSuffix(".sealed")
      })
    try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    let repair = world.run("repair").output
    #expect(repair.contains("A field that one of them lacks is not unset"), "\(repair)")
    #expect(repair.contains("3 events are lost.\nThey come back where"), "\(repair)")
    let print = repair.split(separator: "\n").first { $0.hasPrefix("  ledger replay") } ?? ""
    let documents = world.run(print.split(separator: " ").dropFirst().map(String.init)).output
    try bringBack(repair, in: world)
    #expect(
      world.run("list").output
        == """
        a\topen\tOat milk\tdue=2026-12-01\tpriority=1
        b\topen\tBread\tpriority=2
        c\topen\tEggs
        d\topen\tJam
        e\topen\tRice
        f\topen\tSalt

        """)
    // The article's way to see what differs from the snapshot.
    world.run("--ledger", "then.ledger", "init")
    world.input = Array(documents.utf8)
    #expect(world.run("--ledger", "then.ledger", "upsert", "-").exit == 0)
    let difference = world.run("--json", "diff", "then.ledger", ".ledger").output
    #expect(difference.contains(#""task":"a""#) && difference.contains("due"), "\(difference)")
    #expect(difference.contains(#""task":"d""#) && !difference.contains(#""task":"c""#))
  }
}
