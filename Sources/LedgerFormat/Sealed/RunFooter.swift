import LedgerCore

/// The end of a sealed segment: what it holds and where. Its checksum covers the file's header, too, so that no byte
/// of the file is without one.
package struct RunFooter: Hashable, Sendable {
  /// A compressed part of the file.
  package struct Section: Hashable, Sendable {
    package var offset: UInt64
    package var storedLength: UInt64
    package var rawLength: UInt64
    package var checksum: UInt64
  }

  /// The last bytes of the file: length of the footer, checksum of the footer, magic.
  package static let tailByteCount = 16
  static let tailMagic: UInt32 = 0x3146_5354
  static let footerBytesMax = 4096

  package var ledger: ReplicaID
  /// The sequence number of the first event.
  package var firstSequence: UInt64
  package var eventCount: UInt64
  package var taskCount: UInt64
  /// Of a baseline, a snapshot or a salvaged segment the last event that it stands for; nil for a sealed segment, which holds
  /// every event of its range.
  package var horizon: UInt64?
  /// Of a snapshot what its events add up to; nil for any other run.
  package var state: StateMark?
  /// The oldest and newest stamps.
  package var oldest: Stamp
  package var newest: Stamp
  /// Whether stamps ascend as sequence numbers do.
  package var ascends: Bool
  package var digestBefore: Digest
  package var digestAfter: Digest
  package var tables: Section
  package var clocks: Section
  package var index: Section
  /// The filter of ids; nil where the run has none.
  package var filter: Section?
  /// The checksum of header and footer: it stands for the whole file.
  package var checksum: UInt64 = 0

  package var lastSequence: UInt64 { horizon ?? firstSequence + eventCount - 1 }
}

extension RunFooter {
  /// Whether the stamps of all events ascend as their sequence numbers do, in each run and from run to run.
  ///
  /// - Parameter footers: those of runs in order of their sequence numbers.
  package static func ascend(_ footers: [RunFooter]) -> Bool {
    footers.allSatisfy(\.ascends)
      && zip(footers, footers.dropFirst()).allSatisfy { $0.newest < $1.oldest }
  }

  /// The footer with its tail, for a file that starts with `header`; notes the checksum.
  mutating func encode(after header: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(replica: ledger)
    bytes.append(varint: firstSequence)
    bytes.append(varint: eventCount)
    bytes.append(varint: taskCount)
    if let horizon { bytes.append(varint: horizon) }
    if let state { bytes.append(stateMark: state) }
    bytes.append(stamp: oldest)
    bytes.append(stamp: newest)
    bytes.append(ascends ? 1 : 0)
    bytes.append(digest: digestBefore)
    bytes.append(digest: digestAfter)
    for section in [tables, clocks, index] + (filter.map { [$0] } ?? []) {
      bytes.append(varint: section.offset)
      bytes.append(varint: section.storedLength)
      bytes.append(varint: section.rawLength)
      bytes.append(u64: section.checksum)
    }
    let length = UInt32(bytes.count)
    bytes.append(u32: length)
    checksum = Self.checksum(bytes[...], after: header)
    bytes.append(u64: checksum)
    bytes.append(u32: Self.tailMagic)
    return bytes
  }

  static func checksum(_ footer: ArraySlice<UInt8>, after header: [UInt8]) -> UInt64 {
    var hash = SHA256Stream()
    hash.update(header)
    footer.withUnsafeBytes { hash.update($0) }
    return hash.finish().checksum
  }

  /// The length of the footer, read from the last bytes of the file.
  static func length(fromTail tail: [UInt8]) throws(LedgerError) -> Int {
    var reader = ByteReader(tail)
    let length = try reader.u32()
    _ = try reader.u64()
    guard try reader.u32() == tailMagic else {
      throw LedgerError(.damaged, "the file does not end like a sealed segment")
    }
    guard length <= footerBytesMax else {
      throw LedgerError(
        .damaged, "the footer has \(length) bytes, expected at most \(footerBytesMax)")
    }
    return Int(length)
  }

  /// Compares the checksum in footer and tail, the last bytes of a file, with what it is for a file that starts with
  /// `header`.
  static func check(
    _ bytes: [UInt8], after header: [UInt8], fileLength: UInt64
  ) throws(LedgerError) {
    let covered = bytes.count - tailByteCount + 4
    let found = checksum(bytes[..<covered], after: header)
    let stored = try storedChecksum(bytes)
    guard stored == found else {
      throw LedgerError(
        .damaged, "the checksum of header and footer is \(hex(found)), expected \(hex(stored))",
        offset: fileLength - UInt64(bytes.count))
    }
  }

