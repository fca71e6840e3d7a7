import LedgerCore
import LedgerStorage
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct `A trace of calls` {
  @Test func `reads as one line a call`() throws {
    let faults = FaultDirectory(MemoryDirectory())
    try faults.makeFolder("segments")
    let file = try faults.make("segments/1", [1, 2])
    _ = try file.read(at: 1, count: 8)
    try file.truncate(to: 9)
    faults.arm(FaultPlan(fail: 1, of: [.sync]))
    #expect(throws: LedgerError.self) { try file.sync() }
    try faults.rename("segments/1", to: "b")
    try faults.syncFolder("")
    #expect(
      faults.trace.description == """
        1 makeFolder segments
        2 create segments/1
        3 write segments/1 @0 +2
        4 read segments/1 @1 +8
        5 truncate segments/1 =9
        6 sync segments/1 ✗ Input/output error (EIO)
        7 rename segments/1 → b
        8 syncFolder .
        """)
    #expect(faults.trace.count(.sync) == 1)
    #expect(faults.trace.calls(.write, .sync, named: "segments/1").map(\.number) == [3, 6])
    #expect(faults.trace.after(6).calls.map(\.kind) == [.rename, .syncFolder])
  }

  @Test func `a call under way is shown as running`() throws {
    let faults = FaultDirectory(MemoryDirectory())
    faults.onCall { call in
      #expect(call.outcome == .running)
      #expect(faults.trace.description == "1 list . …")
    }
    _ = try faults.list("")
    #expect(faults.trace.calls.first?.lastBegun == 1)
  }

  @Test func `nothing waits when every change was synced`() throws {
    let faults = FaultDirectory(MemoryDirectory())
    try faults.makeFolder("segments")
    try faults.syncFolder("")
    let file = try faults.make("segments/1", [1], synced: true)
    try faults.syncFolder("segments")
    try file.truncate(to: 100)
    try file.sync()
    #expect(faults.trace.notDurable() == [])
  }

  @Test func `writes and names that nothing synced are reported`() throws {
    let faults = FaultDirectory(MemoryDirectory())
    let file = try faults.make("a", [1], synced: true)
    try file.write([2], at: 0)
    #expect(waiting(faults) == ["1 create a", "4 write a @0 +1"])
    try faults.open("a", .read).sync()
    #expect(waiting(faults) == ["1 create a"])
    try faults.syncFolder("")
    #expect(waiting(faults) == [])
    try faults.unlink("a")
    #expect(waiting(faults) == ["8 unlink a"])
  }

  @Test func `a sync that began before the write had returned does not count`() throws {
    let memory = MemoryDirectory()
    let faults = FaultDirectory(memory)
    let file = try faults.make("a")
    try faults.syncFolder("")
    faults.onCall { call in
      // Another thread syncs while this write is under way.
      guard call.kind == .write else { return }
      faults.onCall(nil)
      try file.sync()
    }
    try file.write([1], at: 0)
    #expect(waiting(faults) == ["4 write a @0 +1"])
    try file.sync()
    #expect(waiting(faults) == [])
  }

  @Test func `after a failed sync only what is written again can become durable`() throws {
    let faults = FaultDirectory(MemoryDirectory())
    let file = try faults.make("a", [1, 1])
    try faults.syncFolder("")
    faults.arm(FaultPlan(fail: 1, of: [.sync]))
    expectFailure(EIO) { try file.sync() }
    try file.sync()
    #expect(waiting(faults) == ["2 write a @0 +2"])
    try file.write([1, 1], at: 0)
    try file.sync()
    #expect(waiting(faults) == [])
  }

  @Test func `a file is followed through a rename`() throws {
    let faults = FaultDirectory(MemoryDirectory())
    let old = try faults.make("CURRENT", [1])
    let new = try faults.make("CURRENT.new", [2])
    try faults.syncFolder("")
    try faults.rename("CURRENT.new", to: "CURRENT")
    // What the old file still waits for is of no interest: its name is gone.
    #expect(waiting(faults) == ["4 write CURRENT.new @0 +1", "6 rename CURRENT.new → CURRENT"])
    try old.sync()
    try faults.syncFolder("")
    #expect(waiting(faults) == ["4 write CURRENT.new @0 +1"])
    try faults.open("CURRENT", .read).sync()
    #expect(waiting(faults) == [])
    try new.write([3], at: 0)
    try faults.make("CURRENT.new", [4], synced: true)
    try faults.syncFolder("")
    #expect(waiting(faults) == ["11 write CURRENT.new @0 +1"])
  }

  @Test func `a rename between folders waits for both`() throws {
    let faults = FaultDirectory(MemoryDirectory())
    try faults.makeFolder("f")
    try faults.make("a")
    try faults.syncFolder("")
    try faults.rename("a", to: "f/a")
    try faults.syncFolder("f")
    #expect(waiting(faults) == ["5 rename a → f/a"])
    try faults.syncFolder("")
    #expect(waiting(faults) == [])
  }

  private func waiting(_ faults: FaultDirectory) -> [String] {
    faults.trace.notDurable().map(\.description)
  }
}
