import LedgerCore
import LedgerStorage
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct `A fault directory` {
  @Test(arguments: CallKind.allCases)
  func `fails a call of each kind with the text of the system`(_ kind: CallKind) throws {
    let faults = try prepared()
    let file = try faults.open("a", .readWrite)
    faults.arm(FaultPlan(fail: 1, of: [kind], with: ENOSPC))
    let error = #expect(throws: LedgerError.self) { try call(kind, faults, file) }
    #expect(error?.code == .io)
    #expect(error?.systemError == ENOSPC)
    #expect(error?.message.hasSuffix(": No space left on device (ENOSPC)") == true)
    #expect(error?.path?.hasPrefix("memory") == true)
    #expect(faults.faultsMet == 1)
    #expect(faults.trace.calls.last?.outcome == .failed(ENOSPC))
    // Once means once, and nothing was done the first time.
    try call(kind, faults, file)
    #expect(faults.faultsMet == 1)
    #expect(faults.trace.calls.last?.outcome == .done)
  }

  @Test func `fails the nth of the calls that change something`() throws {
    let faults = try prepared()
    faults.arm(FaultPlan(fail: 3))
    let file = try faults.open("a", .readWrite)  // Changes nothing.
    try file.write([1], at: 0)
    #expect(try file.size() == 1)
    try file.sync()
    #expect(faults.faultsMet == 0)
    expectFailure(EIO) { try faults.unlink("a") }
    #expect(faults.faultsMet == 1)
    try faults.unlink("a")
  }

  @Test func `chooses by name, the new name of a rename included`() throws {
    let faults = try prepared()
    faults.arm(FaultPlan(fail: 1, named: "segments/", lasting: .forever))
    try faults.make("b", [1])
    expectFailure(EIO) { try faults.make("segments/b") }
    expectFailure(EIO) { try faults.rename("b", to: "segments/b") }
    #expect(faults.faultsMet == 2)
    faults.disarm()
    try faults.rename("b", to: "segments/b")
    #expect(faults.faultsMet == 2)
  }

  @Test func `a short write leaves a prefix`() throws {
    let faults = try prepared()
    let file = try faults.open("a", .readWrite)
    faults.arm(FaultPlan(fail: 2, of: [.write], with: ENOSPC, effect: .partial(2)))
    try file.write([1, 2, 3, 4], at: 0)
    expectFailure(ENOSPC) { try file.write([9, 9, 9, 9], at: 0) }
    #expect(try file.allBytes() == [9, 9, 3, 4])
  }

  @Test func `a call can do its work and fail all the same`() throws {
    let faults = try prepared()
    faults.arm(FaultPlan(fail: 1, of: [.rename], effect: .everything))
    expectFailure(EIO) { try faults.rename("a", to: "b") }
    #expect(try faults.list("") == ["b", "segments"])
    faults.arm(FaultPlan(fail: 1, of: [.rename], effect: .everything))
    expectFailure(ENOENT) { try faults.rename("a", to: "b") }
  }

  @Test func `a full disk stays full, and reads go on`() throws {
    let faults = try prepared()
    let file = try faults.open("a", .readWrite)
    faults.arm(.diskFull(from: 2, written: 1))
    try file.write([1, 2], at: 0)
    expectFailure(ENOSPC) { try file.write([3, 4], at: 2) }
    expectFailure(ENOSPC) { try faults.make("b") }
    expectFailure(ENOSPC) { try faults.makeFolder("f") }
    try file.sync()
    #expect(try file.allBytes() == [1, 2, 3])
    try faults.unlink("a")
  }

  @Test func `a disk that is gone answers nothing`() throws {
    let faults = try prepared()
    let file = try faults.open("a", .readWrite)
    faults.arm(.diskGone(from: 2))
    try file.write([1], at: 0)
    for kind in CallKind.allCases { expectFailure(EIO) { try call(kind, faults, file) } }
    #expect(faults.faultsMet == CallKind.allCases.count)
  }

  @Test func `runs a hook before each call, which may take a power cut`() throws {
    let memory = MemoryDirectory()
    let faults = FaultDirectory(memory)
    let cuts = Guarded<[[String: [UInt8]]]>([])
    faults.onCall { _ in
      let contents = memory.powerCut().contents()
      cuts.withLock { $0.append(contents) }
    }
    let file = try faults.make("a", [1])
    try faults.syncFolder("")
    try file.sync()
    faults.onCall(nil)
    #expect(cuts.withLock { $0 } == [[:], [:], [:], ["a": []]])
    #expect(memory.powerCut().contents() == ["a": [1]])
  }

  @Test func `a hook that throws fails the call`() throws {
    let faults = try prepared()
    faults.onCall { call in
      if call.kind == .unlink { throw LedgerError(.busy, "no unlink today") }
    }
    let error = #expect(throws: LedgerError.self) { try faults.unlink("a") }
    #expect(error?.code == .busy)
    #expect(faults.trace.calls.last?.outcome == .failed(nil))
    #expect(try faults.list("") == ["a", "segments"])
  }

  private func prepared() throws -> FaultDirectory {
    let memory = MemoryDirectory()
    try memory.makeFolder("segments")
    try memory.make("a")
    return FaultDirectory(memory)
  }

  private func call(_ kind: CallKind, _ directory: FaultDirectory, _ file: any LedgerFile) throws {
    switch kind {
    case .open: _ = try directory.open("a", .read)
    case .create: _ = try directory.open("new", .create)
    case .list: _ = try directory.list("")
    case .makeFolder: try directory.makeFolder("folder")
    case .rename: try directory.rename("a", to: "b")
    case .unlink: try directory.unlink("a")
    case .syncFolder: try directory.syncFolder("segments")
    case .status: _ = try directory.status("a")
    case .size: _ = try file.size()
    case .seek: _ = try file.nextData(from: 0)
    case .read: _ = try file.read(at: 0, count: 1)
    case .write: try file.write([1], at: 0)
    case .sync: try file.sync()
    case .truncate: try file.truncate(to: 1)
    case .lock: _ = try file.tryLock(.shared)
    case .unlock: try file.unlock()
    case .watch: _ = try directory.watch()
    }
  }
}
