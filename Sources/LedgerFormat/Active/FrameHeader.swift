import LedgerCore

/// The header of a frame: one transaction in an active segment.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 4 | magic 0x54 0x4c 0x46 0x31, "TLF1" |
/// | 4 | 4 | length of the payload as stored |
/// | 8 | 8 | the random id of the segment |
/// | 16 | 8 | sequence number of its first event |
/// | 24 | 4 | number of its events |
/// | 28 | 4 | length of the payload when decompressed |
/// | 32 | 8 | seed: the checksum of the frame before it, or the log digest before the segment |
/// | 40 | 8 | the position up to which the file was known durable when this was written |
/// | 48 | 8 | the length of the file that was known durable then |
/// | 56 | 8 | the newest time of any event in the ledger, this frame included |
/// | 64 | 8 | this replica's count of events, this frame included |
/// | 72 | 4 | flags: 1 = compressed, 2 = the newest stamp is another replica's |
/// | 76 | 4 | check of the bytes before it: the first half of their checksum |
/// | 80 | 8 | checksum of the bytes before it and of the payload as stored |
///
/// The payload follows, then zeros up to a multiple of eight.
package struct FrameHeader: Hashable, Sendable {
  package static let byteCount = 88
  package static let checksumOffset = 80
  package static let magic: UInt32 = 0x3146_4c54
  /// A payload cannot be longer, before compression or after. A transaction is 64 MiB of JSON at most, of which a double
  /// takes up to nine bytes for four; and each of its 2^20 events has up to 312 bytes that JSON does not count, most of
  /// them its task's id.
  package static let payloadBytesMax: UInt32 = 512 << 20

  /// The durable position of the first frames in a segment that a manifest step had named when they were written: nothing but the
  /// header is known to be durable yet. Those that are written before the step name where the header ends.
  package static let namedSegmentPosition: UInt64 = 0

  package static let compressedFlag: UInt32 = 1
  package static let newestIsForeignFlag: UInt32 = 2

  package var payloadLength: UInt32
  package var segment: UInt64
  package var firstSequence: UInt64
  package var eventCount: UInt32
  package var rawLength: UInt32
  package var seed: UInt64
  package var durablePosition: UInt64
  package var durableLength: UInt64
  package var newestTime: LedgerTime
  package var ownCount: UInt64
  package var flags: UInt32
  package var checksum: UInt64

  package var isCompressed: Bool { flags & Self.compressedFlag != 0 }
  package var newestIsForeign: Bool { flags & Self.newestIsForeignFlag != 0 }

  /// The sequence number of its last event.
  package var lastSequence: UInt64 { firstSequence + UInt64(eventCount) - 1 }

  /// The bytes it takes in the file, padding included.
  package var byteCount: Int { Self.paddedLength(payload: Int(payloadLength)) }

  package static func paddedLength(payload: Int) -> Int { (byteCount + payload + 7) & ~7 }

  /// The frame's bytes; fills in length, check and checksum.
  package static func encode(_ header: FrameHeader, payload: [UInt8]) -> (
    bytes: [UInt8], header: FrameHeader
  ) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(paddedLength(payload: payload.count))
    let header = append(header, payload: payload, to: &bytes)
    return (bytes, header)
  }

  /// Appends the frame's bytes; fills in length, check and checksum.
  package static func append(
    _ header: FrameHeader, payload: [UInt8], to bytes: inout [UInt8]
  ) -> FrameHeader {
    var header = header
    header.payloadLength = UInt32(payload.count)
    withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 8) { head in
      header.write(to: head)
      let check = Digest(of: UnsafeRawBufferPointer(rebasing: head[..<76])).checksum
      head.store(UInt32(truncatingIfNeeded: check), at: 76)
      var hash = SHA256Stream()
      hash.update(UnsafeRawBufferPointer(rebasing: head[..<checksumOffset]))
      hash.update(payload)
      header.checksum = hash.finish().checksum
      head.store(header.checksum, at: checksumOffset)
      bytes.append(contentsOf: head)
    }
    bytes.append(contentsOf: payload)
    for _ in byteCount + payload.count..<header.byteCount { bytes.append(0) }
    return header
  }

  /// Writes the fields before the check.
  private func write(to head: UnsafeMutableRawBufferPointer) {
    head.store(Self.magic, at: 0)
    head.store(payloadLength, at: 4)
    head.store(segment, at: 8)
    head.store(firstSequence, at: 16)
    head.store(eventCount, at: 24)
    head.store(rawLength, at: 28)
    head.store(seed, at: 32)
    head.store(durablePosition, at: 40)
    head.store(durableLength, at: 48)
    head.store(UInt64(bitPattern: newestTime.milliseconds), at: 56)
    head.store(ownCount, at: 64)
    head.store(flags, at: 72)
  }

  static func frameChecksum(_ head: ArraySlice<UInt8>, _ payload: ArraySlice<UInt8>) -> UInt64 {
    var hash = SHA256Stream()
    head.withUnsafeBytes { hash.update($0) }
    payload.withUnsafeBytes { hash.update($0) }
    return hash.finish().checksum
  }

  package init(
    segment: UInt64, firstSequence: UInt64, eventCount: UInt32, rawLength: UInt32, seed: UInt64,
    durablePosition: UInt64, durableLength: UInt64, newestTime: LedgerTime, ownCount: UInt64,
    flags: UInt32
  ) {
    payloadLength = 0
    self.segment = segment
    self.firstSequence = firstSequence
    self.eventCount = eventCount
    self.rawLength = rawLength
    self.seed = seed
    self.durablePosition = durablePosition
    self.durableLength = durableLength
    self.newestTime = newestTime
    self.ownCount = ownCount
    self.flags = flags
    checksum = 0
  }

  /// Reads the frame at `position` if header, payload and padding are whole and fit their checksums; nil otherwise. Whether it
  /// belongs at this place is the caller's to check.
  ///
  /// - Throws: `damaged` or `unsupported` for a frame that is whole and says what no frame can say: it was not torn by
  ///   a crash.
  package init?(
    in bytes: [UInt8], at position: Int, segment: UInt64
  ) throws(LedgerError) {
    guard let header = Self.claim(in: bytes, at: position, segment: segment) else { return nil }
    let head = bytes[position..<position + 80]
    guard bytes.count - position >= header.byteCount else { return nil }
    let start = position + Self.byteCount
    let end = start + Int(header.payloadLength)
    guard Self.frameChecksum(head, bytes[start..<end]) == header.checksum,
      bytes[end..<position + header.byteCount].allSatisfy({ $0 == 0 })
    else { return nil }
    if let problem = header.problem { throw problem }
    self = header
  }

  /// What the header at `position` says when its own check fits, whether or not its payload is whole: what it names as durable
  /// was so before it was written.
  package static func claim(
    in bytes: [UInt8], at position: Int, segment: UInt64
  ) -> FrameHeader? {
    guard position >= 0, bytes.count - position >= byteCount else { return nil }
    var reader = ByteReader(bytes, position..<position + byteCount)
    return try? read(&reader, segment: segment)
  }

  private static func read(
    _ reader: inout ByteReader, segment: UInt64
  ) throws(LedgerError) -> FrameHeader? {
    let start = reader.position
    guard try reader.u32() == magic else { return nil }
    let payloadLength = try reader.u32()
    guard try reader.u64() == segment else { return nil }
    var header = FrameHeader(
      segment: segment, firstSequence: try reader.u64(), eventCount: try reader.u32(),
      rawLength: try reader.u32(), seed: try reader.u64(), durablePosition: try reader.u64(),
      durableLength: try reader.u64(), newestTime: LedgerTime(unchecked: try reader.i64()),
      ownCount: try reader.u64(), flags: try reader.u32())
    header.payloadLength = payloadLength
    let check = LedgerFormat.checksum(of: reader.bytes, in: start..<start + 76)
    guard try reader.u32() == UInt32(truncatingIfNeeded: check) else { return nil }
    header.checksum = try reader.u64()
    return header
  }

  /// What is impossible about it; nil when nothing is. Numbers that pass can be added to without overflow.
  private var problem: LedgerError? {
    guard flags <= Self.compressedFlag | Self.newestIsForeignFlag else {
      return LedgerError(
        .unsupported, "a frame has the flags \(flags), which this version does not know",
        hint: "install a newer `ledger`")
    }
    let most = UInt64(Int64.max)
    let (last, overflow) = firstSequence.addingReportingOverflow(UInt64(eventCount))
    guard eventCount >= 1, eventCount <= Limits.transactionEventsMax, firstSequence >= 1, !overflow,
      last < most, ownCount < most, durablePosition < most, durableLength < most
    else { return LedgerError(.damaged, "a frame counts what is impossible") }
    guard payloadLength <= Self.payloadBytesMax, rawLength <= Self.payloadBytesMax,
      isCompressed
        ? Zstd.canExpand(Int(payloadLength), to: Int(rawLength)) : rawLength == payloadLength
    else { return LedgerError(.damaged, "a frame has impossible lengths") }
    guard newestTime >= .earliest, newestTime <= .latest else {
      return LedgerError(.damaged, "a time lies outside the years 0000 to 9999")
    }
    return nil
  }
}
