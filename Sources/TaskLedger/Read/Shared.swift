import LedgerStorage

extension Ledger {
  /// What the threads of a process share.
  ///
  /// Invariants:
  /// - `live` is the fold of `view` up to some sequence number;
  /// - `feed` is there exactly while somebody keeps a list of tasks, and leads to the end of `view`, or to where a gap begins;
  /// - while `generation` stays the same, each view holds all that the one before it held.
  struct Shared: Sendable {
    /// The committed log.
    private(set) var view: LogView
    /// The tasks as of some sequence number, once they were asked for.
    var live: LiveTasks?
    private var hasListed = false
    /// How many threads make a snapshot that was asked for: none is made by itself meanwhile.
    var snapshotsAskedFor = 0
    /// It grows when events that were seen are gone: those of a write that failed.
    private(set) var generation = 0
    /// Why the active segment could not be closed when that was asked for last.
    var closingFailure: LedgerError?
    /// Whether this handle leaves a full segment open for now, since it fills them quickly.
    var isClosingPutOff = false
    /// What recovery did or found, in words, since it was asked last.
    var notices: [String] = []
    /// What was said once and is not said again.
    var notedOnce: Set<ByteText> = []
    /// The tasks that commits touched, for those who keep lists of them.
    var feed: CommitFeed?
    /// How many keep lists.
    var feedUsers = 0
    /// The last event that those who follow were told of.
    var told: UInt64 = 0
    /// The last event that this process made durable, or found durable when it took the folder lock.
    var durableThrough: UInt64 = 0
    /// The torn tail that was told of last.
    var notedTail: NotedTail?
    /// The notice of it, which is out of date once it is moved aside.
    private var tailNotice: String?

    init(_ view: LogView) { self.view = view }

    /// Whether somebody wants to know which tasks a commit touched.
    var collectsTouched: Bool { live != nil || feed != nil }

    /// Whether a list is the first one that is asked for.
    mutating func takeFirstList() -> Bool {
      defer { hasListed = true }
      return !hasListed
    }

    /// Tells of a torn tail once.
    mutating func note(_ tail: NotedTail, _ notice: String) {
      guard notedTail != tail else { return }
      notedTail = tail
      tailNotice = notice
      notices.append(notice)
    }

    /// Takes what a writer has to tell. Where it moved a tail aside, nobody needs to hear any more that it was there.
    mutating func take(noticesOfWriter found: [String]) {
      guard !found.isEmpty else { return }
      if let tailNotice { notices.removeAll { $0.hasSameBytes(as: tailNotice) } }
      tailNotice = nil
      notices.append(contentsOf: found)
    }

    /// Takes a view that is known to be the newest.
    mutating func replace(by newest: LogView) {
      if !view.isContinued(by: newest) {
        generation += 1
        live = nil
        feed?.restart(at: newest.lastSequence)
        told = min(told, newest.lastSequence)
        durableThrough = min(durableThrough, newest.lastSequence)
      }
      view = newest
    }

    /// Takes what the events after a sequence number touched, up to the end of the view.
    mutating func take(_ items: [CommitFeed.Item], after before: UInt64) {
      feed?.append(items, before: before, through: view.lastSequence)
      guard live?.through == before else { return }
      // In place: a copy for each commit would cost as much as all that changed since the fold.
      live?.apply(items, through: view.lastSequence)
      if live?.isWorn == true { live = nil }
    }

    /// Takes what a reader found when it read on from a view, unless that is out of date by now.
    mutating func adopt(_ found: LogView, after known: LogView) {
      let isUnchanged =
        view.manifest.number == known.manifest.number && view.lastSequence == known.lastSequence
        && view.isContinued(by: known)
      let isNewer =
        found.manifest.number > view.manifest.number
        || (found.manifest.number == view.manifest.number && found.lastSequence > view.lastSequence)
      if isUnchanged || isNewer { replace(by: found) }
    }
  }

  /// A torn tail, by its place.
  struct NotedTail: Equatable {
    var segment: UInt64
    var start: UInt64
  }

  /// Says that there is an incomplete tail, once, unless it is an append that is under way.
  func noteTail(of view: LogView) throws(LedgerError) {
    let tail = NotedTail(segment: view.active.header.segment, start: view.active.end)
    guard shared.withLock({ $0.notedTail }) != tail else { return }
    guard case .torn(let start, let end) = try LogOpening.tailAtRest(view) else { return }
    let notice =
      "a torn tail of \(end - start) bytes at byte \(start) of \(view.path(of: view.active)) is left out; the next write moves it aside"
    shared.withLock { $0.note(tail, notice) }
  }
}
