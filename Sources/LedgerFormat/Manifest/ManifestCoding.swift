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
    var tail = ByteReader(bytes, bytes.count - 8..<bytes.count)
    var reader = ByteReader(bytes, 0..<bytes.count - 8)
    ledger = try FileHeader(&reader, expecting: .manifest).ledger
    let found = LedgerFormat.checksum(of: bytes, in: 0..<bytes.count - 8)
    let stored = try tail.u64()
    guard stored == found else {
      throw LedgerError(
        .damaged, "the manifest's checksum is \(hex(found)), expected \(hex(stored))", offset: 0)
    }
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

  /// The broken invariants in words; empty when all hold.
  package var brokenInvariants: [String] {
    guard let last = segments.last, last.kind == .active else {
      return ["the manifest names no active segment"]
    }
    var broken: [String] = []
    var sequence: UInt64 = 1
    var digest = Digest.zero
    var kind: UInt8 = 0
    for segment in segments {
      if segment.firstSequence != sequence {
        broken.append("\(segment.file) starts at \(segment.firstSequence), expected \(sequence)")
      }
      if segment.digestBefore != digest {
        broken.append("\(segment.file) does not continue the log digest")
      }
      if segment.kind.rawValue < kind || (segment.kind == .active && segment != last) {
        broken.append("\(segment.file) is out of order")
      }
      if segment.kind != .active, segment.eventCount == 0 || segment.newest == nil {
        broken.append("\(segment.file) holds no events")
      }
      if segment.file.isEmpty || segment.file.utf8.contains(0x2f) || segment.file.hasPrefix(".") {
        broken.append("\"\(segment.file)\" is no name of a segment")
      }
      let (next, overflow) = sequence.addingReportingOverflow(segment.eventCount)
      if overflow || next > UInt64(Int64.max) { return broken + ["sequence numbers overflow"] }
      sequence = next
      digest = segment.digestAfter
      kind = segment.kind.rawValue
    }
    return broken
  }
}

extension SegmentEntry {
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
      throw LedgerError(
        .unsupported, "a segment has the kind \(number), which this version does not know",
        hint: "install a newer `ledger`")
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
    newest = try reader.u8() == 1 ? try reader.stamp() : nil
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
