import LedgerCore
import LedgerFormat

/// Appends transactions to a ledger's active segment. Used by one thread at a time.
///
/// Invariants:
/// - it appends only while it holds the folder lock, and only at the end of what it has read;
/// - what it has read is how things are: nobody held the lock since, or it looked at CURRENT and at the rest of the active
///   file when it took the lock;
/// - the list of files that it goes on from is the one that counts: when it took that, nothing beside it led to later or to other
///   events that had been acknowledged;
/// - what it builds on is durable: frames that are not known to be are written again and synced first;
/// - what it knows to be durable is still there when it appends: CURRENT, the manifest and the active file lie under their
///   names, and the file was not cut and ends with the frame that it ended with. Where that is not so it reads everything
///   anew, and refuses what does not go on from there;
/// - after a failed sync of the segment it accepts nothing more.
package final class LogWriter {
  package let directory: any LedgerDirectory
  package let options: StoreOptions
  package let clock: LedgerClock
  let time: () -> Double
  package let pool: ZstdPool
  private let lock: FolderLock
  /// The log as this writer knows it: durable, all of it, while the lock is held.
  package internal(set) var view: LogView
  var segment: SegmentFile?
  /// The error after which nothing is accepted.
  package private(set) var failure: LedgerError?
  /// The log digest after the last event and the newest stamp of the active segment; nil until they are needed.
  var activeDigest: SegmentDigest?
  /// When it began a segment last.
  var rotatedAt = -Double.infinity
  /// The last event that this writer knows to be durable.
  package internal(set) var durableSequence: UInt64 = 0
  /// What recovery did, in words, since it was asked last.
  package var notices: [String] = []

  /// A writer that starts from what a reader knows; nothing is written before `begin()`.
  ///
  /// - Parameter time: tells the seconds by which segments are quick or slow to fill.
  package init(
    _ view: LogView, options: StoreOptions, clock: @escaping LedgerClock,
    time: @escaping () -> Double = monotonicSeconds
  ) {
    directory = view.directory
    self.options = options
    self.clock = clock
    self.time = time
    pool = view.pool
    lock = FolderLock(directory, patience: options.lockPatienceMilliseconds)
    self.view = view
  }

  /// Takes the folder lock and catches up with what others appended.
  package func begin() throws(LedgerError) {
    if let failure { throw poisoned(by: failure) }
    try view.manifest.checkIsNoBackup(directory.path)
    let isUndisturbed = try lock.acquire(timeout: options.lockTimeoutMilliseconds)
    do {
      if !isUndisturbed || segment == nil { try catchUp() }
    } catch {
      let error = LedgerError.wrapping(error)
      // What was found may be incomplete: the next attempt looks at everything again.
      segment = nil
      lock.release(inOrder: false)
      throw error
    }
  }

  /// Gives the folder lock back. Without a segment in good order the next writer, whoever it is, looks at everything.
  package func end() {
    if failure == nil, let segment {
      lock.testify(
        DurableEnd(
          segment: view.active.header.segment, position: segment.durablePosition,
          sequence: view.lastSequence), of: view.manifest.ledger)
    }
    lock.release(inOrder: failure == nil && segment != nil)
  }

  private func poisoned(by failure: LedgerError) -> LedgerError {
    LedgerError(
      .poisoned, "this handle accepts nothing more", path: directory.path, cause: failure.message,
      hint: "open the ledger again; what was acknowledged is there")
  }

  /// Syncs the segment. When that fails nobody knows what of it is on the disk: nothing more is accepted.
  func syncSegment(_ file: any LedgerFile) throws {
    do {
      try file.sync()
    } catch {
      poison(LedgerError.wrapping(error))
      throw error
    }
  }

  /// Writes transactions and syncs them together. When it returns they are durable and part of the view.
  ///
  /// - Throws: `io`; nothing of them was kept when the handle accepts more, and nobody knows when it does not.
  package func append(_ group: [PendingTransaction]) throws(LedgerError) {
    if let failure { throw poisoned(by: failure) }
    precondition(lock.isHeld && !group.isEmpty, "append without begin, or of nothing")
    try checkFiles()
    var rest = group[...]
    while !rest.isEmpty {
      do throws(LedgerError) {
        _ = try readySegment()
        let part = try partForSegment(rest)
        try appendToSegment(part)
        rest = rest.dropFirst(part.count)
      } catch {
        guard rest.count < group.count else { throw error }
        // What went into the segment before is kept, though this call fails.
        poison(error)
        throw error.afterPartWasKept
      }
    }
  }

  /// Writes and syncs transactions that the active segment has room for.
  private func appendToSegment(_ group: ArraySlice<PendingTransaction>) throws(LedgerError) {
    var segment = try readySegment()
    guard group[group.startIndex].events[0].sequence == view.lastSequence + 1 else {
      throw LedgerError(
        .io, "the ledger changed while a transaction was under way", path: directory.path,
        hint: "try again")
    }
    let count = group.reduce(0) { $0 + $1.frameByteCount }
    do {
      try segment.reserve(UInt64(count), from: view.active.end)
      self.segment = segment
    } catch {
      // Only zeros were written. The next attempt measures the file anew.
      self.segment = nil
      let error = describe(error, "cannot extend the ledger for \(count) bytes")
      if segment.hasFailedSync { poison(error) }
      throw error
    }
    // The frames name the length that was made for them: without it they cannot have been written.
    let (bytes, frames) = encode(group, in: segment)
    do {
      try segment.file.write(bytes, at: view.active.end)
    } catch {
      var error = describe(error, "cannot append \(bytes.count) bytes")
      if discardLeftovers(bytes.count, of: segment) {
        error.sentence += LedgerError.takenBack
      } else {
        error.hint = "whether the change was kept will be seen when there is an answer again"
      }
      throw error
    }
    do {
      try segment.file.sync()
    } catch {
      let error = describe(error, "cannot sync \(bytes.count) appended bytes")
      abandonSegment(Array(group), after: error)
      throw error
    }
    segment.durablePosition = view.active.end + UInt64(bytes.count)
    self.segment = segment
    view.active.frames.append(frames)
    // Whoever has closed one segment will close the next.
    for transaction in group { activeDigest?.append(transaction.events) }
    durableSequence = view.lastSequence
  }

  /// Whoever changes the folder by other means than ours takes no lock: what was there a moment ago may be gone.
  func checkFiles() throws(LedgerError) {
    guard let segment else { return }
    do {
      guard try view.held.isUntouched(in: directory),
        segment.isWhole(try directory.extent(segment.file.name)),
        try view.active.frames.last?.isStill(in: segment.file) ?? true
      else {
        // It is all read again, and what is wrong is found there.
        self.segment = nil
        return
      }
    } catch {
      throw describe(error, "cannot make sure that the ledger is as it was")
    }
  }

  private func encode(
    _ group: ArraySlice<PendingTransaction>, in segment: SegmentFile
  ) -> (bytes: [UInt8], frames: [FrameRecord]) {
    var bytes: [UInt8] = []
    var frames: [FrameRecord] = []
    bytes.reserveCapacity(group.reduce(0) { $0 + $1.frameByteCount })
    frames.reserveCapacity(group.count)
    var seed = view.active.seed
    let end = view.active.end
    for transaction in group {
      let header = transaction.header(
        segment: view.active.header.segment, seed: seed,
        durablePosition: segment.positionToName, durableLength: segment.durableLength)
      let position = end + UInt64(bytes.count)
      let written = FrameHeader.append(header, payload: transaction.payload, to: &bytes)
      frames.append(
        FrameRecord(
          written, at: position, replica: view.manifest.replica, ownBefore: transaction.ownBefore,
          events: transaction.events))
      seed = written.checksum
    }
    return (bytes, frames)
  }

  private func describe(_ error: any Error, _ what: String) -> LedgerError {
    var wrapped = LedgerError.wrapping(error)
    wrapped.cause = [wrapped.sentence, wrapped.cause].compactMap { $0 }.joined(separator: ": ")
    wrapped.sentence = what
    if wrapped.hint == nil { wrapped.hint = "nothing that was acknowledged is lost" }
    return wrapped
  }

  func poison(_ error: LedgerError) { failure = failure ?? error }
}
