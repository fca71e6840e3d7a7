import LedgerStorage
import TaskLedger

/// A disk in memory with room for one ledger, which can lose its power, fill up, and fail.
///
/// It tells what an app does to its user's tasks on a bad day:
///
/// ```swift
/// let disk = TestDisk()
/// let ledger = try disk.create()
/// let milk = try ledger.upsert(TaskItem(body: "Get milk"))
/// let after = try disk.powerCut().open()
/// #expect(try after.task(milk)?.body == "Get milk")
/// ```
///
/// Ledgers that are opened on the same disk behave like processes that use the same folder. A disk that ``powerCut()`` or
/// ``processKilled()`` returns is another one: the first goes on as if nothing had happened.
public final class TestDisk: Sendable {
  package let memory: MemoryDirectory
  package let faults: FaultDirectory

  /// Makes an empty disk.
  public convenience init() { self.init(MemoryDirectory(path: "disk")) }

  package init(_ memory: MemoryDirectory) {
    self.memory = memory
    faults = FaultDirectory(memory)
  }

  /// Makes a new ledger on it.
  ///
  /// - Throws: ``LedgerError`` with code `alreadyExists` when there is one.
  public func create(
    author: String = "tester", configuration: LedgerConfiguration = .forTests()
  ) throws(LedgerError) -> Ledger {
    try Ledger.create(in: faults, author: author, configuration: configuration)
  }

  /// Opens the ledger that is on it.
  ///
  /// - Throws: ``LedgerError`` with code `notFound` when there is none, `damaged` when its files are not what was written.
  public func open(
    author: String = "tester", configuration: LedgerConfiguration = .forTests()
  ) throws(LedgerError) -> Ledger {
    try Ledger(faults, author: author, configuration: configuration)
  }

  /// Reads and checks every byte of the ledger, as ``Ledger/verify(at:progress:)`` does.
  public func verify() throws(LedgerError) -> Verification { try Ledger.verify(faults) }

  /// Saves what is intact of the ledger, as ``Ledger/repair(at:configuration:progress:)`` does.
  @discardableResult
  public func repair(
    configuration: LedgerConfiguration = .forTests()
  ) throws(LedgerError) -> Repair { try Ledger.repair(faults, configuration) }
}

// Bad days.
extension TestDisk {
  /// What is left after a power cut: that which was synced, and nothing else.
  public func powerCut() -> TestDisk { TestDisk(memory.powerCut()) }

  /// What is left after a less orderly power cut: of what was not synced each sector, each length and each entry of a
  /// folder is as it was, as it is, or as it was in between, as the seed decides.
  public func powerCut(tearing seed: UInt64) -> TestDisk {
    TestDisk(memory.powerCut(tearing: seed))
  }

  /// What the next process finds after the one before was killed: everything that it wrote, no lock.
  public func processKilled() -> TestDisk { TestDisk(memory.copy()) }

  /// Lets no more bytes in: what needs space fails with ENOSPC until ``makeRoom()``.
  public func fill() { faults.arm(.diskFull(from: 1)) }

  /// Ends ``fill()``.
  public func makeRoom() { faults.disarm() }

  /// Lets the next sync fail, and lose what was written since the last one, as kernels do.
  public func failNextSync() { faults.arm(FaultPlan(fail: 1, of: [.sync], effect: .losesPages)) }
}

// Damage.
extension TestDisk {
  /// The bytes of every file, by its name in the ledger's folder.
  public var files: [String: [UInt8]] { memory.contents() }

  /// Gives a file other bytes behind the ledger's back, as damage does; a file that is not there is made.
  public func overwrite(_ file: String, with bytes: [UInt8]) throws(LedgerError) {
    try LedgerError.typing { try memory.setContents(file, bytes) }
  }

  /// Takes a file away behind the ledger's back.
  public func remove(_ file: String) throws(LedgerError) {
    try LedgerError.typing {
      try memory.unlink(file)
      try memory.syncFolder(file.split(separator: "/").dropLast().joined(separator: "/"))
    }
  }
}
