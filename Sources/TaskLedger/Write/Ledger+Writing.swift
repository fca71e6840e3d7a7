import LedgerFormat
import LedgerStorage

/// Changing tasks.
extension Ledger {
  /// Creates a task, or sets the given fields of one that is there and leaves its others alone: a field that the given task does not
  /// have stays as it is. Use ``update(_:expecting:_:)`` to unset one.
  ///
  /// ```swift
  /// let milk = try ledger.upsert(TaskItem(body: "Get milk"))
  /// ```
  /// - Parameter revision: the revision at which the task must be, as ``revision(of:)`` tells it; 0 for an id that never was. Nil: any.
  /// - Returns: the task's id.
  /// - Throws: ``LedgerError`` with code `invalid` for a field that the rules refuse, `conflict` for a task at another revision, with who
  ///   changed it in ``LedgerError/conflicts``, `busy` when another process holds the ledger for too long, `io` when it cannot be
  ///   written: nothing was changed, unless the message says that a sync failed.
  @discardableResult
  public func upsert(_ task: TaskItem, expecting revision: UInt64? = nil) throws -> TaskID {
    try transaction { try $0.upsert(task, expecting: revision) }
  }

  /// Changes a task that exists.
  ///
  /// ```swift
  /// try ledger.update(milk) { $0.body = "Get oat milk"; $0["priority"] = 2 }
  /// ```
  /// - Parameters:
  ///   - revision: as in `upsert`.
  ///   - change: changes the task as it stands; only the fields that then differ are recorded.
  /// - Returns: false when nothing differs, and then nothing is appended.
  /// - Throws: ``LedgerError`` with code `noSuchTask` or `conflict`, and then `change` is not called; else as `upsert`.
  @discardableResult
  public func update(
    _ id: TaskID, expecting revision: UInt64? = nil, _ change: (inout TaskItem) throws -> Void
  ) throws -> Bool {
    try transaction { try $0.update(id, expecting: revision, change) }
  }

  /// Reverses `isCompleted`.
  ///
  /// - Parameter revision: as in `upsert`.
  /// - Throws: ``LedgerError`` with code `noSuchTask`; else as `upsert`.
  public func toggle(_ id: TaskID, expecting revision: UInt64? = nil) throws {
    try transaction { try $0.toggle(id, expecting: revision) }
  }

  /// Deletes a task softly: it stays a document with `isDeleted` set and can be restored.
  ///
  /// - Parameter revision: as in `upsert`.
  /// - Returns: false when it was deleted already.
  /// - Throws: ``LedgerError`` with code `noSuchTask`; else as `upsert`.
  @discardableResult
  public func delete(_ id: TaskID, expecting revision: UInt64? = nil) throws -> Bool {
    try transaction { try $0.delete(id, expecting: revision) }
  }

  /// Takes a soft deletion back.
  ///
  /// - Parameter revision: as in `upsert`.
  /// - Returns: false when the task was not deleted.
  /// - Throws: ``LedgerError`` with code `noSuchTask`; else as `upsert`.
  @discardableResult
  public func restore(_ id: TaskID, expecting revision: UInt64? = nil) throws -> Bool {
    try transaction { try $0.restore(id, expecting: revision) }
  }

  /// Removes a task from the live state of this ledger, for this ledger alone; its history stays.
  ///
  /// - Parameter revision: as in `upsert`.
  /// - Throws: ``LedgerError`` with code `noSuchTask`; else as `upsert`.
  public func evict(_ id: TaskID, expecting revision: UInt64? = nil) throws {
    try transaction { try $0.evict(id, expecting: revision) }
  }

  /// Appends changes together: all are there after a crash, or none.
  ///
  /// ```swift
  /// try ledger.transaction(author: "importer", message: "from CSV") { transaction in
  ///   for row in rows { try transaction.upsert(row) }
  /// }
  /// ```
  /// - Parameters:
  ///   - author: who makes the changes; the ledger's author when left out.
  ///   - message: why, in the author's words.
  ///   - body: makes the changes. While it runs, other writers wait and readers do not. When it throws, nothing is changed. Inside it,
  ///     read by the transaction: the ledger shows only what was committed. A change by the ledger itself is refused there.
  /// - Returns: what `body` returned, once the changes are durable.
  /// - Throws: what `body` throws; else as `upsert`.
  @discardableResult
  public func transaction<R>(
    author: String? = nil, message: String? = nil, _ body: (Transaction) throws -> R
  ) throws -> R {
    let author = try author.map(Self.checkAuthor) ?? self.author
    return try appendGroup { group in
      try group.transaction(author: author, message: message, body)
    }
  }

