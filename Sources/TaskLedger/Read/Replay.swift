import LedgerFormat
import LedgerStorage

/// The state of a ledger, rebuilt from its events alone.
public struct Replay: Sendable {
  /// How many events were folded.
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
  private let state: FoldedState

  init(
    _ state: FoldedState, seconds: Double, digest: Digest, digestSeconds: Double
  ) {
    self.state = state
    events = state.eventCount
    self.seconds = seconds
    self.digest = digest.hex
    self.digestSeconds = digestSeconds
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
  /// Rebuilds the state from the events.
  ///
  /// - Parameters:
  ///   - moment: up to where; nil for the present.
  ///   - progress: called now and then with the number of events read so far.
  /// - Throws: ``LedgerError`` with code `beyondEnd` for a sequence number that no event has yet, `damaged` where the bytes of the
  ///   ledger are not what was written.
  public func replay(
    at moment: Moment? = nil, progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> Replay {
    let view = try currentView()
    if let moment { try Self.check(moment, view) }
    let start = monotonicSeconds()
    let state = try view.fold(moment?.cut ?? .present, progress: progress)
    let folded = monotonicSeconds()
    let digest = state.digest()
    return Replay(
      state, seconds: folded - start, digest: digest, digestSeconds: monotonicSeconds() - folded)
  }
}
