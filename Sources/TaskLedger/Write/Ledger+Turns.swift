import LedgerFormat
import LedgerStorage

/// How writers of one process take turns: each makes its events, one of them appends for all, and the last one out tidies up.
extension Ledger {
  /// Appends several transactions that share one sync.
  ///
  /// - Parameter isBulk: whether so many are to come that their frames are not worth compressing before they are sealed.
  package func appendGroup<R>(
    isBulk: Bool = false, _ body: (TransactionGroup) throws -> R
  ) throws -> R {
    let (needsLock, epoch) = try gate.enter()
    let queued: GroupCommit.Queued?
    let result: R
    do {
      let session = try readySession(needsLock: needsLock, epoch: epoch)
      let group = TransactionGroup(
        session, configuration: configuration, pool: pool, isBulk: isBulk,
        collectsTouched: shared.withLock { $0.collectsTouched })
      do {
        result = try body(group)
      } catch {
        group.rollBack()
        throw error
      }
      queued = group.close()
    } catch {
      gate.passTurn(nil, madeIn: epoch)
      leave(seals: false)
      throw error
    }
    gate.passTurn(queued, madeIn: epoch)
    do throws(LedgerError) {
      if let queued { try gate.commit.wait(for: queued, append: append) }
    } catch {
      leave(seals: false)
      throw error
    }
    leave()
    return result
  }

  /// The session, on top of everything that was appended or is queued. Runs with the turn.
  private func readySession(needsLock: Bool, epoch: Int) throws(LedgerError) -> WriteSession {
    // With the lock held others may lead, and the writer is theirs.
    let before = needsLock ? gate.writer?.view : nil
    if needsLock { try takeLock(epoch: epoch) }
    guard let session = gate.session else {
      preconditionFailure("the folder lock is held by no session")
    }
    // Nothing is queued since the append failed that began the epoch.
    if session.epoch != epoch { session.startOver(epoch: epoch) }
    session.forgetPublished()
    session.followFiles()
    if let before, before.manifest.number != session.writer.view.manifest.number {
      Self.letGo(of: before)
    }
    return session
  }

  /// Lets go of a view, aside where it holds many frames that nobody else does by now: to free each of them takes a while.
  private static func letGo(of view: LogView) {
    let frozen = view.frameSegments.dropLast().reduce(0) { $0 + $1.frames.count }
    guard frozen >= framesFreedAsideMin else { return }
    _ = DetachedThread.start { withExtendedLifetime(view) {} }
  }

  private static let framesFreedAsideMin = 1 << 14

  /// Takes the folder lock and catches up. Nothing is queued, and nobody leads.
  private func takeLock(epoch: Int) throws(LedgerError) {
    let writer = gate.writer ?? newWriter()
    gate.writer = writer
    try writer.begin()
    gate.lockTaken()
    publish(writer, touched: nil)
    if let session = gate.session {
      if session.isStale { session.startOver(epoch: epoch) } else { session.forgetOlderTasks() }
    } else {
      gate.session = WriteSession(
        writer, epoch: epoch, keptTasksMax: configuration.keptTasksMax,
        published: { [unowned self] in shared.withLock { $0.view } },
        listed: { [unowned self] () throws(LedgerError) in try liveTasks() })
    }
  }

  private func newWriter() -> LogWriter {
    LogWriter(
      shared.withLock { $0.view }, options: configuration.storeOptions, clock: configuration.clock)
  }

  /// Writes and syncs what was queued. Runs as the leader.
  private func append(_ group: [GroupCommit.Queued]) throws(LedgerError) {
    guard let writer = gate.writer else { return }
    do throws(LedgerError) {
      try writer.append(group.flatMap(\.transactions))
    } catch {
      // What readers have seen of it may be gone.
      publish(writer, touched: nil)
      throw error
    }
    let isKnown = group.allSatisfy { $0.touched != nil }
    publish(writer, touched: isKnown ? group.flatMap { $0.touched ?? [] } : nil)
  }

