import Foundation
import LedgerCore
import LedgerFormat
import Testing

@testable import LedgerCommands

/// What people and programs get wrong: a sentence and an exit code, never a crash, and nothing is lost.
@Suite struct `Bad input` {
  private func world() throws -> TestWorld {
    let world = try TestWorld()
    world.run("init")
    world.run("add", "Kept", "--id", "kept")
    return world
  }

  /// What was there before is there still, and nothing else.
  private func expectOnlyKept(_ world: TestWorld) {
    #expect(world.run("list").output == "kept\topen\tKept\n")
    #expect(world.run("verify").exit == 0)
  }

  private func apply(_ world: TestWorld, _ bytes: [UInt8]) -> TestWorld.Result {
    world.input = bytes
    return world.run("apply", "-")
  }

  @Test func `bytes that are not UTF-8 are a bad line`() throws {
    let world = try world()
    let line =
      Array("{\"kind\":\"upsert\",\"set\":{\"body\":\"".utf8) + [0xff] + Array("\"}}\n".utf8)
    let result = apply(world, line)
    #expect(result.exit == 65)
    #expect(result.errors.contains("line 1, column 33"))
    #expect(result.errors.contains("not UTF-8"))
    expectOnlyKept(world)
  }

  @Test func `a file in another encoding is bad from its first line on`() throws {
    let world = try world()
    let text = "{\"kind\":\"upsert\"}\n"
    var utf16: [UInt8] = [0xff, 0xfe]
    for unit in text.utf16 { utf16 += [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
    #expect(apply(world, utf16).errors.contains("line 1"))
    expectOnlyKept(world)
  }

  @Test func `zeros and other binary data are bad lines`() throws {
    let world = try world()
    #expect(apply(world, [UInt8](repeating: 0, count: 10_000)).exit == 65)
    #expect(apply(world, Array(0...255)).exit == 65)
    expectOnlyKept(world)
  }

  @Test func `an id of 300 bytes is refused`() throws {
    let world = try world()
    let id = String(repeating: "x", count: 300)
    for arguments in [
      ["add", "Milk", "--id", id], ["upsert", "--id", id], ["upsert", "{\"_id\":\"\(id)\"}"],
      ["evict", id],
    ] {
      let result = world.run(arguments)
      #expect(result.exit == 64, "\(arguments[0])")
      #expect(result.errors.contains("300 bytes"))
    }
    // Where an id is looked up, there simply is no such task.
    for verb in ["get", "audit", "toggle", "delete", "restore"] {
      #expect(world.run(verb, id).exit == 1)
    }
    let result = apply(world, Array("{\"kind\":\"toggle\",\"task\":\"\(id)\"}".utf8))
    #expect(result.exit == 65 && result.errors.contains("300 bytes"))
    expectOnlyKept(world)
  }

  @Test func `a body of 20 MiB is refused`() throws {
    let world = try world()
    let body = String(repeating: "x", count: 20 << 20)
    let result = apply(world, Array("{\"kind\":\"upsert\",\"set\":{\"body\":\"\(body)\"}}\n".utf8))
    #expect(result.exit == 65)
    #expect(result.errors.contains("line 1"))
    #expect(result.errors.utf8.count < 500)
    #expect(world.run("add", String(repeating: "x", count: 2 << 20)).exit == 64)
    expectOnlyKept(world)
  }

  @Test func `a line without an end is refused before it fills the memory`() throws {
    let world = try world()
    let start = Array("{\"kind\":\"upsert\",\"task\":\"next\"}\n\"".utf8)
    world.inputSource = EndlessSource(start, total: LineSplitter.lineBytesMax + 1 << 20)
    let result = world.run("apply", "-")
    #expect(result.exit == 65)
    #expect(result.errors.contains("line 2"))
    #expect(result.errors.contains("1 line before it is in"))
  }

  @Test func `brackets nested 100,000 deep are refused`() throws {
    let world = try world()
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    for json in [
      deep, String(repeating: "{\"a\":", count: 100_000), String(repeating: "[", count: 100_000),
    ] {
      #expect(apply(world, Array("{\"kind\":\"upsert\",\"set\":{\"x\":\(json)}}".utf8)).exit == 65)
      #expect(world.run("upsert", json).exit == 64)
    }
    // Valid JSON that is refused is never kept as text instead.
    #expect(world.run("add", "Milk", "--set", "x=\(deep)").exit == 64)
    expectOnlyKept(world)
  }

  @Test(arguments: [
    "9223372036854775808", "-9223372036854775809", "1e400", "123456789012345678901234567890",
  ]) func `a number beyond 64 bits is refused`(_ number: String) throws {
    let world = try world()
    #expect(world.run("add", "Milk", "--set", "n=\(number)").exit == 64)
    #expect(world.run("upsert", "{\"n\":\(number)}").exit == 64)
    #expect(apply(world, Array("{\"kind\":\"upsert\",\"set\":{\"n\":\(number)}}".utf8)).exit == 65)
    expectOnlyKept(world)
  }

  @Test(arguments: [
    "2026-02-29", "2026-13-01T00:00:00Z", "2026-11-31T12:00:00Z", "11/30/2026", "", "now",
  ])
  func `a date that does not exist is refused`(_ date: String) throws {
    let world = try world()
    for arguments in [
      ["list", "--at", date], ["get", "kept", "--at", date], ["replay", "--at", date],
      ["log", "--since", date], ["log", "--until", date],
    ] {
      let result = world.run(arguments)
      #expect(result.exit == 64)
      #expect(result.errors.contains("is not a time"))
    }
    let line = "{\"kind\":\"toggle\",\"task\":\"kept\",\"time\":\"\(date)\"}"
    #expect(apply(world, Array(line.utf8)).exit == 65)
    expectOnlyKept(world)
  }

  @Test func `a command from 2999 is refused, a question about 2999 is about the present`() throws {
    let world = try world()
    let line = "{\"kind\":\"toggle\",\"task\":\"kept\",\"time\":\"2999-01-01T00:00:00Z\"}"
    let result = apply(world, Array(line.utf8))
    #expect(result.exit == 65)
    #expect(result.errors.contains("more than a day in the future"))
    #expect(world.run("list", "--at", "2999-01-01").output == "kept\topen\tKept\n")
    expectOnlyKept(world)
  }

  @Test func `an empty input is no commands`() throws {
    let world = try world()
    for bytes in [[], [0x0a], Array("\u{feff}".utf8), Array("\r\n \r\n".utf8)] {
      let result = apply(world, bytes)
      #expect(result.exit == 0)
      #expect(result.output == "0 lines are in: 0 events, 0 unchanged\n")
    }
    expectOnlyKept(world)
  }

  @Test func `a byte-order mark, CRLF and a missing last newline are fine`() throws {
    let world = try world()
    let text =
      "\u{feff}{\"kind\":\"toggle\",\"task\":\"kept\"}\r\n\r\n{\"kind\":\"toggle\",\"task\":\"kept\"}"
    #expect(apply(world, Array(text.utf8)).exit == 0)
    expectOnlyKept(world)
  }
}

@Suite struct `What is no ledger` {
  @Test(arguments: ["list", "log", "replay", "stats", "verify"])
  func `a file, an empty one and a folder of other things`(_ verb: String) throws {
    let world = try TestWorld()
    try world.write("not a ledger", to: "file")
    try world.write("", to: "empty")
    try FileManager.default.createDirectory(
      atPath: world.path("folder"), withIntermediateDirectories: true)
    try world.write("not a ledger", to: "folder/notes.txt")
    for name in ["file", "empty", "folder", "missing"] {
      let result = world.run("--ledger", name, verb)
      #expect(result.exit == 66, "\(name)")
      #expect(result.errors.contains(name) && result.errors.contains("hint: "))
    }
  }

  @Test func `a path that leads nowhere is told as the system tells it`() throws {
    let world = try TestWorld()
    #expect(symlink("loop", world.path("loop")) == 0)
    let result = world.run("--ledger", "loop", "list")
    #expect(result.exit == 74)
    #expect(result.errors.contains("ELOOP") && result.errors.contains("hint: "))
  }

  @Test func `files of a ledger that were emptied or swapped are damage`() throws {
    let world = try TestWorld()
    world.run("init")
    world.run("add", "Milk")
    let segment = try world.match(".ledger/segments/*.active")
    let manifest = try world.match(".ledger/MANIFEST-*")
    for path in [world.path(".ledger/CURRENT"), manifest, segment] {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      for other in [[], Array("nonsense".utf8)] {
        try world.write(other, to: path)
        for verb in ["list", "log", "replay", "verify"] {
          let result = world.run(verb)
          #expect(result.exit == 65, "\(verb) \(path)")
          #expect(result.errors.contains("hint: "))
        }
        #expect(world.run("add", "Bread").exit == 65)
      }
      try world.write(bytes, to: path)
    }
    #expect(world.run("list").output == "task-1\topen\tMilk\n")
  }

  @Test func `a ledger of a newer format says so`() throws {
    let world = try TestWorld()
    world.run("init")
    let path = world.path(".ledger/CURRENT")
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes[8] = 9
    bytes[10] = 9
    let sum = checksum(of: bytes, in: 0..<CurrentFile.byteCount - 8)
    bytes.removeLast(8)
    bytes.append(u64: sum)
    try world.write(bytes, to: path)
    for arguments in [["list"], ["verify"], ["add", "Milk"], ["init"]] {
      let result = world.run(arguments)
      #expect(result.exit == (arguments == ["init"] ? 73 : 65), "\(arguments)")
      if arguments != ["init"] {
        #expect(result.errors.contains("version 9"))
        #expect(result.errors.contains("hint: install a newer `ledger`"))
      }
    }
  }
}

/// A line that goes on and on.
private final class EndlessSource: InputSource {
  private var start: [UInt8]
  private var left: Int

  init(_ start: [UInt8], total: Int) {
    self.start = start
    left = total
  }

  func read(_ count: Int) throws(LedgerError) -> [UInt8] {
    if !start.isEmpty {
      defer { start = [] }
      return start
    }
    let size = min(count, left)
    left -= size
    return [UInt8](repeating: 0x78, count: size)
  }

  func isWaiting() -> Bool { false }
}
