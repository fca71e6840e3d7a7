import Foundation
import Testing

@testable import LedgerCommands

/// Messages repeat what was given as far as it helps, and no further.
@Suite struct `What an error repeats` {
  /// What was given with LONG and NINES in full; the test's own report is better off without.
  private func inFull(_ text: String) -> String {
    text.replacingOccurrences(of: "LONG", with: String(repeating: "x", count: 100_000))
      .replacingOccurrences(of: "NINES", with: String(repeating: "9", count: 100_000))
  }

  @Test(arguments: [
    ["LONG"], ["--LONG", "list"], ["--LONG=1", "list"], ["get", "LONG"], ["audit", "LONG"],
    ["toggle", "LONG"], ["evict", "LONG"], ["add", "a", "--id", "LONG"], ["list", "--at", "LONG"],
    ["list", "--at", "NINES"], ["list", "--limit", "LONG"],
    ["list", "--limit", "NINES"], ["list", "--sort", "LONG"],
    ["list", "--sort", "a:LONG"], ["list", "--LONG"], ["list", "LONG", "LONG"],
    ["log", "--kind", "LONG"], ["log", "--since", "LONG"], ["log", "--until", "LONG"],
    ["update", "kept", "--set", "LONG"], ["update", "kept", "--set", "LONG=1"],
    ["update", "kept", "--unset", "LONG"], ["upsert", "LONG"], ["upsert", "{\"LONG\":1}"],
    ["upsert", "{\"a\":LONG}"], ["upsert", "{\"_id\":\"LONG\"}"],
    ["--author", "LONG", "toggle", "kept"],
  ])
  func `is cut where it is long`(_ arguments: [String]) throws {
    let world = try TestWorld()
    world.run("init")
    world.run("add", "Kept", "--id", "kept")
    for options in [[], ["--json"]] {
      let result = world.run(options + arguments.map(inFull))
      #expect(result.exit != 0)
      #expect(result.errors.utf8.count < 1000, "\(arguments): \(result.errors.prefix(200))")
    }
  }

  @Test(arguments: [
    "{\"LONG\":1}", "{\"kind\":\"LONG\"}", "{\"kind\":LONG}", "LONG",
    "{\"kind\":\"toggle\",\"task\":\"LONG\"}", "{\"kind\":\"upsert\",\"time\":\"LONG\"}",
    "{\"kind\":\"upsert\",\"author\":\"LONG\"}", "{\"kind\":\"upsert\",\"set\":{\"LONG\":1}}",
    "{\"kind\":\"upsert\",\"set\":{\"a\":NINES}}",
    "{\"kind\":\"upsert\",\"set\":{\"a\":1eNINES}}",
    "{\"kind\":\"update\",\"task\":\"kept\",\"unset\":[\"LONG\"]}",
    "{\"kind\":\"upsert\",\"transaction\":NINES}",
  ])
  func `is cut in a line of a stream, too`(_ line: String) throws {
    let world = try TestWorld()
    world.run("init")
    world.input = Array(inFull(line).utf8)
    for options in [[], ["--json"]] {
      let result = world.run(options + ["apply", "-"])
      #expect(result.exit == 65)
      #expect(result.errors.utf8.count < 1000, "\(line): \(result.errors.prefix(200))")
    }
  }

  @Test(arguments: [
    ["--ledger", "LONG", "list"], ["--ledger", "LONG", "verify"], ["--ledger", "LONG", "add", "a"],
    ["init", "LONG"], ["apply", "LONG"], ["--ledger", "/LONG/LONG", "init"],
  ])
  func `is cut where it is a path that no system can open`(_ arguments: [String]) throws {
    let world = try TestWorld()
    world.run("init")
    for options in [[], ["--json"]] {
      let result = world.run(options + arguments.map(inFull))
      #expect(result.exit != 0)
      #expect(result.errors.utf8.count < 10_000, "\(arguments): \(result.errors.prefix(200))")
    }
  }

  @Test func `is whole where it is an id or a path that can exist`() throws {
    let world = try TestWorld()
    world.run("init")
    let id = String(repeating: "i", count: 256)
    #expect(world.run("get", id).errors.contains("\"\(id)\""))
    let part = String(repeating: "p", count: 200)
    let path = "/" + Array(repeating: part, count: 10).joined(separator: "/")
    #expect(world.run("--ledger", path, "list").errors.contains(path))
  }
}