  /// Shows readers what was committed.
  ///
  /// - Parameter touched: every task that the new events touched, as it is now; nil where that is not known.
  private func publish(_ writer: LogWriter, touched: [(TaskID, TaskState)]?) {
    let view = writer.view
    let notices = writer.notices
    writer.notices = []
    let items = touched?.map { (id: $0, item: $1.item($0)) }
    let isNew = shared.withLock { shared in
      shared.take(noticesOfWriter: notices)
      let (before, generation) = (shared.view.lastSequence, shared.generation)
      shared.replace(by: view)
      shared.durableThrough = writer.durableSequence
      if let items { shared.take(items, after: before) }
      shared.told = max(shared.told, view.lastSequence)
      return view.lastSequence != before || shared.generation != generation
    }
    if isNew { observers.raise() }
  }

  /// The last writer out closes a full segment, gives the folder lock back, and seals.
  ///
  /// - Parameter seals: false for one who failed: where something is wrong with the files no others are changed.
  private func leave(seals: Bool = true, rotates: Bool = false, dropsSession: Bool = false) {
    var sealIsDue = false
    gate.leave(rotates: rotates, dropsSession: dropsSession) { wishes in
      guard let writer = gate.writer else { return }
      let isClosed = writer.failure == nil && (writer.isRotationDue || wishes.rotates)
      if configuration.quickSegmentFactor > 1 {
        let isPutOff = !isClosed && writer.failure == nil && writer.isActiveFull
        shared.withLock { $0.isClosingPutOff = isPutOff }
      }
      if isClosed {
        do throws(LedgerError) {
          try writer.rotate()
        } catch {
          note("the segment stays open: \(error.message)")
          shared.withLock { $0.closingFailure = error }
        }
        publish(writer, touched: nil)
      }
      sealIsDue = writer.view.frameSegments.count > 1
      writer.end()
      // Who seals now also removes what was sealed: files that the session keeps could not be.
      if wishes.dropsSession || (sealIsDue && !configuration.sealsInBackground) {
        gate.session = nil
        // A writer that failed is kept, so that it stays failed.
        if writer.failure == nil { gate.writer = nil }
      }
    }
    if sealIsDue, seals { sealSoon() }
  }

  /// Lets go of files that are only kept from one change to the next.
  ///
  /// - Throws: `LedgerError` with code `invalid` inside a transaction.
  func letGoOfFiles() throws(LedgerError) {
    let (isLockFree, epoch) = try gate.enter()
    if isLockFree {
      gate.session = nil
      if gate.writer?.failure == nil { gate.writer = nil }
    }
    gate.passTurn(nil, madeIn: epoch)
    leave(seals: false, dropsSession: !isLockFree)
    _ = try currentView()
  }

  /// The committed log, all of it durable: frames that were not known to be are written again and synced.
  ///
  /// - Throws: `LedgerError` with code `invalid` inside a transaction, `busy` or `io` when the ledger cannot be written.
  func durableView() throws(LedgerError) -> LogView {
    try withTurn(rotates: false) { shared.withLock { $0.view } }
  }

  /// Closes the active segment, if it holds events, and leaves the sealing to others.
  ///
  /// - Throws: as ``durableView()``, and `io` where it could not be closed: it stays open.
  func closeSegment() throws(LedgerError) {
    shared.withLock { $0.closingFailure = nil }
    try withTurn(rotates: true) {}
    if let failure = shared.withLock({ $0.closingFailure }) { throw failure }
  }

  /// Runs the body when everything is durable and nobody makes events.
  private func withTurn<R>(rotates: Bool, _ body: () -> R) throws(LedgerError) -> R {
    let (needsLock, epoch) = try gate.enter()
    do throws(LedgerError) {
      _ = try readySession(needsLock: needsLock, epoch: epoch)
      let result = body()
      gate.passTurn(nil, madeIn: epoch)
      leave(seals: false, rotates: rotates, dropsSession: rotates)
      return result
    } catch {
      gate.passTurn(nil, madeIn: epoch)
      leave(seals: false)
      throw error
    }
  }
}
