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
  /// The length of the file.
  package let byteCount: UInt64
  private let readTables = Guarded<RunTables?>(nil)
  private let clockTable = Guarded<ClockTable?>(nil)
  private let wasSearched = Guarded(false)

  /// Opens a sealed segment, or what has the same layout.
  ///
  /// - Parameters:
  ///   - opened: the same bytes, where what is read now costs less.
  ///   - ends: its header and footer, where they were read before.
  ///   - kind: what it must be: a sealed or salvaged segment, a baseline or a snapshot.
  ///   - readsTables: whether the tables are read now, or on first use.
  package init(
    _ source: any ByteSource, opened: (any ByteSource)? = nil, ends: RunEnds? = nil, zstd: Zstd,
    kind: FileHeader.Kind = .sealed, readsTables: Bool = true
  ) throws(LedgerError) {
    self.source = source
    let opened = opened ?? source
    let ends = if let ends { ends } else { try RunEnds(opened, kind: kind) }
    let footer = ends.footer
    self.footer = footer
    layout = ends.layout
    byteCount = ends.byteCount
    do throws(LedgerError) {
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

  /// Whether a task was looked for here before. Who looks for one only, as most programs do that are run for it, asks for nothing
  /// again: what is kept for later then takes memory that the next run could use.
  func isSearchedAgain() -> Bool {
    wasSearched.withLock { known in
      defer { known = true }
      return known
    }
  }

  /// What the events have in common.
  ///
  /// - Parameters:
  ///   - opened: the bytes of the run, where what is read now costs less.
  ///   - keeps: whether they are kept for whoever asks next.
  package func tables(
    in opened: (any ByteSource)? = nil, zstd: Zstd? = nil, keeps: Bool = true
  ) throws(LedgerError) -> RunTables {
    if let tables = readTables.withLock({ $0 }) { return tables }
    let zstd = if let zstd { zstd } else { try Zstd() }
    let tables = try Self.read(footer.tables, of: opened ?? source, zstd: zstd, "tables") {
      (bytes) throws(LedgerError) in
      try RunTables(bytes, eventCount: Int(footer.eventCount))
    }
    if keeps { readTables.withLock { $0 = tables } }
    return tables
  }

  /// When transactions were recorded, and the anchors of times; read on first use, and kept as tables are.
  package func clocks(
    in opened: (any ByteSource)? = nil, zstd: Zstd, keeps: Bool = true
  ) throws(LedgerError) -> ClockTable {
    if let table = clockTable.withLock({ $0 }) { return table }
    let table = try Self.read(footer.clocks, of: opened ?? source, zstd: zstd, "clocks") {
      (bytes) throws(LedgerError) in
      try ClockTable(bytes, eventCount: Int(footer.eventCount), layout: layout)
    }
    if keeps { clockTable.withLock { $0 = table } }
    return table
  }

  /// A reader of one block's events.
  package func reader(ofBlock number: Int, zstd: Zstd) throws(LedgerError) -> BlockReader {
    let tables = try tables(zstd: zstd)
    return try reader(
      ofBlock: number, try block(number, zstd: zstd), tables, try values(zstd: zstd),
      try clocks(for: tables, zstd: zstd))
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

  /// The clocks, as far as events with these tables need them.
  func clocks(
    for tables: RunTables, in opened: (any ByteSource)? = nil, zstd: Zstd, keeps: Bool = true
  ) throws(LedgerError) -> ClockTable {
    let areNeeded =
      layout == .version4
      || tables.contexts.contains { $0.flags & ContextFlag.recorded != 0 }
    return areNeeded ? try clocks(in: opened, zstd: zstd, keeps: keeps) : ClockTable()
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
  ///
  /// - Parameter note: called with each task before its events, and again where they go on in another block.
  package func forEachEvent(
    zstd: Zstd, noting note: (TaskID) -> Void = { _ in },
    _ body: (Event) throws(LedgerError) -> Void
  ) throws(LedgerError) {
    for number in index.entries.indices {
      var reader = try reader(ofBlock: number, zstd: zstd)
      do throws(LedgerError) {
        while let next = try reader.nextTask() {
          note(next.id)
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
