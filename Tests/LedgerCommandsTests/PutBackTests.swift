import Foundation
import Testing

@testable import LedgerCommands

/// A copy that was put back over a newer ledger, as the command line tells it.
@Suite struct `A ledger under a copy of it` {
  private let world: TestWorld

  /// A newer ledger of seven events, over which a copy of three was put that has `more` events of its own.
  init() throws {
    world = try TestWorld()
    world.configuration.sealEvents = 2
    world.run("init")
    for body in ["One", "Two", "Three"] { world.run("add", body) }
    try FileManager.default.copyItem(atPath: world.path(".ledger"), toPath: world.path("old"))
    for body in ["Four", "Five", "Six", "Seven"] { world.run("add", body) }
  }

  /// `cp -r old/. .ledger/`
  private func putBack() throws {
    let manager = FileManager.default
    for name in try manager.subpathsOfDirectory(atPath: world.path("old")) {
      let (from, to) = (world.path("old/\(name)"), world.path(".ledger/\(name)"))
      var isFolder: ObjCBool = false
      _ = manager.fileExists(atPath: from, isDirectory: &isFolder)
      if isFolder.boolValue { continue }
      if manager.fileExists(atPath: to) { try manager.removeItem(atPath: to) }
      try manager.copyItem(atPath: from, toPath: to)
    }
  }

  @Test func `takes nothing, answers nothing, and is repaired without loss`() throws {
    try putBack()
    let verbs = [
      ["add", "More"], ["done", "task-1"], ["list"], ["get", "task-1"], ["log"], ["replay"],
      ["stats"], ["audit", "task-1"], ["list", "--at", "2"], ["diff", "--from", "1", "--to", "2"],
      ["backup", "other"],
    ]
    for verb in verbs {
      let result = world.run(verb)
      #expect(result.exit == 65, "\(verb): \(result.errors)")
      #expect(result.errors.contains("CURRENT is out of date"), "\(verb): \(result.errors)")
      #expect(result.errors.contains("`ledger verify`"), "\(verb): \(result.errors)")
      #expect(result.errors.contains("`ledger repair`"), "\(verb): \(result.errors)")
    }
    let repair = world.run("repair")
    #expect(repair.exit == 0 && repair.output.contains("No event is lost."))
    #expect(world.run("list").output.split(separator: "\n").count == 7)
    #expect(world.run("add", "More").exit == 0)
  }

  @Test(arguments: [2, 5])
  func `and with events of its own says which were acknowledged and are not there any more`(
    _ more: Int
  ) throws {
    for number in 1...more { world.run("--ledger", "old", "add", "Other \(number)") }
    try putBack()
    #expect(world.run("add", "More").exit == 65)
    let verify = world.run("verify")
    #expect(verify.exit == 65 && verify.output.contains("DAMAGED   CURRENT"))
    #expect(verify.output.contains("that the list of files lacks"))
    // The longer one counts: seven events against five or eight.
    let dropped = more == 2 ? "4 to 5" : "4 to 7"
    for verb in [["repair", "--dry-run"], ["repair"]] {
      let result = world.run(verb)
      #expect(result.exit == 65, "\(verb): \(result.output)")
      #expect(result.output.contains("dropped  event 4, acknowledged"), "\(result.output)")
      #expect(!result.output.contains("No event"), "\(result.output)")
      let count = more == 2 ? 2 : 4
      #expect(
        result.errors.contains("\(count) events that had been acknowledged"), "\(result.errors)")
      #expect(result.errors.contains(": \(dropped), of another list"), "\(result.errors)")
    }
    #expect(world.run("verify").exit == 0)
    #expect(world.run("stats").output.contains("dropped"))
    #expect(world.run("repair").output == "nothing to do: the ledger is sound\n")
    let bodies = world.run("list").output
    #expect(bodies.contains("Seven") == (more == 2) && bodies.contains("Other 1") == (more == 5))
    #expect(world.run("add", "More").exit == 0)
  }

  @Test func `says the same to programs`() throws {
    for number in 1...2 { world.run("--ledger", "old", "add", "Other \(number)") }
    try putBack()
    let result = world.run("--json", "repair")
    #expect(result.exit == 65)
    let lines = result.output.split(separator: "\n")
    #expect(lines.contains { $0.contains(#""part":"dropped","file":"segments/"#) })
    let last = try #require(lines.last)
    #expect(last.contains(#""lostEvents":0,"#))
    #expect(
      last.contains(
        #""droppedEvents":2,"dropped":[{"firstSequence":4,"lastSequence":5}],"acknowledged":true"#))
    #expect(result.errors.contains(#""code":"damaged""#))
  }
}

/// An older copy of a backup that was put over the newer one, as the command line tells it.
@Suite struct `A backup under a copy of it` {
  private let world: TestWorld

