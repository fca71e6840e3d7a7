import LedgerCore
import LedgerFormat

/// What the end of a segment is known by: the log digest after its last event, and its newest stamp.
package struct SegmentDigest {
  private(set) var digest: LogDigest
  /// Nil when the segment holds no event.
  private(set) var newest: Stamp?
  private var scratch: [UInt8] = []

  /// Before the first event of a segment.
  init(before digest: LogDigest) { self.digest = digest }

  /// Adds the next events, in order.
  mutating func append(_ events: [Event]) {
    for event in events {
      digest.append(event, scratch: &scratch)
      newest = max(newest ?? event.stamp, event.stamp)
    }
  }
}
