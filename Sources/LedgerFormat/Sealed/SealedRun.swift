import LedgerCore
import Synchronization

/// A sealed segment, open for reading.
///
/// Footer, tables and index are read and checked once; blocks are read, checked and decompressed as they are asked
/// for.
package final class SealedRun: Sendable {
  package let source: any ByteSource
  package let footer: RunFooter
  package let tables: RunTables
  package let index: BlockIndex
  private let clockTable = Mutex<ClockTable?>(nil)

  /// Opens a sealed segment.
  package init(_ source: any ByteSource, zstd: Zstd) throws(LedgerError) {
    self.source = source
    do throws(LedgerError) {
      let size = try source.size()
      guard size >= UInt64(FileHeader.byteCount + RunFooter.tailByteCount) else {
        throw LedgerError(.damaged, "a sealed segment has \(size) bytes")
      }
      var head = ByteReader(try source.read(at: 0, count: FileHeader.byteCount))
      let header = try FileHeader(&head, expecting: .sealed)
      let tail = try source.read(
        at: size - UInt64(RunFooter.tailByteCount), count: RunFooter.tailByteCount)
      let length = try RunFooter.length(fromTail: tail) + RunFooter.tailByteCount
      guard UInt64(length + FileHeader.byteCount) <= size else {
        throw LedgerError(.damaged, "the footer is longer than the file")
      }
      let bytes = try source.read(at: size - UInt64(length), count: length)
      footer = try RunFooter(bytes, fileLength: size)
      guard footer.ledger == header.ledger else {
        throw LedgerError(.damaged, "header and footer name different ledgers", offset: 16)
      }
      guard footer.isContiguous(footerStart: size - UInt64(length)) else {
        throw LedgerError(.damaged, "the sections do not lie one after the other")
      }
      tables = try RunTables(Self.section(footer.tables, of: source, zstd: zstd, "tables"))
      index = try BlockIndex(
        Self.section(footer.index, of: source, zstd: zstd, "index"),
        start: UInt64(FileHeader.byteCount), end: footer.tables.offset,
        eventCount: footer.eventCount)
    } catch {
      throw error.located(in: source.path)
    }
  }

  private static func section(
    _ section: RunFooter.Section, of source: any ByteSource, zstd: Zstd, _ name: String
  ) throws(LedgerError) -> [UInt8] {
    try load(
      source, "the section \(name)", at: section.offset, storedLength: Int(section.storedLength),
      rawLength: Int(section.rawLength), checksum: section.checksum, zstd: zstd)
  }

  private static func load(
    _ source: any ByteSource, _ what: String, at offset: UInt64, storedLength: Int, rawLength: Int,
    checksum stored: UInt64, zstd: Zstd
  ) throws(LedgerError) -> [UInt8] {
    let bytes = try source.read(at: offset, count: storedLength)
    let found = checksum(of: bytes, in: 0..<bytes.count)
    guard found == stored else {
      throw LedgerError(
        .damaged, "cannot read \(what): its checksum is \(hex(found)), expected \(hex(stored))",
        path: source.path, offset: offset)
    }
    // zstd cannot expand by more: a frame that says so would ask for memory that its bytes could never fill.
    guard rawLength <= 64 + storedLength * 40_000 else {
      throw LedgerError(
        .damaged, "\(what) claims to expand \(storedLength) bytes to \(rawLength)",
        path: source.path, offset: offset)
    }
    var failure: LedgerError?
    let raw = bytes.withUnsafeBytes { frame -> [UInt8] in
      do throws(LedgerError) {
        return try zstd.decompress(frame, count: rawLength)
      } catch {
        failure = error
        return []
      }
    }
    if var failure {
      failure.path = source.path
      failure.offset = offset
      throw failure
    }
    return raw
  }

  /// The bytes of a block, checked and decompressed.
  package func block(_ number: Int, zstd: Zstd) throws(LedgerError) -> [UInt8] {
    let entry = index.entries[number]
    return try Self.load(
      source, "block \(number)", at: entry.offset, storedLength: entry.storedLength,
      rawLength: entry.rawLength, checksum: entry.checksum, zstd: zstd)
  }

  /// When transactions were recorded; read on first use.
  package func clocks(zstd: Zstd) throws(LedgerError) -> ClockTable {
    if let table = clockTable.withLock({ $0 }) { return table }
    do throws(LedgerError) {
      let bytes = try Self.section(footer.clocks, of: source, zstd: zstd, "clocks")
      let table = try ClockTable(bytes)
      clockTable.withLock { $0 = table }
      return table
    } catch {
      throw error.located(in: source.path)
    }
  }

  /// A reader of one block's events.
  package func reader(ofBlock number: Int, zstd: Zstd) throws(LedgerError) -> BlockReader {
    let needsClocks = tables.contexts.contains { $0.flags & ContextFlag.recorded != 0 }
    let clocks = needsClocks ? try clocks(zstd: zstd) : ClockTable()
    do throws(LedgerError) {
      return try BlockReader(
        try block(number, zstd: zstd), tables: tables, clocks: clocks,
        taskCount: index.entries[number].taskCount)
    } catch {
      throw error.located(in: source.path, offset: index.entries[number].offset)
    }
  }

  /// The events of a task in order of sequence; empty when the run has none.
  package func events(of task: TaskID, zstd: Zstd) throws(LedgerError) -> [Event] {
    var events: [Event] = []
    for number in index.blocks(of: task) {
      var reader = try reader(ofBlock: number, zstd: zstd)
      do throws(LedgerError) {
        while let next = try reader.nextTask() {
          if next.id == task {
            for _ in 0..<next.eventCount { events.append(try reader.nextEvent()) }
          } else if task < next.id {
            break
          } else {
            try reader.skipTask()
          }
        }
      } catch {
        throw error.located(in: source.path, offset: index.entries[number].offset)
      }
    }
    return events
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
        try reader.expectEnd()
      } catch {
        throw error.located(in: source.path, offset: index.entries[number].offset)
      }
    }
  }
}

extension LedgerError {
  /// The error with a path, where it has none; an offset inside decompressed bytes gives way to that of the file.
  package func located(in path: String, offset: UInt64? = nil) -> LedgerError {
    guard self.path == nil else { return self }
    var error = self
    error.path = path
    if let offset { error.offset = offset }
    if error.code == .damaged, error.hint == nil {
      error.hint = "run `ledger verify` to see what is intact"
    }
    return error
  }
}
