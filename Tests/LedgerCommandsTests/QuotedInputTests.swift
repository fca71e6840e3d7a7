import Foundation
import Testing

@testable import LedgerCommands

/// Messages repeat what was given as far as it helps, and no further.
@Suite struct `What an error repeats` {
  private static let long = String(repeating: "x", count: 100_000)

  @Test(arguments: [
    [long], ["--\(long)", "list"], ["--\(long)=1", "list"], ["get", long], ["audit", long],
    ["toggle", long], ["evict", long], ["add", "a", "--id", long], ["list", "--at", long],
    ["list", "--at", String(repeating: "9", count: 100_000)], ["list", "--limit", long],
    ["list", "--limit", String(repeating: "9", count: 100_000)], ["list", "--sort", long],
    ["list", "--sort", "a:\(long)"], ["list", "--\(long)"], ["list", long, long],
    ["log", "--kind", long], ["log", "--since", long], ["log", "--until", long],
    ["update", "kept", "--set", long], ["update", "kept", "--set", "\(long)=1"],
    ["update", "kept", "--unset", long], ["upsert", long], ["upsert", "{\"\(long)\":1}"],
    ["upsert", "{\"a\":\(long)}"], ["upsert", "{\"_id\":\"\(long)\"}"],
    ["--author", long, "toggle", "kept"],
  ])
  func `is cut where it is long`(_ arguments: [String]) throws {
    let world = try TestWorld()
    world.run("init")
    world.run("add", "Kept", "--id", "kept")
    for options in [[], ["--json"]] {
      let result = world.run(options + arguments)
      #expect(result.exit != 0)
      #expect(result.errors.utf8.count < 1000, "\(arguments.map { $0.prefix(20) })")
    }
  }

  @Test(arguments: [
    ["--ledger", long, "list"], ["--ledger", long, "verify"], ["--ledger", long, "add", "a"],
    ["init", long], ["apply", long], ["--ledger", "/\(long)/\(long)", "init"],
  ])
  func `is cut where it is a path that no system can open`(_ arguments: [String]) throws {
    let world = try TestWorld()
    world.run("init")
    for options in [[], ["--json"]] {
      let result = world.run(options + arguments)
      #expect(result.exit != 0)
      #expect(result.errors.utf8.count < 10_000, "\(arguments.map { $0.prefix(20) })")
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
