import LedgerCore
import LedgerFormat

/// Where the history of a ledger begins that was folded: of the events up to it only what still counts is there.
///
/// Every event after it is stamped later than every event before it.
package struct Horizon: Hashable, Sendable {
  /// The last event that was folded.
  package var sequence: UInt64
  /// The newest stamp of those that were.
  package var newest: Stamp

  /// The horizon of a ledger; nil when nothing was folded.
  package init?(_ manifest: Manifest) {
    guard let first = manifest.segments.first, first.kind == .baseline, let newest = first.newest
    else { return nil }
    sequence = first.lastSequence
    self.newest = newest
  }
}
