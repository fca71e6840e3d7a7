import LedgerCore
import LedgerStorage
import Testing

@Suite struct `A power cut of a memory directory` {
  @Test func `a synced file with a synced name survives`() throws {
    let directory = MemoryDirectory()
    try directory.make("a", [1], synced: true)
    try directory.syncFolder("")
    #expect(directory.powerCut().contents() == ["a": [1]])
  }

  @Test func `a name that was never folder-synced is lost in a power cut`() throws {
    let directory = MemoryDirectory()
    try directory.make("a", [1], synced: true)
    #expect(directory.contents() == ["a": [1]])
    #expect(directory.powerCut().contents() == [:])
  }

  @Test func `a synced name of an unsynced file is empty`() throws {
    let directory = MemoryDirectory()
    let file = try directory.make("a", [1])
    try directory.syncFolder("")
    #expect(directory.powerCut().contents() == ["a": []])
    try file.sync()
    #expect(directory.powerCut().contents() == ["a": [1]])
  }

  @Test func `what was written after the sync is lost`() throws {
    let directory = MemoryDirectory()
    let file = try directory.make("a", [1, 2, 3, 4], synced: true)
    try directory.syncFolder("")
    try file.write([9, 9], at: 1)
    try file.write([5], at: 4)
    #expect(directory.powerCut().contents() == ["a": [1, 2, 3, 4]])
    try directory.open("a", .read).sync()
    #expect(directory.powerCut().contents() == ["a": [1, 9, 9, 4, 5]])
  }

  @Test func `a length is durable when it is synced`() throws {
    let directory = MemoryDirectory()
    let file = try directory.make("a", [1, 2, 3, 4], synced: true)
    try directory.syncFolder("")
    try file.truncate(to: 2)
    #expect(directory.powerCut().contents() == ["a": [1, 2, 3, 4]])
    try file.truncate(to: 3)
    #expect(directory.powerCut().contents() == ["a": [1, 2, 3, 4]])
    try file.sync()
    #expect(directory.powerCut().contents() == ["a": [1, 2, 0]])
  }

  @Test func `a rename that was not folder-synced is undone`() throws {
    let directory = MemoryDirectory()
    try directory.make("CURRENT", [1], synced: true)
    try directory.make("CURRENT.new", [2], synced: true)
    try directory.syncFolder("")
    try directory.rename("CURRENT.new", to: "CURRENT")
    #expect(directory.contents() == ["CURRENT": [2]])
    #expect(directory.powerCut().contents() == ["CURRENT": [1], "CURRENT.new": [2]])
    try directory.syncFolder("")
    #expect(directory.powerCut().contents() == ["CURRENT": [2]])
  }

  @Test func `a rename between folders needs the syncs of both`() throws {
    let directory = MemoryDirectory()
    try directory.makeFolder("f")
    try directory.make("a", [1], synced: true)
    try directory.syncFolder("")
    try directory.rename("a", to: "f/a")
    let (newFirst, oldFirst) = (directory.copy(), directory.copy())
    try newFirst.syncFolder("f")
    #expect(newFirst.powerCut().contents() == ["a": [1], "f/a": [1]])
    try newFirst.syncFolder("")
    #expect(newFirst.powerCut().contents() == ["f/a": [1]])
    try oldFirst.syncFolder("")
    #expect(oldFirst.powerCut().contents() == [:])
  }

  @Test func `a removed name comes back until the folder is synced`() throws {
    let directory = MemoryDirectory()
    let file = try directory.make("a", [1], synced: true)
    try directory.syncFolder("")
    try directory.unlink("a")
    file.close()
    #expect(directory.powerCut().contents() == ["a": [1]])
    try directory.syncFolder("")
    #expect(directory.powerCut().contents() == [:])
  }

  @Test func `a folder whose name was not synced is lost with all that is in it`() throws {
    let directory = MemoryDirectory()
    try directory.makeFolder("f")
    try directory.make("f/a", [1], synced: true)
    try directory.syncFolder("f")
    #expect(try directory.powerCut().list("") == [])
    try directory.syncFolder("")
    #expect(directory.powerCut().contents() == ["f/a": [1]])
  }

  @Test func `locks and handles end, and the directory before goes on`() throws {
    let directory = MemoryDirectory()
    let file = try directory.make("LOCK", [1], synced: true)
    try directory.syncFolder("")
    #expect(try file.tryLock(.exclusive))
    let after = directory.powerCut()
    let other = try after.open("LOCK", .readWrite)
    #expect(try other.tryLock(.exclusive))
    try other.write([2], at: 0)
    #expect(try file.allBytes() == [1])
    #expect(try !directory.open("LOCK", .read).tryLock(.shared))
    #expect(after.path == directory.path)
  }

  @Test func `a copy shows what was visible, and knows what was durable`() throws {
    let directory = MemoryDirectory()
    let file = try directory.make("a", [1], synced: true)
    try directory.syncFolder("")
    try file.write([2], at: 0)
    #expect(try file.tryLock(.exclusive))
    let copy = directory.copy()
    #expect(copy.contents() == ["a": [2]])
    #expect(copy.powerCut().contents() == ["a": [1]])
    #expect(try copy.open("a", .readWrite).tryLock(.exclusive))
    try file.write([3], at: 0)
    #expect(copy.contents() == ["a": [2]])
    try copy.open("a", .read).sync()
    #expect(copy.powerCut().contents() == ["a": [2]])
  }

  @Test func `damage is visible and durable at once`() throws {
    let directory = MemoryDirectory()
    let file = try directory.make("a", [1, 2])
    try directory.setContents("a", [9])
    try directory.setContents("b", [8])
    #expect(try file.allBytes() == [9])
    #expect(directory.contents() == ["a": [9], "b": [8]])
    #expect(directory.powerCut().contents() == ["a": [9], "b": [8]])
    #expect(throws: LedgerError.self) { try directory.setContents("no/a", []) }
  }
}

@Suite struct `A tearing power cut` {
  @Test func `keeps whole sectors, some new and some old`() throws {
    let directory = MemoryDirectory()
    let old = [UInt8](repeating: 1, count: 8192)
    let file = try directory.make("a", old, synced: true)
    try directory.syncFolder("")
    try file.write([UInt8](repeating: 2, count: 8192 - 100), at: 100)

    var outcomes: Set<[UInt8]> = []
    for seed in 0..<20 as Range<UInt64> {
      let bytes = try directory.powerCut(tearing: seed).bytes("a")
      for start in stride(from: 0, to: 8192, by: 512) {
        let sector = Set(bytes[max(start, 100)..<start + 512])
        #expect(sector == [1] || sector == [2], "sector at \(start), seed \(seed)")
      }
      #expect(bytes.prefix(100) == old.prefix(100))
      outcomes.insert(bytes)
    }
    #expect(outcomes.count == 20)
  }

  @Test func `means the same for the same seed, and never loses what was synced`() throws {
    let directory = MemoryDirectory()
    try directory.make("a", [1], synced: true)
    try directory.syncFolder("")
    try directory.make("b", [2])
    var seen: Set<[String: [UInt8]]> = []
    for seed in 0..<50 as Range<UInt64> {
      let contents = directory.powerCut(tearing: seed).contents()
      #expect(contents == directory.powerCut(tearing: seed).contents())
      #expect(contents["a"] == [1])
      seen.insert(contents)
    }
    #expect(seen == [["a": [1]], ["a": [1], "b": []], ["a": [1], "b": [2]]])
  }
}
