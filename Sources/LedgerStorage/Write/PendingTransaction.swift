import LedgerCore
import LedgerFormat

/// A transaction that is ready to be written: its events, and the payload of its frame.
package final class PendingTransaction: Sendable {
  package let events: [Event]
  let payload: [UInt8]
  let rawLength: Int
  let isCompressed: Bool
  let newestTime: LedgerTime
  let newestIsForeign: Bool
  /// The replica's count before and after it.
  let ownBefore: UInt64
  let ownAfter: UInt64

  /// Payloads below this are not worth compressing.
  private static let compressedBytesMin = 64

  /// - Parameters:
  ///   - events: at least one, in order.
  ///   - newest: the newest time of the ledger and whether it is another replica's, these events included.
  ///   - compresses: whether to compress the payload where that helps; not worth it for frames that are soon sealed.
  package init(
    _ events: [Event], replica: ReplicaID, ownBefore: UInt64,
    newest: (time: LedgerTime, isForeign: Bool), compresses: Bool, zstd: Zstd
  ) throws(LedgerError) {
    let raw = TransactionCoding.encode(events, replica: replica, ownCount: ownBefore)
    guard raw.count <= Int(FrameHeader.payloadBytesMax), events.count <= RunWriter.eventCountMax
    else {
      throw LedgerError(
        .invalid, "the transaction has \(raw.count) bytes in \(events.count) events",
        hint: "split it into smaller ones")
    }
    var stored = raw
    if compresses, raw.count >= Self.compressedBytesMin {
      let compressed = try zstd.compressWithDictionary(raw, level: 1)
      if compressed.count < raw.count { stored = compressed }
    }
    self.events = events
    payload = stored
    rawLength = raw.count
    isCompressed = stored.count < raw.count
    newestTime = newest.time
    newestIsForeign = newest.isForeign
    self.ownBefore = ownBefore
    ownAfter = ownBefore + UInt64(events.count { $0.stamp.replica == replica })
  }

  /// The bytes that its frame takes in a file.
  var frameByteCount: Int { FrameHeader.paddedLength(payload: payload.count) }

  /// The header of its frame, up to what depends on the payload's bytes.
  func header(
    segment: UInt64, seed: UInt64, durablePosition: UInt64, durableLength: UInt64
  ) -> FrameHeader {
    var flags: UInt32 = 0
    if isCompressed { flags |= FrameHeader.compressedFlag }
    if newestIsForeign { flags |= FrameHeader.newestIsForeignFlag }
    return FrameHeader(
      segment: segment, firstSequence: events[0].sequence, eventCount: UInt32(events.count),
      rawLength: UInt32(rawLength), seed: seed, durablePosition: durablePosition,
      durableLength: durableLength, newestTime: newestTime, ownCount: ownAfter, flags: flags)
  }
}