  /// Appends several transactions that share one sync.
  ///
  /// - Parameter isBulk: whether so many are to come that their frames are not worth compressing before they are sealed.
  package func appendGroup<R>(
    isBulk: Bool = false, _ body: (TransactionGroup) throws -> R
  ) throws -> R {
    let (needsLock, epoch) = try gate.enter()
    let queued: WriteGate.Queued?
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
      if let queued { try gate.waitUntilDone(queued, append: append) }
    } catch {
      leave(seals: false)
      throw error
    }
    leave()
    return result
  }

  /// The session, on top of everything that was appended or is queued. Runs with the turn.
  private func readySession(needsLock: Bool, epoch: Int) throws(LedgerError) -> WriteSession {
    if needsLock { try takeLock(epoch: epoch) }
    guard let session = gate.session else {
      preconditionFailure("the folder lock is held by no session")
    }
    // Nothing is queued since the append failed that began the epoch.
    if session.epoch != epoch { session.startOver(epoch: epoch) }
    session.forgetPublished()
    return session
  }

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
  private func append(_ group: [WriteGate.Queued]) throws(LedgerError) {
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
      if writer.failure == nil, writer.isRotationDue || wishes.rotates {
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

  private func sealSoon() {
    // Too far behind, the writers wait: frozen segments are held in memory.
    background.wait { [self] in
      shared.withLock { $0.view.frameSegments.count > Self.frozenSegmentsMax }
    }
    guard configuration.sealsInBackground, background.start({ [weak self] in self?.seal() }) else {
      return seal()
    }
  }

  /// As many segments can wait to be sealed.
  private static let frozenSegmentsMax = 3

  private func note(_ notice: String) {
    shared.withLock { $0.notices.append(notice) }
  }

  /// A writer that seals for itself merges no more events: nobody waits for seconds after a small change.
  private static let foregroundMergeEventsMax: UInt64 = 1 << 16
  /// Nor does it make a snapshot of a longer log.
  private static let foregroundSnapshotEventsMax: UInt64 = 1 << 18

  /// Seals frozen segments, and tidies up, but for what a bulk load leaves for its end. A failure costs nothing but space: what was there
  /// stays, and the next writer tries again.
  func seal() {
    do throws(LedgerError) {
      _ = try sealer().sealAll()
    } catch {
      return note("a segment is not sealed yet: \(error.message)")
    }
    noteSealed()
    guard configuration.tidiesWhileSealing else { return }
    tidyUp(
      mergeEventsMax: configuration.sealsInBackground ? .max : Self.foregroundMergeEventsMax,
      snapshotEventsMax: configuration.sealsInBackground ? .max : Self.foregroundSnapshotEventsMax)
  }

  func sealer() -> Sealer {
    Sealer(directory, options: configuration.storeOptions, pool: pool) { [self] in
      shared.withLock { $0.view.frameSegments }
    } afterEach: { [self] in
      noteSealed()
      guard !configuration.tidiesWhileSealing else { return }
      _ = snapshotting.start { [weak self] in
        self?.makeSnapshotIfDue(eventsMax: .max, whileLoading: true)
      }
    }
  }

  /// Merges small segments where there are many, removes files that are no longer needed, and makes a snapshot when one is due.
  private func tidyUp(mergeEventsMax: UInt64, snapshotEventsMax: UInt64) {
    do throws(LedgerError) {
      _ = try compactor().mergeTiers(eventsMax: mergeEventsMax)
      _ = try currentView()
      try sealer().removeUnneededFiles()
    } catch {
      return note("small segments are not merged yet: \(error.message)")
    }
    makeSnapshotIfDue(eventsMax: snapshotEventsMax)
  }

  /// Does what a bulk load has left for its end. Large segments stay for a compaction: who has waited for the load need not wait
  /// for that.
  package func tidyUpAfterLoad() {
    finishBackgroundWork()
    tidyUp(mergeEventsMax: Self.foregroundMergeEventsMax, snapshotEventsMax: .max)
  }

  /// Reads what was sealed, so that its frames need not stay in memory and writers that wait for that go on.
  func noteSealed() {
    // Who reads next reads it again and reports what is wrong.
    _ = try? currentView()
    background.signal()
  }

  /// Has segments sealed that were closed while others were not to seal.
  func sealIfDue() {
    if shared.withLock({ $0.view.frameSegments.count > 1 }) { sealSoon() }
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
  /// - Throws: as ``durableView()``.
  func closeSegment() throws(LedgerError) {
    shared.withLock { $0.closingFailure = nil }
    try withTurn(rotates: true) {}
  }

  /// Makes sure that the active segment could be closed when that was asked for last: for who needs it to be.
  func checkClosed() throws(LedgerError) {
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

  /// Closes and seals the active segment, however little it holds, and removes files that are no longer needed.
  ///
  /// - Throws: `LedgerError` with code `busy` or `io` when the ledger cannot be written; what was acknowledged is there.
  package func sealNow() throws {
    try closeSegment()
    background.wait()
    seal()
  }
}
