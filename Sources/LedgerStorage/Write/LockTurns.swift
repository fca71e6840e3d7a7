import LedgerCore
import LedgerFormat

/// Somebody who waits for the folder lock, as others see it.
///
/// While it waits it holds the ledger's folder locked shared, and a byte in LOCK tells the holder to look at that.
struct LockWaiter {
  private let directory: any LedgerDirectory
  private var folder: (any LedgerFile)?
  private var isLocked = false

  init(_ directory: any LedgerDirectory) { self.directory = directory }

  /// Lets it be known; again and again, for the holder may take the word back just then.
  mutating func announce(in file: any LedgerFile) throws {
    let folder = try folder ?? directory.open("", .folder)
    self.folder = folder
    // Refused while a holder looks who waits: there is a next time.
    if !isLocked { isLocked = try folder.tryLock(.shared) }
    if isLocked { try file.write([LockNote.awaited], at: LockNote.awaitedOffset) }
  }

  func end() { folder?.close() }
}

/// When a writer that takes the folder lock again and again lets others in.
///
/// Invariants:
/// - nobody who waits is passed by more often than `turnsMax` times, nor for longer than `turnSecondsMax` and one holding of
///   the lock, as long as it comes for the lock when it is let in;
/// - nobody who waits and does not come costs the others more than a small part of their time.
struct LockTurns {
  /// So often a writer may take the lock while others wait: handing it over costs as much as a few appends.
  static let turnsMax = 32
  /// …and for so long.
  private static let turnSecondsMax = 0.05
  /// For as long others are waited for to come, in milliseconds.
  static let patienceMilliseconds: UInt64 = 1000

  private let directory: any LedgerDirectory
  private let patience: UInt64
  private var turns = 0
  private var firstTurn = 0.0
  /// Grows when those who waited did not come: they may be stopped.
  private var scale = 1

  init(_ directory: any LedgerDirectory, patience: UInt64) {
    self.directory = directory
    self.patience = patience
  }

  /// Begins anew: somebody else had the lock.
  mutating func begin() {
    turns = 0
    scale = 1
  }

  /// Whether to let others in before going on; called with the lock held.
  mutating func isOver(_ note: LockNote, of file: any LedgerFile) throws -> Bool {
    guard note.isAwaited else { return false }
    turns += 1
    if turns == 1 { firstTurn = monotonicSeconds() }
    guard turns > Self.turnsMax * scale || lasted > Self.turnSecondsMax * Double(scale) else {
      return false
    }
    turns = 0
    return try isAwaited(file)
  }

  private var lasted: Double { monotonicSeconds() - firstTurn }

  /// Whether anybody waits; where nobody does, the word is taken back.
  private func isAwaited(_ file: any LedgerFile) throws -> Bool {
    let folder = try directory.open("", .folder)
    defer { folder.close() }
    guard try folder.tryLock(.exclusive) else { return true }
    // While the folder is locked nobody can announce that it waits.
    try file.write([LockNote.notAwaited], at: LockNote.awaitedOffset)
    return false
  }

  /// Waits until somebody else had the lock, or nobody waits for it any more; called without the lock.
  mutating func giveWay(_ isTaken: () throws -> Bool) throws {
    let folder = try directory.open("", .folder)
    defer { folder.close() }
    var waited: UInt64 = 0
    while try !isTaken() {
      if try folder.tryLock(.exclusive) { return }
      guard waited < patience else {
        scale = min(scale * 32, 1 << 20)
        return
      }
      sleep(milliseconds: 1)
      waited += 1
    }
  }
}
