import LedgerFormat
import LedgerStorage

/// The state of a ledger, rebuilt from its events alone.
public struct Replay: Sendable {
  /// How many events were folded; where the state was read from a snapshot, those behind it alone.
  ///
  /// Folded from the events alone they are all that the ledger has up to the moment: those that were lost are not among them, and of
  /// those that a compaction folded only what still counts is.
  public let events: UInt64
  /// How many tasks exist.
  public var tasks: Int { state.count }
  /// How long reading and folding took, in seconds.
  public let seconds: Double
  /// How long the digest took, in seconds.
  public let digestSeconds: Double
  /// The state digest: SHA-256 over the canonical JSON of every existing task, a line each, sorted by id; 64
  /// hexadecimal digits.
  public let digest: String
  /// What reading the same state on the other road gave; nil where that was not asked for, or no snapshot fits.
  public let comparison: SnapshotComparison?
  /// The last event of the snapshot from which the state was read; nil when it was folded from the events alone.
  public let snapshot: UInt64?
  private let state: FoldedState

  init(
    _ state: TimedState, snapshot: UInt64? = nil, comparison: SnapshotComparison? = nil
  ) {
    self.snapshot = snapshot
    self.comparison = comparison
    self.state = state.state
    events = state.events(behind: snapshot)
    seconds = state.seconds
    digest = state.digest.hex
    digestSeconds = state.digestSeconds
  }

  /// The task at a place in the order of ids.
  ///
  /// - Precondition: the index is less than ``tasks``.
  public func task(at index: Int) -> TaskItem { state.item(at: index) }

  /// Calls `body` with the digested bytes, in pieces of whole lines.
  package func forEachLines<Failure: Error>(
    _ body: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try state.forEachLines(body)
  }
}

extension Ledger {
  /// Rebuilds the state from the events alone, or reads it from a snapshot and the events after it.
  ///
  /// ```swift
  /// let replay = try ledger.replay(comparesSnapshot: true)
  /// print(replay.digest, replay.comparison?.agrees ?? true)
  /// ```
  /// - Parameters:
  ///   - moment: up to where; nil for the present.
  ///   - fromSnapshot: whether to start from the newest snapshot that fits; where none does, the events alone are folded.
  ///   - comparesSnapshot: whether to go the other road, too, and compare: from the snapshot, or from the events alone.
  ///   - progress: called now and then with the number of events read so far.
  /// - Throws: ``LedgerError`` with code `beyondEnd` for a sequence number that no event has yet, `damaged` where the bytes of the
  ///   ledger are not what was written.
  public func replay(
    at moment: Moment? = nil, fromSnapshot: Bool = false, comparesSnapshot: Bool = false,
    progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> Replay {
    let view = try currentView()
    if let moment { try Self.check(moment, view) }
    let cut = moment?.cut ?? .present
    let known: TimedState.OnSnapshot? =
      fromSnapshot || comparesSnapshot ? try TimedState.onSnapshot(view, cut, progress) : nil
    guard let known else { return Replay(try TimedState.ofEvents(view, cut, progress)) }
    guard comparesSnapshot else { return Replay(known.state, snapshot: known.sequence) }
    let events = try TimedState.ofEvents(view, cut, progress)
    let (shown, other) = fromSnapshot ? (known.state, events) : (events, known.state)
    return Replay(
      shown, snapshot: fromSnapshot ? known.sequence : nil,
      comparison: SnapshotComparison(
        sequence: known.sequence, agrees: known.state.digest == events.digest,
        digest: other.digest.hex, seconds: other.seconds,
        events: other.events(behind: fromSnapshot ? nil : known.sequence)))
  }
}

/// A state read on both roads: from a snapshot and the events after it, and from the events alone.
public struct SnapshotComparison: Sendable {
  /// The last event of the snapshot.
  public let sequence: UInt64
  /// Whether both have the same digest.
  public let agrees: Bool
  /// The digest that the road has which ``Replay`` did not go.
  public let digest: String
  /// How long reading and folding took on that road, in seconds.
  public let seconds: Double
  /// How many events were folded on that road, counted as ``Replay/events``.
  public let events: UInt64
}

/// A folded state, and how long it took.
struct TimedState {
  typealias OnSnapshot = (state: TimedState, sequence: UInt64)

  let state: FoldedState
  let seconds: Double
  let digest: Digest
  let digestSeconds: Double

  init(_ state: FoldedState, since start: Double) {
    let folded = monotonicSeconds()
    self.state = state
    seconds = folded - start
    digest = state.digest()
    digestSeconds = monotonicSeconds() - folded
  }

  /// How many events were folded, but for those that a snapshot stands for.
  func events(behind snapshot: UInt64?) -> UInt64 {
    state.eventCount - min(state.eventCount, snapshot ?? 0)
  }

  static func ofEvents(
    _ view: LogView, _ cut: FoldCut, _ progress: ((UInt64) -> Void)?
  ) throws(LedgerError) -> TimedState {
    let start = monotonicSeconds()
    return TimedState(try view.fold(cut, progress: progress), since: start)
  }

  /// Nil when no snapshot fits.
  static func onSnapshot(
    _ view: LogView, _ cut: FoldCut, _ progress: ((UInt64) -> Void)?
  ) throws(LedgerError) -> OnSnapshot? {
    let start = monotonicSeconds()
    guard let found = try view.stateFromSnapshot(cut, progress: progress) else { return nil }
    return (TimedState(found.state, since: start), found.sequence)
  }
}
