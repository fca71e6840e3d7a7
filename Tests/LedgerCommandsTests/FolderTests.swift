import Foundation
import LedgerCore
import Testing

@testable import LedgerCommands

@Suite struct `Folders in the way` {
  @Test(.disabled(if: geteuid() == 0, "root may write into a read-only folder"))
  func `a read-only folder is not written into`() throws {
    let world = try TestWorld()
    world.run("init")
    world.run("add", "Milk")
    for path in [".ledger", ".ledger/segments"] { chmod(world.path(path), 0o500) }
    defer { for path in [".ledger", ".ledger/segments"] { chmod(world.path(path), 0o700) } }
    #expect(world.run("list").exit == 0)
    let parent = world.path("closed")
    mkdir(parent, 0o500)
    let result = world.run("init", "closed/ledger")
    #expect(result.exit == 73)
    #expect(result.errors.contains("hint: check the owner"))
  }

  @Test func `a ledger that vanishes under a stream is an error, not a crash`() throws {
    let world = try TestWorld()
    world.run("init")
    let folder = world.path(".ledger")
    world.inputSource = InterruptedSource([
      ("{\"kind\":\"upsert\",\"task\":\"a\"}\n", {}),
      (
        "{\"kind\":\"upsert\",\"task\":\"b\"}\n",
        { try? FileManager.default.removeItem(atPath: folder) }
      ),
      ("{\"kind\":\"upsert\",\"task\":\"c\"}\n", {}),
    ])
    let result = world.run("apply", "-")
    #expect([66, 74].contains(result.exit))
    #expect(result.errors.contains("standard input: 1 line in before this error"))
    #expect(result.errors.contains("ledger: "))
    #expect(result.output == "1 line is in: 1 event, 0 unchanged\n")
  }

  @Test(arguments: [true, false])
  func `what is in is said when the segments vanish under a stream`(_ atItsEnd: Bool) throws {
    let world = try TestWorld()
    world.run("init")
    try world.write("{\"kind\":\"upsert\",\"task\":\"a\"}\n", to: "before.ndjson")
    let folder = world.path(".ledger/segments")
    let vanish = { _ = try? FileManager.default.removeItem(atPath: folder) }
    world.inputSource = InterruptedSource([
      ("{\"kind\":\"upsert\",\"task\":\"b\"}\n", {}),
      (atItsEnd ? "" : "{\"kind\":\"upsert\",\"task\":\"c\"}\n", vanish),
    ])
    let result = world.run("apply", "before.ndjson", "-")
    #expect(result.exit == 65)
    #expect(result.output.contains(" lines are in: "), "\(result)")
  }

  @Test func `init says what stands where the ledger is to be`() throws {
    let world = try TestWorld()
    try world.write("", to: "file")
    symlink("/nowhere", world.path("link"))
    for (name, found) in [("file", "a file is there"), ("link", "a link is there")] {
      for arguments in [["init", name], ["--ledger", name, "init"]] {
        let result = world.run(arguments)
        #expect(result.exit == 73)
        #expect(result.errors.contains("cannot make a ledger in"))
        #expect(result.errors.contains(found))
        #expect(result.errors.contains("hint: name a new or an empty folder"))
      }
      world.environment["LEDGER_PATH"] = world.path(name)
      #expect(world.run("init").exit == 73)
      world.environment["LEDGER_PATH"] = nil
    }
  }

  @Test func `without a working folder only a named ledger is found`() throws {
    let world = try TestWorld()
    world.run("init")
    world.hasCurrentFolder = false
    #expect(world.run("list").exit == 66)
    #expect(world.run("--ledger", "\(world.folder)/.ledger", "list").exit == 0)
  }
}

/// Pauses behind each piece, and does something before it.
final class InterruptedSource: InputSource {
  private var pieces: ArraySlice<(text: String, before: () -> Void)>

  init(_ pieces: [(text: String, before: () -> Void)]) { self.pieces = pieces[...] }

  func read(_ count: Int) throws(LedgerError) -> [UInt8] {
    guard let piece = pieces.popFirst() else { return [] }
    piece.before()
    return Array(piece.text.utf8)
  }

  func isWaiting() -> Bool { !pieces.isEmpty }
}
