import LedgerStorage

extension Ledger {
  /// What the threads of a process share.
  ///
  /// Invariants:
  /// - `live` is the fold of `view` up to some sequence number;
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
    /// What recovery did or found, in words, since it was asked last.
    var notices: [String] = []
    /// The torn tail that was told of last.
    var notedTail: NotedTail?

    init(_ view: LogView) { self.view = view }

    /// Whether a list is the first one that is asked for.
    mutating func takeFirstList() -> Bool {
      defer { hasListed = true }
      return !hasListed
    }

    /// Takes a view that is known to be the newest.
    mutating func replace(by newest: LogView) {
      if !view.isContinued(by: newest) {
        generation += 1
        live = nil
      }
      view = newest
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
    shared.withLock { shared in
      if shared.notedTail != tail { shared.notices.append(notice) }
      shared.notedTail = tail
    }
  }
}
