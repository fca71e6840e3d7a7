import LedgerCore
import LedgerFormat

/// One transaction of an active or frozen segment, decoded when it is first asked for its events.
package final class FrameRecord: Sendable {
  package let header: FrameHeader
  package let position: UInt64
  private let replica: ReplicaID
  /// The replica's count before the first event.
  private let ownBefore: UInt64
  private let content: Content

  private enum Content: Sendable {
    /// Made by this process.
    case known([Event])
    case read(Guarded<Payload>)
  }

  private enum Payload {
    case stored([UInt8])
    case decoded([Event])
  }

  package init(
    _ header: FrameHeader, at position: UInt64, replica: ReplicaID, ownBefore: UInt64,
    payload: [UInt8]
  ) {
    self.header = header
    self.position = position
    self.replica = replica
    self.ownBefore = ownBefore
    content = .read(Guarded(.stored(payload)))
  }

  package init(
    _ header: FrameHeader, at position: UInt64, replica: ReplicaID, ownBefore: UInt64,
    events: [Event]
  ) {
    self.header = header
    self.position = position
    self.replica = replica
    self.ownBefore = ownBefore
    content = .known(events)
  }

  /// Whether its bytes are where they were: their checksum is.
  func isStill(in file: any LedgerFile) throws(LedgerError) -> Bool {
    let place = position + UInt64(FrameHeader.checksumOffset)
    let bytes = try LedgerError.typing { try file.read(at: place, count: 8) }
    guard bytes.count == 8 else { return false }
    var reader = ByteReader(bytes)
    return try reader.u64() == header.checksum
  }

  /// The events in order; errors carry the place inside the frame only.
  package func events(_ pool: ZstdPool) throws(LedgerError) -> [Event] {
    switch content {
    case .known(let events): return events
    case .read(let payload): return try events(pool, payload)
    }
  }

  private func events(
    _ pool: ZstdPool, _ content: Guarded<Payload>
  ) throws(LedgerError) -> [Event] {
    let stored: [UInt8]
    switch content.withLock({ $0 }) {
    case .decoded(let events): return events
    case .stored(let bytes): stored = bytes
    }
    var payload = stored
    if header.isCompressed {
      payload = try pool.with { (zstd) throws(LedgerError) in
        try zstd.decompressFrame(stored, count: Int(header.rawLength))
      }
    }
    let events = try TransactionCoding.decode(
      payload, firstSequence: header.firstSequence, eventCount: Int(header.eventCount),
      replica: replica, ownCount: ownBefore)
    content.withLock { $0 = .decoded(events) }
    return events
  }
}

/// The frames of an active or frozen segment.
package struct FrameSegment: Sendable {
  package var entry: SegmentEntry
  package var header: ActiveHeader
  package var frames: FrameList

  package var lastSequence: UInt64 {
    frames.last?.header.lastSequence ?? header.firstSequence - 1
  }

  package var eventCount: UInt64 { lastSequence - (header.firstSequence - 1) }

  /// Where the last frame ends.
  package var end: UInt64 {
    frames.last.map { $0.position + UInt64($0.header.byteCount) } ?? UInt64(ActiveHeader.byteCount)
  }

  /// The checksum that the next frame carries as its seed.
  package var seed: UInt64 { frames.last?.header.checksum ?? header.firstSeed }

  /// The replica's count after the last frame.
  package var ownCount: UInt64 { frames.last?.header.ownCount ?? header.countBefore }

  /// Calls `body` with the events of each frame, in order.
  package func forEachFrame(
    _ pool: ZstdPool, path: String, _ body: ([Event]) throws(LedgerError) -> Void
  ) throws(LedgerError) {
    for frame in frames {
      do throws(LedgerError) {
        try body(try frame.events(pool))
      } catch {
        throw error.located(in: path, offset: frame.position)
      }
    }
  }

  /// All events in order.
  package func events(_ pool: ZstdPool, path: String) throws(LedgerError) -> [Event] {
    var events: [Event] = []
    events.reserveCapacity(Int(clamping: eventCount))
    try forEachFrame(pool, path: path) { events.append(contentsOf: $0) }
    return events
  }

  /// What a manifest says of it when its last frame is the last for good.
  ///
  /// - Parameter end: the log digest after its last event, and its newest stamp.
  func closed(_ end: SegmentDigest) -> SegmentEntry {
    var closed = entry
    closed.kind = .frozen
    closed.eventCount = eventCount
    closed.end = self.end
    closed.checksum = seed
    closed.digestAfter = end.digest.value
    closed.ownCount = ownCount
    closed.newest = end.newest
    return closed
  }
}
