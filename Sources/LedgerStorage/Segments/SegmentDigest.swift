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

extension FrameSegment {
  /// The log digest after its last event, and its newest stamp.
  func digest(_ pool: ZstdPool, path: String) throws(LedgerError) -> SegmentDigest {
    var digest = SegmentDigest(before: header.logDigestBefore)
    try forEachFrame(pool, path: path) { digest.append($0) }
    return digest
  }

  /// The log digest after its last event.
  ///
  /// - Parameter note: called with the log digest after each event.
  func logDigest(
    _ pool: ZstdPool, path: String, note: (LogDigest) -> Void = { _ in }
  ) throws(LedgerError) -> LogDigest {
    var digest = header.logDigestBefore
    var scratch: [UInt8] = []
    try forEachFrame(pool, path: path) { events in
      for event in events {
        digest.append(event, scratch: &scratch)
        note(digest)
      }
    }
    return digest
  }
}
