import LedgerCore
import LedgerFormat

/// The folder lock: one writer at a time among all processes (flock(2) of LOCK).
///
/// LOCK also carries the mark of whoever held the lock last, so that a writer that holds it again knows that nobody did in
/// between, and need not look at the ledger again. The mark is a hint among running processes that needs no sync: after a
/// power cut every writer opens anew and looks anyway. And it carries up to where the active segment is durable.
///
/// Invariants:
/// - nothing of the ledger is changed but by who holds the lock, under a mark of its own that is in LOCK by then;
/// - a mark is the number of one lock object, and no other ever writes it;
/// - what is locked is the file that the name LOCK leads to when the lock is taken.
package final class FolderLock {
  private let directory: any LedgerDirectory
  private let mark = UInt64.unique()
  private var turns: LockTurns
  private var file: (any LedgerFile)?
  private var identity: FileStatus.Identity?
  /// Whether the lock was given back in good order, under this mark.
  private var isMarked = false
  /// What this writer left word of last.
  private var testified: DurableEnd?
  private(set) var isHeld = false

  /// So often a LOCK that was taken away is opened anew.
  private static let attemptsMax = 100

  init(_ directory: any LedgerDirectory, patience: UInt64 = LockTurns.patienceMilliseconds) {
    self.directory = directory
    turns = LockTurns(directory, patience: patience)
  }

  /// Takes the lock, waiting for at most `timeout` milliseconds.
  ///
  /// - Returns: whether nobody held it since it was given back in good order: all is as it was then.
  @discardableResult
  func acquire(timeout: UInt64) throws(LedgerError) -> Bool {
    do {
      var note = try tryAcquire()
      if let taken = note, isUndisturbed(taken), try turns.isOver(taken, of: lockedFile()) {
        // Somebody else gets in now, and this writer waits like any other.
        try lockedFile().unlock()
        try turns.giveWay { () throws in try !isUndisturbed(read(lockedFile())) }
        note = nil
      }
      let taken = try note ?? waitForTurn(timeout)
      isHeld = true
      if isUndisturbed(taken) { return true }
      isMarked = false
      turns.begin()
      try lockedFile().write(taken.bytes(of: mark), at: 0)
      return false
    } catch {
      letGo()
      throw LedgerError.wrapping(error)
    }
  }

  private func waitForTurn(_ timeout: UInt64) throws -> LockNote {
    var waiter = LockWaiter(directory)
    defer { waiter.end() }
    var waited: UInt64 = 0
    while true {
      if let note = try tryAcquire() { return note }
      guard waited < timeout else {
        throw LedgerError(
          .busy, "others held the lock for \(Self.duration(waited))",
          path: directory.path,
          hint: "try again when they are done; a program in a transaction writes by that alone")
      }
      try waiter.announce(in: lockedFile())
      let pause: UInt64 = waited < 100 ? 1 : 5
      sleep(milliseconds: pause)
      waited += pause
    }
  }

  private static func duration(_ milliseconds: UInt64) -> String {
    milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }

  /// Takes the lock unless somebody holds it.
  private func tryAcquire() throws -> LockNote? {
    for _ in 0..<Self.attemptsMax {
      let file = try lockedFile()
      guard try file.tryLock(.exclusive) else { return nil }
      if try directory.extent(LedgerNames.lock)?.identity == identity { return try read(file) }
      // The file was taken away: a lock of it keeps nobody out.
      forgetFile()
    }
    throw LedgerError(
      .io, "the file LOCK is replaced again and again", path: directory.path,
      hint: "let nothing but `ledger` change the folder")
  }

  private func read(_ file: any LedgerFile) throws -> LockNote {
    LockNote(try file.read(at: 0, count: LockNote.byteCount))
  }

  private func isUndisturbed(_ note: LockNote) -> Bool { isMarked && note.mark == mark }

  private func lockedFile() throws -> any LedgerFile {
    if let file { return file }
    let file = try openFile()
    identity = try file.status().identity
    self.file = file
    return file
  }

  private func openFile() throws -> any LedgerFile {
    do {
      return try directory.open(LedgerNames.lock, .readWrite)
    } catch var error as LedgerError where error.isOfOtherThanFile {
      error.hint = "something else stands in the place of LOCK; `ledger repair` moves it aside"
      throw error
    } catch let error as LedgerError where error.code == .notFound {
      // LOCK holds nothing that cannot be made anew.
      do {
        return try directory.open(LedgerNames.lock, .create)
      } catch let error as LedgerError where error.code == .alreadyExists {
        return try directory.open(LedgerNames.lock, .readWrite)
      }
    }
  }

  /// Leaves word of up to where the active segment is durable. Without it all that is lost is the word.
  func testify(_ end: DurableEnd, of ledger: ReplicaID) {
    guard isHeld, end != testified else { return }
    testified = end
    try? file?.write(end.encoded(for: ledger), at: DurableEnd.offset)
  }

  /// Takes back what LOCK says of the end, durably: what the folder holds from now on need not go on from there.
  func takeBackWord() throws {
    guard isHeld, let file else { return }
    let nothing = DurableEnd.nothing
    let found = try file.read(at: DurableEnd.offset, count: nothing.count)
    guard found.contains(where: { $0 != 0 }) else { return }
    testified = nil
    try file.write(nothing, at: DurableEnd.offset)
    try file.sync()
  }

  /// Gives the lock back.
  ///
  /// - Parameter inOrder: false where what is known may be wrong or incomplete: whoever takes the lock next looks at
  ///   everything, this writer too.
  func release(inOrder: Bool = true) {
    guard isHeld else { return }
    isHeld = false
    isMarked = inOrder
    letGo()
  }

  private func letGo() {
    isHeld = false
    do {
      try file?.unlock()
    } catch {
      // Closing the descriptor releases the lock, whatever the call before it said.
      forgetFile()
    }
  }

  private func forgetFile() {
    isMarked = false
    file?.close()
    file = nil
    identity = nil
  }
}

/// The folder lock held shared: while it is, nobody writes.
struct FolderAtRest {
  private let file: (any LedgerFile)?

  /// Nil while somebody is writing. A LOCK that is not there, or that this user may not read, is no reason to say so.
  init?(_ directory: any LedgerDirectory) {
    file = try? directory.open(LedgerNames.lock, .read)
    guard let file else { return }
    if (try? file.tryLock(.shared)) == false {
      file.close()
      return nil
    }
  }

  func end() { file?.close() }
}
