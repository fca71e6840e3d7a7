import LedgerCore
import LedgerStorage
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a kernel may do when a sync fails: the pages are clean, and lost.
@Suite struct `After a sync that failed and lost its pages` {
  @Test func `the bytes are still read, but no later sync makes them durable`() throws {
    let (memory, faults, file) = try withLostPages([2, 2, 2], over: [1, 1, 1])
    #expect(try file.allBytes() == [2, 2, 2])
    #expect(try faults.bytes("a") == [2, 2, 2])
    try file.sync()
    #expect(memory.powerCut().contents() == ["a": [1, 1, 1]])
  }

  @Test func `bytes that are written again become durable, and only they`() throws {
    let (memory, _, file) = try withLostPages([2, 2, 2], over: [1, 1, 1])
    try file.write([2], at: 1)
    try file.sync()
    #expect(memory.powerCut().contents() == ["a": [1, 2, 1]])
    try file.write([2, 2, 2], at: 0)
    try file.sync()
    #expect(memory.powerCut().contents() == ["a": [2, 2, 2]])
  }

  @Test func `a length that was lost is durable only as far as is written again`() throws {
    let (memory, _, file) = try withLostPages([1, 1, 1, 2, 2, 2], over: [1, 1, 1])
    try file.write([2], at: 4)
    try file.sync()
    #expect(try file.size() == 6)
    #expect(memory.powerCut().contents() == ["a": [1, 1, 1, 0, 2]])
    try file.truncate(to: 6)
    try file.sync()
    #expect(memory.powerCut().contents() == ["a": [1, 1, 1, 0, 2, 0]])
  }

  @Test func `the next process sees the same`() throws {
    let (memory, _, _) = try withLostPages([2, 2], over: [1, 1])
    let next = memory.copy()
    let file = try next.open("a", .readWrite)
    #expect(try file.allBytes() == [2, 2])
    try file.sync()
    #expect(next.powerCut().contents() == ["a": [1, 1]])
  }

  @Test func `a sync that merely failed may be tried again`() throws {
    let memory = MemoryDirectory()
    let faults = FaultDirectory(memory)
    let file = try faults.make("a", [1])
    try faults.syncFolder("")
    faults.arm(FaultPlan(fail: 1, of: [.sync]))
    expectFailure(EIO) { try file.sync() }
    #expect(memory.powerCut().contents() == ["a": []])
    try file.sync()
    #expect(memory.powerCut().contents() == ["a": [1]])
  }

  /// A file with durable bytes, and others written over them that a failed sync has lost.
  private func withLostPages(
    _ new: [UInt8], over old: [UInt8]
  ) throws -> (MemoryDirectory, FaultDirectory, any LedgerFile) {
    let memory = MemoryDirectory()
    let faults = FaultDirectory(memory)
    let file = try faults.make("a", old, synced: true)
    try faults.syncFolder("")
    faults.arm(FaultPlan(fail: 1, of: [.sync], effect: .losesPages))
    try file.write(new, at: 0)
    expectFailure(EIO) { try file.sync() }
    #expect(faults.faultsMet == 1)
    return (memory, faults, file)
  }
}
