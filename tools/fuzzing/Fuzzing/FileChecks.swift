import LedgerCore
import LedgerFormat
import LedgerStorage

/// Files and frames that are read whole: what is accepted is written again as it was.
enum FileChecks {
  /// What a body gives; nil for an error that says that the bytes are damaged or of a newer version. Any other is a finding.
  static func reading<Result>(
    _ body: () throws(LedgerError) -> Result
  ) throws -> Result? {
    do throws(LedgerError) {
      return try body()
    } catch {
      guard error.code == .damaged || error.code == .unsupported else {
        throw FuzzFinding("bytes from a file give the error \(error)")
      }
      return nil
    }
  }

  static func withChecksum(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes.append(u64: checksum(of: bytes, in: 0..<bytes.count))
    return bytes
  }

  /// Versions differ between what wrote a file and what is needed to read it; all else must be the same.
  private static func expectSame(_ bytes: [UInt8], _ encoded: [UInt8], _ what: String) throws {
    func rest(_ bytes: [UInt8]) -> [UInt8] {
      Array(bytes.prefix(8) + bytes.dropFirst(12).dropLast(8))
    }
    guard rest(bytes) == rest(encoded) else {
      throw FuzzFinding("\(what) is written otherwise than it was read")
    }
  }

  static func manifest(_ body: [UInt8]) throws {
    let bytes = withChecksum(body)
    guard let read = try reading({ () throws(LedgerError) in try Manifest(bytes) }) else { return }
    try expectSame(bytes, read.encoded, "a manifest")
  }

  static func current(_ body: [UInt8]) throws {
    let bytes = withChecksum(body)
    guard let read = try reading({ () throws(LedgerError) in try CurrentFile(bytes) }) else {
      return
    }
    try expectSame(bytes, read.encoded, "CURRENT")
  }

  /// What consumers, verify and maintenance leave of how far they are.
  static func checkpoint(_ body: [UInt8]) throws {
    let bytes = withChecksum(body)
    if let read = try reading({ () throws(LedgerError) in try CheckpointFile(bytes) }) {
      try expectSame(bytes, read.encoded, "a checkpoint")
    }
    if let read = try reading({ () throws(LedgerError) in try CheckedSegments(bytes) }) {
      try expectSame(bytes, read.encoded, "the list of checked segments")
    }
    if let read = try reading({ () throws(LedgerError) in try VerifyPosition(bytes) }) {
      try expectSame(bytes, read.encoded, "a position of verify")
    }
  }

  /// What LOCK says of the end that is durable.
  static func lock(_ body: [UInt8]) throws {
    let start = Int(DurableEnd.offset)
    guard body.count >= start + 24 else { return }
    var reader = ByteReader(Array(body[start..<start + 24]))
    let end = DurableEnd(
      segment: try reader.u64(), position: try reader.u64(), sequence: try reader.u64())
    let ledger = ReplicaID(high: 1, low: 2)
    let word = end.encoded(for: ledger)
    let directory = MemoryDirectory()
    try directory.open(LedgerNames.lock, .create).close()
    try directory.setContents(LedgerNames.lock, body[..<start] + word + body[(start + 24)...])
    guard DurableEnd(of: ledger, in: directory) == end else {
      throw FuzzFinding("LOCK is read otherwise than it was written")
    }
  }

  /// The first byte says whether the payload is to be compressed here; then follow a header and a payload.
  static func frame(_ bytes: [UInt8]) throws {
    guard bytes.count > FrameHeader.byteCount, let first = bytes.first else { return }
    var head = ByteReader(bytes, 1..<bytes.count)
    _ = try head.u64()
    let segment = try head.u64()
    var header = FrameHeader(
      segment: segment, firstSequence: try head.u64(), eventCount: try head.u32(),
      rawLength: try head.u32(), seed: try head.u64(), durablePosition: try head.u64(),
      durableLength: try head.u64(), newestTime: LedgerTime(unchecked: try head.i64()),
      ownCount: try head.u64(), flags: try head.u32())
    var payload = Array(bytes[(1 + FrameHeader.byteCount)...])
    let zstd = try Zstd()
    if first & 1 == 1 {
      header.flags |= FrameHeader.compressedFlag
      header.rawLength = UInt32(payload.count)
      payload = try zstd.compressWithDictionary(payload, level: 1)
    } else if !header.isCompressed {
      header.rawLength = UInt32(payload.count)
    }
    let frame = FrameHeader.encode(header, payload: payload).bytes
    let read = try reading { () throws(LedgerError) in
      try FrameHeader(in: frame, at: 0, segment: segment)
    }
    guard let read, let read else { return }
    guard FrameHeader.encode(read, payload: payload).bytes == frame else {
      throw FuzzFinding("a frame is written otherwise than it was read")
    }
    try transaction(read, payload, zstd)
  }

  private static func transaction(
    _ header: FrameHeader, _ payload: [UInt8], _ zstd: Zstd
  ) throws {
    let replica = ReplicaID(high: 7, low: 9)
    func decode(_ raw: [UInt8]) throws(LedgerError) -> [Event] {
      try TransactionCoding.decode(
        raw, firstSequence: header.firstSequence, eventCount: Int(header.eventCount),
        replica: replica, ownCount: header.ownCount)
    }
    let events = try reading { () throws(LedgerError) in
      let raw =
        header.isCompressed
        ? try zstd.decompressFrame(payload, count: Int(header.rawLength)) : payload
      return try decode(raw)
    }
    guard let events else { return }
    // Some things can be said in two ways: what is written says the same.
    let again = try reading { () throws(LedgerError) in
      try decode(
        TransactionCoding.encode(events, replica: replica, ownCount: header.ownCount))
    }
    guard again == events else {
      throw FuzzFinding("events are read otherwise than they were written")
    }
  }
}
