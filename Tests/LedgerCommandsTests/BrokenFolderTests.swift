import Foundation
import LedgerFormat
import Testing

@testable import LedgerCommands

/// What is gone or altered, or has something else in its place, is damage (65); what the system keeps from us is not (74);
/// what a newer version wrote asks for that. All verbs agree.
@Suite struct `A ledger with something wrong in its folder` {
  private let world: TestWorld
  private static let readers = [
    ["list"], ["log"], ["audit", "task-1"], ["replay"], ["stats"], ["verify"],
    ["toggle", "task-1"],
  ]
  private static let parts = [
    ".ledger/CURRENT", ".ledger/MANIFEST-*", ".ledger/segments/*.sealed",
    ".ledger/segments/*.active",
  ]

  init() throws {
    world = try TestWorld()
    world.run("init")
    world.configuration.sealEvents = 2
    for body in ["One", "Two", "Three"] { world.run("add", body) }
    _ = try #require(try? Data(contentsOf: URL(fileURLWithPath: world.match(Self.parts[2]))))
  }

  private func expect(
    _ exit: Int32, _ words: String, of verbs: [[String]] = readers,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for verb in verbs {
      let result = world.run(verb)
      let all = result.output + result.errors
      #expect(result.exit == exit, "\(verb): \(all)", sourceLocation: sourceLocation)
      #expect(all.contains(words), "\(verb): \(all)", sourceLocation: sourceLocation)
      #expect(
        result.errors.contains("hint: "), "\(verb): \(all)", sourceLocation: sourceLocation)
      #expect(
        !all.contains("nothing that was acknowledged is lost"), "\(verb)",
        sourceLocation: sourceLocation)
    }
  }

  @Test func `a missing folder of segments is damage`() throws {
    try FileManager.default.removeItem(atPath: world.path(".ledger/segments"))
    expect(65, "missing")
    let repair = world.run("repair")
    #expect(repair.exit == 65 && repair.errors.contains("the folder of the segments is missing"))
    #expect(repair.errors.contains("hint: mount it or put it back"))
    #expect(world.run("verify").errors.contains("hint: mount it or put it back"))
    #expect(!FileManager.default.fileExists(atPath: world.path(".ledger/segments")))
  }

  @Test(arguments: parts.dropFirst())
  func `a missing file is damage`(_ part: String) throws {
    try FileManager.default.removeItem(atPath: world.match(part))
    expect(65, "missing")
  }

  @Test(arguments: parts)
  func `a link in the place of a file is refused, even to the right one`(_ part: String) throws {
    let path = try world.match(part)
    try FileManager.default.moveItem(atPath: path, toPath: world.path("moved"))
    symlink(world.path("moved"), path)
    expect(65, "a symbolic link stands where a file of the ledger belongs")
    let repair = world.run("repair")
    if part.contains("segments") {
      // Its events are behind the link.
      #expect(repair.exit == 65 && repair.errors.contains("put the file itself in the place"))
      for name in ["CURRENT", "MANIFEST-*"] where part.hasSuffix(".sealed") {
        try FileManager.default.removeItem(atPath: world.match(".ledger/\(name)"))
      }
      #expect(world.run("repair").errors.contains("put the file itself in the place"))
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: world.path("moved"), toPath: path)
      #expect(world.run("repair").exit == 0)
      #expect(world.run("list").output.split(separator: "\n").count == 3)
    } else {
      #expect(repair.exit == 0)
    }
    #expect(world.run("verify").exit == 0)
  }

  @Test func `a snapshot or manifest of another ledger is never removed`() throws {
    world.run("--ledger", "other.ledger", "init")
    for body in ["One", "Two", "Three"] { world.run("--ledger", "other.ledger", "add", body) }
    world.run("--ledger", "other.ledger", "snapshot")
    world.run("snapshot")
    let manager = FileManager.default
    let snapshot = URL(fileURLWithPath: try world.match("other.ledger/snapshots/*.snapshot"))
    let copies = [
      (snapshot.path, "snapshots/\(snapshot.lastPathComponent)"),
      (try world.match("other.ledger/MANIFEST-*"), "MANIFEST-00000091"),
      (world.path("other.ledger/CURRENT"), "MANIFEST-00000001"),
      (snapshot.path, "segments/0000000000000001-0000000000000001-00000000000000aa.sealed"),
    ]
    for (from, to) in copies {
      try manager.copyItem(atPath: from, toPath: world.path(".ledger/\(to)"))
    }
    for verb in [["maintain"], ["snapshot"], ["add", "More"], ["compact"], ["maintain"]] {
      #expect(world.run(verb).exit == 0, "\(verb)")
    }
    let found = world.run("verify")
    #expect(found.exit == 65)
    for (_, to) in copies {
      #expect(manager.fileExists(atPath: world.path(".ledger/\(to)")), "\(to)")
      #expect(found.output.contains("OTHER     \(to)"), "\(to): \(found.output)")
    }
  }

  @Test(arguments: parts)
  func `a folder or a pipe in the place of a file is damage, and repair moves it aside`(
    _ part: String
  ) throws {
    for makesFolder in [true, false] {
      let path = try world.match(part)
      try FileManager.default.removeItem(atPath: path)
      _ = makesFolder ? mkdir(path, 0o700) : mkfifo(path, 0o600)
      expect(65, "\(makesFolder ? "a folder" : "a pipe or a device") stands where a file of")
      #expect(world.run("repair").exit == 0)
      #expect(world.run("verify").exit == 0)
      #expect(world.run("add", "Another").exit == 0)
      #expect(world.run("add", "One more").exit == 0)
    }
  }

  @Test func `a folder in the place of a snapshot is left out, and repair moves it aside`() throws {
    #expect(world.run("snapshot").exit == 0)
    let path = try world.match(".ledger/snapshots/*.snapshot")
    try FileManager.default.removeItem(atPath: path)
    mkdir(path, 0o700)
    #expect(world.run("list").exit == 0)
    #expect(world.run("verify").exit == 0)
    #expect(world.run("repair").exit == 0)
    #expect(world.run("repair").output == "nothing to do: the ledger is sound\n")
  }

  @Test(arguments: [0, 1, 2])
  func `something else in the place of a sealed file is found where a snapshot answers`(
    _ way: Int
  ) throws {
    #expect(world.run("snapshot").exit == 0)
    #expect(world.run("list").exit == 0)
    let path = try world.match(Self.parts[2])
    try FileManager.default.moveItem(atPath: path, toPath: world.path("moved"))
    switch way {
    case 0: symlink(world.path("moved"), path)
    case 1: mkdir(path, 0o700)
    default: break
    }
    let word = ["symbolic link", "folder", "missing"][way]
    expect(65, word, of: [["list"], ["add", "More"], ["get", "task-1"]])
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"), arguments: parts)
  func `a file that may not be read is not called damaged`(_ part: String) throws {
    chmod(try world.match(part), 0)
    expect(74, "Permission denied (EACCES)")
  }

  @Test func `a link or a file in the place of the folder of segments is refused`() throws {
    let path = world.path(".ledger/segments")
    try FileManager.default.moveItem(atPath: path, toPath: world.path("moved"))
    symlink(world.path("moved"), path)
    expect(74, "stands where a folder of the ledger belongs")
    try FileManager.default.removeItem(atPath: path)
    try world.write("", to: path)
    expect(74, "stands where a folder of the ledger belongs")
  }

  @Test(arguments: ["segments", "checkpoints", "aside", "snapshots"])
  func `a link in the place of any folder is named by verify, and nothing goes through it`(
    _ folder: String
  ) throws {
    world.run("snapshot")
    world.run("maintain")
    let (path, moved) = (world.path(".ledger/\(folder)"), world.path("moved"))
    if FileManager.default.fileExists(atPath: path) {
      try FileManager.default.moveItem(atPath: path, toPath: moved)
    } else {
      mkdir(moved, 0o700)
    }
    symlink(moved, path)
    let before = try FileManager.default.contentsOfDirectory(atPath: moved)
    let found = world.run("verify")
    // Nothing is lost with snapshots.
    #expect(found.exit == (folder == "snapshots" ? 0 : 74), "\(found.output)")
    let word = folder == "snapshots" ? "left out" : "UNREAD  "
    #expect(found.output.contains("\n\(word)  \(folder)"))
    for verb in [["snapshot"], ["maintain"], ["verify", "--resume"], ["add", "Four"]] {
      world.run(verb)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: moved) == before)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: moved, toPath: path)
    #expect(world.run("verify").exit == 0)
  }

  @Test func `what stands in the place of LOCK is named, and moved aside by repair`() throws {
    let lock = world.path(".ledger/LOCK")
    let obstacles: [(name: String, make: () -> Void)] = [
      ("a folder", { mkdir(lock, 0o700) }), ("a pipe or a device", { mkfifo(lock, 0o600) }),
      ("a symbolic link", { symlink("CURRENT", lock) }),
    ]
    for (name, make) in obstacles {
      try FileManager.default.removeItem(atPath: lock)
      make()
      #expect(world.run("list").exit == 0)
      let change = world.run("toggle", "task-1")
      #expect(change.exit == 74 && change.errors.contains("`ledger repair`"))
      let found = world.run("verify")
      #expect(found.exit == 65)
      #expect(found.output.contains("\(name) stands in the place of the file LOCK"))
      #expect(world.run("repair").exit == 0)
      #expect(world.run("verify").exit == 0)
      #expect(world.run("toggle", "task-1").exit == 0)
      #expect(world.run("repair").output == "nothing to do: the ledger is sound\n")
    }
    let aside = try FileManager.default.contentsOfDirectory(atPath: world.path(".ledger/aside"))
    #expect(aside.sorted() == ["LOCK-1.broken", "LOCK-2.broken", "LOCK-3.broken"])
  }

  @Test func `a foreign link named segments is not written through by init`() throws {
    mkdir(world.path("new"), 0o700)
    mkdir(world.path("other"), 0o700)
    symlink(world.path("other"), world.path("new/segments"))
    #expect(world.run("init", "new").exit == 73)
    #expect(try FileManager.default.contentsOfDirectory(atPath: world.path("other")) == [])
  }

  @Test(arguments: parts)
  func `a file of a newer version asks for a newer ledger`(_ part: String) throws {
    let path = try world.match(part)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let newer = UInt8(FileHeader.currentVersion + 1)
    (bytes[8], bytes[10]) = (newer + 4, newer)
    switch part {
    case Self.parts[0]: mend(&bytes, at: 56)
    case Self.parts[1]:
      mend(&bytes, at: bytes.count - 8)
      var current = [UInt8](
        try Data(contentsOf: URL(fileURLWithPath: world.path(Self.parts[0]))))
      current.replaceSubrange(48..<56, with: Self.littleEndian(checksum(of: bytes)))
      mend(&current, at: 56)
      try world.write(current, to: Self.parts[0])
    case Self.parts[2]:
      let tail = bytes.count - RunFooter.tailByteCount
      let length = Int(bytes[tail]) + Int(bytes[tail + 1]) << 8
      let covered = Array(bytes[..<FileHeader.byteCount] + bytes[(tail - length)..<(tail + 4)])
      bytes.replaceSubrange(tail + 4..<tail + 12, with: Self.littleEndian(checksum(of: covered)))
    default: mend(&bytes, at: ActiveHeader.byteCount - 8)
    }
    try world.write(bytes, to: path)
    // What is asked of sealed segments for the statistics stands in the manifest.
    let isRead = part != Self.parts[2]
    expect(
      65, "hint: install a newer `ledger`",
      of: Self.readers.filter { isRead || $0 != ["stats"] })
  }

  @Test(arguments: parts, [8, 9, 10, 11, 12, 15])
  func `a flipped bit of version or flags is damage`(_ part: String, _ offset: Int) throws {
    let path = try world.match(part)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes[offset] ^= 2
    try world.write(bytes, to: path)
    for verb in Self.readers where verb != ["stats"] {
      let result = world.run(verb)
      #expect(result.exit == 65)
      #expect(!(result.output + result.errors).contains("newer"), "\(verb)")
    }
  }

  /// Makes the checksum at a place fit what stands before it.
  private func mend(_ bytes: inout [UInt8], at place: Int) {
    let sum = checksum(of: Array(bytes[..<place]))
    bytes.replaceSubrange(place..<place + 8, with: Self.littleEndian(sum))
  }

  private static func littleEndian(_ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(u64: value)
    return bytes
  }
}
