import LedgerCore

extension Manifest {
  /// The bytes of the file: header, number, replica, segments, records, checksum of all that.
  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    FileHeader(.manifest, ledger: ledger).append(to: &bytes, version: versionNeeded)
    bytes.append(u64: number)
    bytes.append(replica: replica)
    bytes.append(varint: UInt64(segments.count))
    for segment in segments { segment.append(to: &bytes) }
    bytes.append(varint: UInt64(records.count))
    for record in records { record.append(to: &bytes) }
    bytes.append(u64: checksum(of: bytes, in: 0..<bytes.count))
    return bytes
  }

  /// The oldest version that can read it.
  private var versionNeeded: UInt16 {
    if segments.contains(where: { $0.kind == .salvaged && $0.lost.isEmpty }) { return 4 }
    if segments.contains(where: { !$0.lost.isEmpty }) { return 3 }
    return segments.first?.kind == .baseline ? 2 : FileHeader.firstVersion
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
    brokenInvariants(allowingFramesBeforeRuns: false)
  }

  /// Whether frames stand before a run. A list that is put together from files can be so until a repair seals them; none is written so.
  package var hasFramesBeforeRun: Bool {
    zip(segments, segments.dropFirst()).contains { !$0.isRun && $1.isRun }
  }

  /// The same.
  ///
  /// - Parameter allowingFramesBeforeRuns: whether ``hasFramesBeforeRun`` breaks none.
  package func brokenInvariants(allowingFramesBeforeRuns: Bool) -> [String] {
    guard segments.last?.kind == .active else {
      return ["the manifest names no active segment"]
    }
    guard number >= 1, number < CurrentFile.manifestNumberMax else {
      return ["there is no manifest \(number)"]
    }
    var broken: [String] = []
    var sequence: UInt64 = 1
    var digest = Digest.zero
    var rank = 0
    for (place, segment) in segments.enumerated() {
      if segment.firstSequence != sequence {
        broken.append("\(segment.title) starts at \(segment.firstSequence), expected \(sequence)")
      }
      if segment.digestBefore != digest {
        broken.append("\(segment.title) does not continue the log digest")
      }
      let isLast = place == segments.count - 1
      let isRanked = segment.rank >= rank || (allowingFramesBeforeRuns && segment.isRun)
      if !isRanked || (segment.kind == .active && !isLast)
        || (segment.kind == .baseline && place > 0)
      {
        broken.append("\(segment.title) is out of order")
      }
      broken.append(contentsOf: segment.brokenInvariants)
      let (next, overflow) = sequence.addingReportingOverflow(segment.eventCount)
      if overflow || next > UInt64(Int64.max) { return broken + ["sequence numbers overflow"] }
      sequence = next
      digest = segment.digestAfter
      rank = segment.rank
    }
    return broken
  }
}

extension SegmentEntry {
  /// How the file tells a baseline of which something is lost.
  private static let baselineWithLoss: UInt8 = 5
  /// How the file tells a salvaged segment of which nothing is lost any more.
  private static let salvagedWithoutLoss: UInt8 = 6

  /// What comes first among the segments.
  fileprivate var rank: Int {
    switch kind {
    case .baseline: 0
    case .sealed, .salvaged: 1
    case .frozen: 2
    case .active: 3
    }
  }

  /// Whether some of it can be lost, or all, and then it has no file.
  private var canLose: Bool { kind == .salvaged || kind == .baseline }

  /// What is broken about what it says is lost, in words.
  private var brokenLoss: [String] {
    guard let first = lost.ranges.first, let last = lost.ranges.last else {
      return canLose && !hasFile ? ["\(title) has no file, and nothing of it is lost"] : []
    }
    guard canLose, eventCount > 0, first.lowerBound >= firstSequence,
      last.upperBound - firstSequence < eventCount
    else { return ["\(title) has lost what it cannot have held"] }
    let hasLostAll = lost.count == eventCount
    if !hasFile { return hasLostAll && end == 0 && checksum == 0 ? [] : ["\(title) has no file"] }
    return hasLostAll && kind == .salvaged ? ["\(title) has a file of nothing"] : []
  }

  /// What is broken about it alone, in words.
  var brokenInvariants: [String] {
    var broken = brokenLoss
    if kind == .active {
      if eventCount != 0 || newest != nil || digestAfter != digestBefore {
        broken.append("\(file) is active and says how it ends")
      }
    } else if eventCount == 0 || newest == nil {
      broken.append("\(file) holds no events")
    }
    let isFrames = !isRun
    if ownCount >= UInt64(Int64.max) || end >= UInt64(Int64.max)
      || (isFrames && (end < UInt64(ActiveHeader.byteCount) || end % 8 != 0))
    {
      broken.append("\(file) has impossible numbers")
    }
    if (file.isEmpty && !canLose) || file.utf8.first == 0x2e || file.utf8.contains(0x2f)
      || file.hasControlCharacter
    {
      broken.append("\"\(file)\" is no name of a segment")
    }
    return broken
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(number)
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
    if !lost.isEmpty { appendLost(to: &bytes) }
  }

  /// The kind, and whether what is lost follows.
  private var number: UInt8 {
    switch kind {
    case .baseline: lost.isEmpty ? kind.rawValue : Self.baselineWithLoss
    case .salvaged: lost.isEmpty ? Self.salvagedWithoutLoss : kind.rawValue
    case .sealed, .frozen, .active: kind.rawValue
    }
  }

  private func appendLost(to bytes: inout [UInt8]) {
    bytes.append(varint: UInt64(lost.ranges.count))
    var last: UInt64 = 0
    for range in lost.ranges {
      bytes.append(varint: range.lowerBound - last)
      bytes.append(varint: range.upperBound - range.lowerBound)
      last = range.upperBound
    }
  }

  init(_ reader: inout ByteReader) throws(LedgerError) {
    let number = try reader.u8()
    let hasLoss = number == Self.baselineWithLoss || number == Kind.salvaged.rawValue
    switch number {
    case Self.baselineWithLoss: kind = .baseline
    case Self.salvagedWithoutLoss: kind = .salvaged
    default:
      guard let known = Kind(rawValue: number) else {
        throw .unknownNumber(number, of: "a segment has the kind")
      }
      kind = known
    }
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
    lost = hasLoss ? try Self.lost(&reader) : SequenceRanges()
  }

  /// Ranges that ascend and do not touch: nothing can be written in two ways.
  private static func lost(_ reader: inout ByteReader) throws(LedgerError) -> SequenceRanges {
    var ranges: [ClosedRange<UInt64>] = []
    for _ in 0..<(try reader.count(bytesEach: 2)) {
      let (gap, length) = (try reader.varint(), try reader.varint())
      let before = ranges.last?.upperBound ?? 0
      guard gap >= (ranges.isEmpty ? 1 : 2), gap < UInt64(Int64.max) - before,
        length < UInt64(Int64.max) - before - gap
      else { throw reader.fail("a range of lost events is impossible") }
      ranges.append(before + gap...before + gap + length)
    }
    guard !ranges.isEmpty else { throw reader.fail("a segment has lost no event") }
    return SequenceRanges(ranges)
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