  init() throws {
    world = try TestWorld()
    world.run("init")
    for body in ["One", "Two"] { world.run("add", body) }
    world.run("backup", "bk")
    let manager = FileManager.default
    try manager.copyItem(atPath: world.path("bk"), toPath: world.path("old"))
    for body in ["Three", "Four"] { world.run("add", body) }
    world.run("backup", "bk")
    for name in try manager.subpathsOfDirectory(atPath: world.path("old")) {
      let (from, to) = (world.path("old/\(name)"), world.path("bk/\(name)"))
      var isFolder: ObjCBool = false
      _ = manager.fileExists(atPath: from, isDirectory: &isFolder)
      if isFolder.boolValue { continue }
      if manager.fileExists(atPath: to) { try manager.removeItem(atPath: to) }
      try manager.copyItem(atPath: from, toPath: to)
    }
  }

  @Test func `answers nothing, and the next backup makes it whole`() throws {
    let verbs = [
      ["list"], ["get", "task-1"], ["log"], ["replay"], ["stats"], ["audit", "task-1"],
      ["list", "--at", "2"], ["diff", "--from", "1", "--to", "2"], ["backup", "other"],
    ]
    for verb in verbs {
      let result = world.run(["--ledger", "bk"] + verb)
      #expect(result.exit == 65 && result.output == "", "\(verb): \(result.errors)")
      #expect(result.errors.contains("CURRENT is out of date"), "\(verb): \(result.errors)")
      #expect(
        result.errors.contains("run `ledger backup` to it again"), "\(verb): \(result.errors)")
    }
    #expect(world.run("--ledger", "old", "list").exit == 0)
    #expect(world.run("backup", "bk").exit == 0)
    let list = world.run("--ledger", "bk", "list")
    #expect(list.exit == 0 && list.output.split(separator: "\n").count == 4)
  }

  @Test func `is called damaged with what helps a backup`() throws {
    let verify = world.run("--ledger", "bk", "verify")
    #expect(verify.exit == 65)
    #expect(verify.output.contains("DAMAGED   CURRENT"), "\(verify.output)")
    #expect(verify.output.contains("intact        events 1 to 4"), "\(verify.output)")
    #expect(verify.errors.contains("run `ledger backup` to it again, or put the newer copy back"))
    #expect(verify.errors.contains("where the ledger is gone, `ledger --ledger bk repair`"))
  }

  @Test func `is repaired where its ledger is gone`() throws {
    try FileManager.default.removeItem(atPath: world.path(".ledger"))
    let plan = world.run("--ledger", "bk", "repair", "--dry-run")
    #expect(plan.exit == 0 && plan.output.contains("No event would be lost."), "\(plan)")
    #expect(world.run("--ledger", "bk", "repair").exit == 0)
    #expect(world.run("--ledger", "bk", "verify").exit == 0)
    let restored = world.run("--ledger", "new", "restore", "--from", "bk")
    #expect(restored.output.hasPrefix("restored 4 events"), "\(restored)")
    #expect(world.run("--ledger", "new", "add", "Five").exit == 0)
  }

  @Test func `that lost an event says so where it is restored, and counts what is there`() throws {
    #expect(world.run("backup", "bk").exit == 0)
    let segments = world.path("bk/segments")
    for name in try FileManager.default.contentsOfDirectory(atPath: segments) {
      let url = URL(fileURLWithPath: "\(segments)/\(name)")
      var bytes = try Data(contentsOf: url)
      // The payload of the first frame.
      guard bytes.count > 210, bytes[112] != 0 else { continue }
      bytes[112 + 88 + 4] ^= 1
      try bytes.write(to: url)
    }
    for verb in [["list"], ["restore", "--from", "bk"]] {
      let result = world.run(["--ledger", verb.count == 1 ? "bk" : "new"] + verb)
      #expect(result.exit == 65, "\(result)")
      #expect(
        result.errors.contains("hint: run `ledger backup` to it again: what is damaged"),
        "\(result.errors)")
    }
    #expect(world.run("--ledger", "bk", "repair").exit == 0)
    let restored = world.run("--ledger", "new", "restore", "--from", "bk")
    #expect(restored.output.hasPrefix("restored 3 events"), "\(restored.output)")
    #expect(restored.output.contains("lost before   event 1, as a repair recorded"))
  }

  @Test func `with a damaged file is mended by the next backup, as verify says`() throws {
    #expect(world.run("backup", "bk").exit == 0)
    let segments = world.path("bk/segments")
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: segments).max {
        let sizes = [$0, $1].map {
          (try? FileManager.default.attributesOfItem(atPath: "\(segments)/\($0)")[.size] as? Int)
            ?? 0
        }
        return sizes[0] < sizes[1]
      })
    let url = URL(fileURLWithPath: "\(segments)/\(name)")
    var bytes = try Data(contentsOf: url)
    bytes[120] ^= 0xff
    try bytes.write(to: url)
    let verify = world.run("--ledger", "bk", "verify")
    #expect(verify.exit == 65, "\(verify)")
    #expect(verify.errors.contains("hint: run `ledger backup` to it again"), "\(verify.errors)")
    #expect(world.run("backup", "bk").exit == 0)
    #expect(world.run("--ledger", "bk", "verify").exit == 0)
  }
}
