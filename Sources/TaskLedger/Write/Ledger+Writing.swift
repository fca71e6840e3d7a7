import LedgerFormat
import LedgerStorage

/// Changing tasks.
extension Ledger {
  /// Creates a task, or sets the given fields of one that is there and leaves its others alone.
  ///
  /// ```swift
  /// let milk = try ledger.upsert(TaskItem(body: "Get milk"))
  /// ```
  /// - Returns: the task's id.
  /// - Throws: ``LedgerError`` with code `invalid` for a field that the rules refuse, `busy` when another process holds the ledger for too
  ///   long, `io` when it cannot be written: nothing was changed, unless the message says that a sync failed.
  @discardableResult
  public func upsert(_ task: TaskItem) throws -> TaskID {
    try transaction { try $0.upsert(task) }
  }

  /// Changes a task that exists.
  ///
  /// ```swift
  /// try ledger.update(milk) { $0.body = "Get oat milk"; $0["priority"] = 2 }
  /// ```
  /// - Parameter change: changes the task as it stands; only the fields that then differ are recorded.
  /// - Returns: false when nothing differs, and then nothing is appended.
  /// - Throws: ``LedgerError`` with code `noSuchTask`, and then `change` is not called; else as `upsert`.
  @discardableResult
  public func update(_ id: TaskID, _ change: (inout TaskItem) throws -> Void) throws -> Bool {
    try transaction { try $0.update(id, change) }
  }

  /// Reverses `isCompleted`.
  ///
  /// - Throws: ``LedgerError`` with code `noSuchTask`; else as `upsert`.
  public func toggle(_ id: TaskID) throws { try transaction { try $0.toggle(id) } }

  /// Deletes a task softly: it stays a document with `isDeleted` set and can be restored.
  ///
  /// - Returns: false when it was deleted already.
  /// - Throws: ``LedgerError`` with code `noSuchTask`; else as `upsert`.
  @discardableResult
  public func delete(_ id: TaskID) throws -> Bool { try transaction { try $0.delete(id) } }

  /// Takes a soft deletion back.
  ///
  /// - Returns: false when the task was not deleted.
  /// - Throws: ``LedgerError`` with code `noSuchTask`; else as `upsert`.
  @discardableResult
  public func restore(_ id: TaskID) throws -> Bool { try transaction { try $0.restore(id) } }

  /// Removes a task from the live state of this ledger, for this ledger alone; its history stays.
  ///
  /// - Throws: ``LedgerError`` with code `noSuchTask`; else as `upsert`.
  public func evict(_ id: TaskID) throws { try transaction { try $0.evict(id) } }

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
  ///   - body: makes the changes. While it runs, other writers wait and readers do not. When it throws, nothing is changed.
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
  package func appendGroup<R>(_ body: (TransactionGroup) throws -> R) throws -> R {
    let (needsLock, epoch) = gate.enter()
    let queued: WriteGate.Queued?
    let result: R
    do {
      let session = try readySession(needsLock: needsLock, epoch: epoch)
      let group = TransactionGroup(session, configuration: configuration, pool: pool)
      do {
        result = try body(group)
      } catch {
        group.rollBack()
        throw error
      }
      queued = group.close()
    } catch {
      gate.passTurn(nil, madeIn: epoch)
      leave()
      throw error
    }
    gate.passTurn(queued, madeIn: epoch)
    defer { leave() }
    if let queued { try gate.waitUntilDone(queued, append: append) }
    return result
  }

  /// The session, on top of everything that was appended or is queued. Runs with the turn.
  private func readySession(needsLock: Bool, epoch: Int) throws(LedgerError) -> WriteSession {
    if needsLock {
      let writer = gate.writer ?? newWriter()
      gate.writer = writer
      try writer.begin()
      gate.lockTaken()
      publish(writer, touched: [])
      // Nothing is queued, and nobody leads.
      guard let session = gate.session else {
        let session = WriteSession(writer, epoch: epoch)
        gate.session = session
        return session
      }
      if session.isStale || session.epoch != epoch { session.startOver(epoch: epoch) }
      return session
    }
    guard let session = gate.session else {
      preconditionFailure("the folder lock is held by no session")
    }
    // Nothing is queued since the append failed that began the epoch.
    if session.epoch != epoch { session.startOver(epoch: epoch) }
    return session
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
      publish(writer, touched: [])
      throw error
    }
    publish(writer, touched: group.flatMap(\.touched))
  }

  /// Shows readers what was committed.
  private func publish(_ writer: LogWriter, touched: [(TaskID, TaskState)]) {
    let view = writer.view
    let notices = writer.notices
    writer.notices = []
    shared.withLock { shared in
      shared.notices.append(contentsOf: notices)
      let before = shared.view.lastSequence
      shared.replace(by: view)
      guard var live = shared.live, !touched.isEmpty, live.through == before else { return }
      live.apply(touched.map { ($0, $1.item($0)) }, through: view.lastSequence)
      shared.live = live
    }
  }

  /// The last writer out closes a full segment, gives the folder lock back, and seals.
  private func leave() {
    var sealIsDue = false
    gate.leave {
      guard let writer = gate.writer else { return }
      if writer.failure == nil, writer.isRotationDue {
        do throws(LedgerError) {
          try writer.rotate()
        } catch {
          note("the segment stays open: \(error.message)")
        }
        publish(writer, touched: [])
      }
      sealIsDue = writer.view.frameSegments.count > 1
      writer.end()
    }
    if sealIsDue { seal() }
  }

  private func note(_ notice: String) {
    shared.withLock { $0.notices.append(notice) }
  }

  /// Seals frozen segments. A failure costs nothing but space: the frozen segment stays, and the next writer tries again.
  private func seal() {
    let sealer = Sealer(directory, options: configuration.storeOptions, pool: pool)
    do throws(LedgerError) {
      guard try sealer.sealAll() > 0 else { return }
      _ = try currentView()
      try sealer.removeUnneededFiles()
    } catch {
      note("a segment is not sealed yet: \(error.message)")
    }
  }

  /// Closes and seals the active segment, however little it holds.
  package func sealNow() throws {
    let (needsLock, epoch) = gate.enter()
    do {
      let session = try readySession(needsLock: needsLock, epoch: epoch)
      try session.writer.rotate()
      publish(session.writer, touched: [])
    } catch {
      gate.passTurn(nil, madeIn: epoch)
      leave()
      throw error
    }
    gate.passTurn(nil, madeIn: epoch)
    leave()
  }
}
