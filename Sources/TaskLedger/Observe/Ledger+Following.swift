import LedgerCore
import LedgerFormat
import LedgerStorage

/// How what is committed reaches those who follow.
extension Ledger {
  /// Looks for what other processes appended, and tells those who follow.
  ///
  /// - Returns: the name of the active segment's file.
  func lookForNews() throws(LedgerError) -> String {
    let seen = shared.withLock { ($0.generation, $0.told) }
    let view = try patientView()
    try catchUpFeed()
    let isNew = shared.withLock { shared in
      defer { shared.told = max(shared.told, view.lastSequence) }
      return shared.generation != seen.0 || view.lastSequence > seen.1
    }
    if isNew { observers.raise() }
    return LedgerNames.inSegments(view.active.entry.file)
  }

  /// The committed log; where others change the ledger faster than it is read, it is read again.
  private func patientView() throws(LedgerError) -> LogView {
    while true {
      do throws(LedgerError) {
        return try currentView()
      } catch {
        guard error.code == .busy else { throw error }
        sleep(milliseconds: 1)
      }
    }
  }

  /// Says something once.
  func noteOnce(_ notice: String) {
    shared.withLock { shared in
      guard shared.notedOnce.insert(ByteText(notice)).inserted else { return }
      shared.notices.append(notice)
    }
  }

  /// Begins to collect what commits touch, for one more who keeps a list.
  func beginFeed() {
    shared.withLock { shared in
      shared.feedUsers += 1
      if shared.feed == nil { shared.feed = CommitFeed(at: shared.view.lastSequence) }
    }
  }

  /// Ends it for one.
  func endFeed() {
    shared.withLock { shared in
      shared.feedUsers -= 1
      if shared.feedUsers == 0 { shared.feed = nil }
    }
  }

  /// Fills what is missing of the tasks that were touched: those of other processes, and of commits that were under way when
  /// nobody collected them.
  func catchUpFeed() throws(LedgerError) {
    guard let known = feedPosition() else { return }
    let view = try currentView()
    guard known.through < view.lastSequence else { return }
    let items = try touchedTasks(after: known.through, in: view)
    shared.withLock { shared in
      // Somebody else may have filled it meanwhile.
      guard shared.generation == known.generation, shared.feed?.through == known.through else {
        return
      }
      if let items {
        shared.feed?.append(items, before: known.through, through: view.lastSequence)
      } else {
        shared.feed?.restart(at: view.lastSequence)
      }
    }
  }

  private func feedPosition() -> (through: UInt64, generation: Int)? {
    shared.withLock { shared in shared.feed.map { ($0.through, shared.generation) } }
  }

  /// With more events to catch up with, all tasks are folded anew.
  private static let feedEventsMax: UInt64 = 512

  /// The tasks that events touched, as they are in a view; nil when there are so many that all tasks are better read anew.
  private func touchedTasks(
    after sequence: UInt64, in view: LogView
  ) throws(LedgerError) -> [CommitFeed.Item]? {
    guard view.lastSequence - sequence <= Self.feedEventsMax,
      sequence >= view.horizon?.sequence ?? 0
    else { return nil }
    var tasks: Set<TaskID> = []
    var reader = EventReader(after: sequence)
    while let event = try reader.next(in: view) { tasks.insert(event.task) }
    var items: [CommitFeed.Item] = []
    for task in tasks { items.append((task, try view.state(of: task).item(task))) }
    return items
  }

  /// What to do to a list that is at an event of a generation.
  enum FeedNews {
    /// Set these tasks; then it is at `through`.
    case items([CommitFeed.Item], through: UInt64)
    /// Read all tasks anew.
    case restart
  }

  func feedNews(after sequence: UInt64, of generation: Int) -> FeedNews {
    shared.withLock { shared in
      guard shared.generation == generation, let feed = shared.feed,
        let items = feed.items(after: sequence)
      else { return .restart }
      return .items(items, through: max(sequence, feed.through))
    }
  }
}
