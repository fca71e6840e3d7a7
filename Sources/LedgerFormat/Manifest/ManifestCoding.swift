import LedgerCore

extension Manifest {
  /// The bytes of the file: header, number, replica, segments, records, checksum of all that.
  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    FileHeader(.manifest, ledger: ledger).append(to: &bytes)
    bytes.append(u64: number)
    bytes.append(replica: replica)
    bytes.append(varint: UInt64(segments.count))
    for segment in segments { segment.append(to: &bytes) }
    bytes.append(varint: UInt64(records.count))
    for record in records { record.append(to: &bytes) }
    bytes.append(u64: checksum(of: bytes, in: 0..<bytes.count))
    return bytes
  }

  package init(_ bytes: [UInt8]) throws(LedgerError) {
    guard bytes.count >= FileHeader.byteCount + 8 else {
      throw LedgerError(.damaged, "a manifest has \(bytes.count) bytes")
    }
    var reader = ByteReader(bytes, 0..<bytes.count - 8)
    ledger = try FileHeader(&reader, expecting: .manifest) { () throws(LedgerError) in
      try Self.check(bytes)
    }.ledger
    number = try reader.u64()
    replica = try reader.replica()
    segments = []
    for _ in 0..<(try reader.count(bytesEach: 32)) {
      segments.append(try SegmentEntry(&reader))
    }
    records = []
    for _ in 0..<(try reader.count(bytesEach: 4)) {
      records.append(try MaintenanceRecord(&reader))
    }
    try reader.expectEnd()
    if let broken = brokenInvariants.first { throw LedgerError(.damaged, broken) }
  }

  private static func check(_ bytes: [UInt8]) throws(LedgerError) {
    var tail = ByteReader(bytes, bytes.count - 8..<bytes.count)
    let found = checksum(of: bytes, in: 0..<bytes.count - 8)
    let stored = try tail.u64()
    guard stored == found else {
      throw LedgerError(
        .damaged, "the manifest's checksum is \(hex(found)), expected \(hex(stored))", offset: 0)
    }
  }

  /// The broken invariants in words; empty when all hold. Numbers that pass can be added to without overflow.
  package var brokenInvariants: [String] {
    guard segments.last?.kind == .active else {
      return ["the manifest names no active segment"]
    }
    guard number >= 1, number < UInt64(Int64.max) else { return ["there is no manifest \(number)"] }
    var broken: [String] = []
    var sequence: UInt64 = 1
    var digest = Digest.zero
    var kind = SegmentEntry.Kind.sealed
    for (place, segment) in segments.enumerated() {
      if segment.firstSequence != sequence {
        broken.append("\(segment.file) starts at \(segment.firstSequence), expected \(sequence)")
      }
      if segment.digestBefore != digest {
        broken.append("\(segment.file) does not continue the log digest")
      }
      let isLast = place == segments.count - 1
      if segment.kind.rawValue < kind.rawValue || (segment.kind == .active && !isLast) {
        broken.append("\(segment.file) is out of order")
      }
      broken.append(contentsOf: segment.brokenInvariants)
      let (next, overflow) = sequence.addingReportingOverflow(segment.eventCount)
      if overflow || next > UInt64(Int64.max) { return broken + ["sequence numbers overflow"] }
      sequence = next
      digest = segment.digestAfter
      kind = segment.kind
    }
    return broken
  }
}

extension SegmentEntry {
  /// What is broken about it alone, in words.
  var brokenInvariants: [String] {
    var broken: [String] = []
    if kind == .active {
      if eventCount != 0 || newest != nil || digestAfter != digestBefore {
        broken.append("\(file) is active and says how it ends")
      }
    } else if eventCount == 0 || newest == nil {
      broken.append("\(file) holds no events")
    }
    let isFrames = kind != .sealed
    if ownCount >= UInt64(Int64.max) || end >= UInt64(Int64.max)
      || (isFrames && (end < UInt64(ActiveHeader.byteCount) || end % 8 != 0))
    {
      broken.append("\(file) has impossible numbers")
    }
    if file.isEmpty || file.utf8.first == 0x2e || file.utf8.contains(0x2f)
      || file.hasControlCharacter
    {
      broken.append("\"\(file)\" is no name of a segment")
    }
    return broken
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(kind.rawValue)
    bytes.append(text: file)
    bytes.append(u64: segment)
    bytes.append(varint: firstSequence)
    bytes.append(varint: eventCount)
    bytes.append(varint: end)
    bytes.append(u64: checksum)
    bytes.append(digest: digestBefore)
    bytes.append(digest: digestAfter)
    bytes.append(varint: ownCount)
    bytes.append(newest == nil ? 0 : 1)
    if let newest { bytes.append(stamp: newest) }
  }

  init(_ reader: inout ByteReader) throws(LedgerError) {
    let number = try reader.u8()
    guard let kind = Kind(rawValue: number) else {
      throw .unknownNumber(number, of: "a segment has the kind")
    }
    self.kind = kind
    file = try reader.text()
    segment = try reader.u64()
    firstSequence = try reader.varint()
    eventCount = try reader.varint()
    end = try reader.varint()
    checksum = try reader.u64()
    digestBefore = try reader.digest()
    digestAfter = try reader.digest()
    ownCount = try reader.varint()
    newest = try reader.flag() ? try reader.stamp() : nil
  }
}

extension MaintenanceRecord {
  /// A record is text throughout, so that a reader shows also the kinds that it does not know.
  func append(to bytes: inout [UInt8]) {
    bytes.append(text: kind)
    bytes.append(varint: follows)
    bytes.append(zigzag: time.milliseconds)
    bytes.append(varint: UInt64(details.count))
    for detail in details {
      bytes.append(text: detail.name)
      bytes.append(text: detail.value)
    }
  }

  init(_ reader: inout ByteReader) throws(LedgerError) {
    kind = try reader.text()
    follows = try reader.varint()
    time = try reader.time(relativeTo: 0)
    details = []
    for _ in 0..<(try reader.count(bytesEach: 2)) {
      details.append(Detail(try reader.text(), try reader.text()))
    }
  }
}
