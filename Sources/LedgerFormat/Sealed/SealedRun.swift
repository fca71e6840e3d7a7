import LedgerCore

/// A sealed segment, or a snapshot, which has the same layout; open for reading.
///
/// Footer, tables and index are read and checked once; blocks are read, checked and decompressed as they are asked for. The tables
/// can be left until somebody needs them: who looks for a task in many runs finds most of them without it.
package final class SealedRun: Sendable {
  package let source: any ByteSource
  package let footer: RunFooter
  package let index: BlockIndex
  package let layout: BlockLayout
  private let readTables = Guarded<RunTables?>(nil)
  private let clockTable = Guarded<ClockTable?>(nil)

  /// Opens a sealed segment, or what has the same layout.
  ///
  /// - Parameters:
  ///   - opened: the same bytes, where what is read now costs less.
  ///   - kind: what it must be: a sealed or salvaged segment, a baseline or a snapshot.
  ///   - readsTables: whether the tables are read now, or on first use.
  package init(
    _ source: any ByteSource, opened: (any ByteSource)? = nil, zstd: Zstd,
    kind: FileHeader.Kind = .sealed, readsTables: Bool = true
  ) throws(LedgerError) {
    self.source = source
    let opened = opened ?? source
    do throws(LedgerError) {
      let size = try opened.size()
      guard size >= UInt64(FileHeader.byteCount + RunFooter.tailByteCount) else {
        throw LedgerError(.damaged, "a sealed segment has \(size) bytes")
      }
      let head = try opened.read(at: 0, count: FileHeader.byteCount)
      var reader = ByteReader(head)
      var bytes: [UInt8] = []
      let header = try FileHeader(&reader, expecting: kind) { () throws(LedgerError) in
        bytes = try Self.footerBytes(opened, size: size)
        try RunFooter.check(bytes, after: head, fileLength: size)
      }
      let footer = try RunFooter(bytes, fileLength: size, kind: kind)
      self.footer = footer
      layout = BlockLayout(oldestReader: header.oldestReader)
      guard footer.ledger == header.ledger else {
        throw LedgerError(.damaged, "header and footer name different ledgers", offset: 16)
      }
      guard footer.isContiguous(footerStart: size - UInt64(bytes.count)) else {
        throw LedgerError(.damaged, "the sections do not lie one after the other")
      }
      index = try Self.read(footer.index, of: opened, zstd: zstd, "index") {
        (bytes) throws(LedgerError) in
        try BlockIndex(
          bytes, start: UInt64(FileHeader.byteCount), end: footer.tables.offset,
          eventCount: footer.eventCount, taskCount: footer.taskCount)
      }
      if readsTables { _ = try tables(in: opened, zstd: zstd) }
    } catch {
      throw error.located(in: source.path)
    }
  }

  /// The footer with its tail.
  private static func footerBytes(
    _ source: any ByteSource, size: UInt64
  ) throws(LedgerError) -> [UInt8] {
    let tail = try source.read(
      at: size - UInt64(RunFooter.tailByteCount), count: RunFooter.tailByteCount)
    let length = try RunFooter.length(fromTail: tail) + RunFooter.tailByteCount
    guard UInt64(length + FileHeader.byteCount) <= size else {
      throw LedgerError(.damaged, "the footer is longer than the file")
    }
    return try source.read(at: size - UInt64(length), count: length)
  }

  /// Loads a section and decodes it.
  private static func read<Content>(
    _ section: RunFooter.Section, of source: any ByteSource, zstd: Zstd, _ name: String,
    _ decode: ([UInt8]) throws(LedgerError) -> Content
  ) throws(LedgerError) -> Content {
    let bytes = try load(
      source, "the section \(name)", at: section.offset, storedLength: Int(section.storedLength),
      rawLength: Int(section.rawLength), checksum: section.checksum, zstd: zstd)
    do throws(LedgerError) {
      return try decode(bytes)
    } catch {
      throw error.located(in: source.path, offset: section.offset)
    }
  }

  private static func load(
    _ source: any ByteSource, _ what: String, at offset: UInt64, storedLength: Int, rawLength: Int,
    checksum: UInt64, zstd: Zstd
  ) throws(LedgerError) -> [UInt8] {
    let stored = try loadStored(
      source, what, at: offset, storedLength: storedLength, rawLength: rawLength,
      checksum: checksum)
    do throws(LedgerError) {
      return try zstd.decompress(stored, count: rawLength)
    } catch {
      throw error.located(in: source.path, offset: offset)
    }
  }

  /// The bytes as they are stored, checked.
  private static func loadStored(
    _ source: any ByteSource, _ what: String, at offset: UInt64, storedLength: Int, rawLength: Int,
    checksum stored: UInt64
  ) throws(LedgerError) -> [UInt8] {
    do throws(LedgerError) {
      guard Zstd.canExpand(storedLength, to: rawLength), Zstd.canShrink(rawLength, to: storedLength)
      else {
        throw LedgerError(
          .damaged, "\(what) claims to hold \(rawLength) bytes in \(storedLength)")
      }
      let bytes = try source.read(at: offset, count: storedLength)
      let found = LedgerFormat.checksum(of: bytes, in: 0..<bytes.count)
      guard found == stored else {
        throw LedgerError(
          .damaged, "cannot read \(what): its checksum is \(hex(found)), expected \(hex(stored))")
      }
      return bytes
    } catch {
      throw error.located(in: source.path, offset: offset)
    }
  }

  /// The bytes of a block, checked and decompressed.
  package func block(_ number: Int, zstd: Zstd) throws(LedgerError) -> [UInt8] {
    let entry = index.entries[number]
    return try Self.load(
      source, "block \(number)", at: entry.offset, storedLength: entry.storedLength,
      rawLength: entry.rawLength, checksum: entry.checksum, zstd: zstd)
  }

  /// Reads a block into memory that has room for it.
  func readBlock(_ number: Int, into buffer: BlockBuffer, zstd: Zstd) throws(LedgerError) {
    let entry = index.entries[number]
    let stored = try Self.loadStored(
      source, "block \(number)", at: entry.offset, storedLength: entry.storedLength,
      rawLength: entry.rawLength, checksum: entry.checksum)
    do throws(LedgerError) {
      try buffer.fill(entry.rawLength) { (target) throws(LedgerError) in
        try zstd.decompress(stored, into: target)
      }
    } catch {
      throw error.located(in: source.path, offset: entry.offset)
    }
  }

  /// What the events have in common.
  package func tables(zstd: Zstd? = nil) throws(LedgerError) -> RunTables {
    if let tables = readTables.withLock({ $0 }) { return tables }
    let zstd = if let zstd { zstd } else { try Zstd() }
    return try tables(in: source, zstd: zstd)
  }

  private func tables(
    in opened: any ByteSource, zstd: Zstd
  ) throws(LedgerError) -> RunTables {
    let tables = try Self.read(footer.tables, of: opened, zstd: zstd, "tables") {
      (bytes) throws(LedgerError) in
      try RunTables(bytes, eventCount: Int(footer.eventCount))
    }
    readTables.withLock { $0 = tables }
    return tables
  }

  /// When transactions were recorded, and the anchors of times; read on first use.
  package func clocks(zstd: Zstd) throws(LedgerError) -> ClockTable {
    if let table = clockTable.withLock({ $0 }) { return table }
    let table = try Self.read(footer.clocks, of: source, zstd: zstd, "clocks") {
      (bytes) throws(LedgerError) in
      try ClockTable(bytes, eventCount: Int(footer.eventCount), layout: layout)
    }
    clockTable.withLock { $0 = table }
    return table
  }

  /// A reader of one block's events.
  package func reader(ofBlock number: Int, zstd: Zstd) throws(LedgerError) -> BlockReader {
    try reader(
      ofBlock: number, try block(number, zstd: zstd), try tables(zstd: zstd),
      try values(zstd: zstd), try neededClocks(zstd))
  }

  /// All interned values, by their numbers.
  package func values(zstd: Zstd? = nil) throws(LedgerError) -> [Value] {
    let tables = try tables(zstd: zstd)
    do throws(LedgerError) {
      return try tables.values.all()
    } catch {
      throw error.located(in: source.path, offset: footer.tables.offset)
    }
  }

  func neededClocks(_ zstd: Zstd) throws(LedgerError) -> ClockTable {
    let contexts = try tables(zstd: zstd).contexts
    let areNeeded =
      layout == .version4 || contexts.contains { $0.flags & ContextFlag.recorded != 0 }
    return areNeeded ? try clocks(zstd: zstd) : ClockTable()
  }

  func reader(
    ofBlock number: Int, _ bytes: [UInt8], _ tables: RunTables, _ values: [Value]?,
    _ clocks: ClockTable
  ) throws(LedgerError) -> BlockReader {
    do throws(LedgerError) {
      return try BlockReader(
        bytes, layout: layout, tables: tables, values: values, clocks: clocks,
        expected: BlockReader.Expectation(
          entry: index.entries[number], end: index.end(ofBlock: number),
          sequences: footer.firstSequence...footer.lastSequence))
    } catch {
      throw error.located(in: source.path, offset: index.entries[number].offset)
    }
  }

  /// The ids of the run's tasks that start with a text, in order, at most `limit` of them.
  package func ids(
    startingWith text: String, limit: Int, zstd: Zstd
  ) throws(LedgerError) -> [TaskID] {
    var ids: [TaskID] = []
    for number in index.blocks(startingWith: text) where ids.count < limit {
      var reader = try reader(ofBlock: number, zstd: zstd)
      do throws(LedgerError) {
        while ids.count < limit, let next = try reader.nextTask() {
          if next.id.text.utf8.starts(with: text.utf8) {
            if ids.last != next.id { ids.append(next.id) }
          } else if text.bytesPrecede(next.id.text) {
            break
          }
          try reader.skipTask()
        }
      } catch {
        throw error.located(in: source.path, offset: index.entries[number].offset)
      }
    }
    return ids
  }

  /// Calls `body` for every event, by task, then sequence number.
  package func forEachEvent(
    zstd: Zstd, _ body: (Event) throws(LedgerError) -> Void
  ) throws(LedgerError) {
    for number in index.entries.indices {
      var reader = try reader(ofBlock: number, zstd: zstd)
      do throws(LedgerError) {
        while let next = try reader.nextTask() {
          for _ in 0..<next.eventCount { try body(try reader.nextEvent()) }
        }
      } catch {
        throw error.located(in: source.path, offset: index.entries[number].offset)
      }
    }
  }
}

extension LedgerError {
  /// The error with a path and, for damage, a hint, where it has none; an offset inside decompressed bytes gives way to
  /// that of the file.
  package func located(in path: String, offset: UInt64? = nil) -> LedgerError {
    var error = self
    if self.path == nil {
      error.path = path
      if let offset { error.offset = offset }
    }
    if error.code == .damaged, error.hint == nil {
      error.hint = LedgerError.repairHint
    }
    return error
  }
}