  private static func storedChecksum(_ bytes: [UInt8]) throws(LedgerError) -> UInt64 {
    var tail = ByteReader(bytes, bytes.count - tailByteCount + 4..<bytes.count)
    return try tail.u64()
  }

  /// Whether a file with a header has a filter: that is what makes its version.
  static func hasFilter(_ header: FileHeader) -> Bool {
    header.oldestReader >= RunWriter.filterVersion
  }

  /// Reads footer and tail, the last bytes of a file of `fileLength` bytes, once they are checked.
  init(
    _ bytes: [UInt8], fileLength: UInt64, kind: FileHeader.Kind = .sealed, hasFilter: Bool = false
  ) throws(LedgerError) {
    checksum = try Self.storedChecksum(bytes)
    var reader = ByteReader(bytes, 0..<bytes.count - Self.tailByteCount)
    ledger = try reader.replica()
    firstSequence = try reader.varint()
    eventCount = try reader.varint()
    taskCount = try reader.varint()
    horizon = kind == .sealed ? nil : try reader.varint()
    state = kind == .snapshot ? try reader.stateMark() : nil
    oldest = try reader.stamp()
    newest = try reader.stamp()
    ascends = try reader.flag()
    digestBefore = try reader.digest()
    digestAfter = try reader.digest()
    let sectionsEnd = fileLength - UInt64(bytes.count)
    tables = try Self.section(&reader, end: sectionsEnd)
    clocks = try Self.section(&reader, end: sectionsEnd)
    index = try Self.section(&reader, end: sectionsEnd)
    filter = hasFilter ? try Self.section(&reader, end: sectionsEnd) : nil
    try reader.expectEnd()
    guard eventCount >= 1, taskCount >= 1, taskCount <= eventCount, oldest <= newest,
      isRangePossible(kind), state.map({ $0.tasks <= taskCount }) ?? true,
      filter.map({ RunFilter.pageCount(of: $0) != nil }) ?? true
    else { throw LedgerError(.damaged, "the footer's counts are impossible") }
  }

  private func isRangePossible(_ kind: FileHeader.Kind) -> Bool {
    if let horizon {
      return firstSequence >= 1 && firstSequence <= horizon && horizon < UInt64(Int64.max)
        && eventCount <= horizon - firstSequence + 1
        && (kind == .salvaged ? eventCount <= UInt64(RunWriter.eventCountMax) : firstSequence == 1)
    }
    return firstSequence >= 1 && eventCount <= UInt64(RunWriter.eventCountMax)
      && firstSequence < UInt64(Int64.max) - eventCount
  }

  /// Whether the sections follow the blocks and each other up to the footer, so that every byte of the file is under some
  /// checksum.
  func isContiguous(footerStart: UInt64) -> Bool {
    tables.offset >= UInt64(FileHeader.byteCount)
      && tables.offset + tables.storedLength == clocks.offset
      && clocks.offset + clocks.storedLength == index.offset
      && index.offset + index.storedLength == filter?.offset ?? footerStart
      && filter.map({ $0.offset + $0.storedLength == footerStart }) ?? true
  }

  private static func section(
    _ reader: inout ByteReader, end: UInt64
  ) throws(LedgerError) -> Section {
    let section = Section(
      offset: try reader.varint(), storedLength: try reader.varint(),
      rawLength: try reader.varint(), checksum: try reader.u64())
    guard section.offset <= end, section.storedLength <= end - section.offset,
      section.rawLength <= UInt64(RunWriter.sectionBytesMax)
    else { throw reader.fail("a section lies outside the file or is too long") }
    return section
  }
}

extension [UInt8] {
  package mutating func append(stamp: Stamp) {
    append(u64: UInt64(bitPattern: stamp.time.milliseconds))
    append(replica: stamp.replica)
    append(u64: stamp.count)
  }
}

extension ByteReader {
  package mutating func stamp() throws(LedgerError) -> Stamp {
    guard let time = try? LedgerTime(milliseconds: try i64()) else {
      throw fail("a time lies outside the years 0000 to 9999")
    }
    return Stamp(time: time, replica: try replica(), count: try u64())
  }
}
