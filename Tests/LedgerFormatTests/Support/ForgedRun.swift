import LedgerCore

@testable import LedgerFormat

/// A sealed segment that was taken apart, so that a test can change what it says and put it together again with
/// checksums that fit.
struct ForgedRun {
  struct Block {
    var streams: [[UInt8]]
    /// What the index says of it; nil: the truth.
    var storedLength: UInt64?
    var rawLength: UInt64?
    var firstKey: [UInt8]
    var eventCount: UInt64
    var taskCount: UInt64
    var continues: UInt8
    /// Other bytes than those of the streams.
    var raw: [UInt8]?
    /// Other bytes than the compressed ones.
    var stored: [UInt8]?

    subscript(stream: BlockStream) -> [UInt8] {
      get { streams[stream.rawValue] }
      set { streams[stream.rawValue] = newValue }
    }

    /// Lengths of the streams, then the streams.
    var content: [UInt8] {
      if let raw { return raw }
      var bytes: [UInt8] = []
      for stream in streams { bytes.append(varint: UInt64(stream.count)) }
      return bytes + streams.flatMap { $0 }
    }
  }

  var header: [UInt8]
  var blocks: [Block]
  var lastKey: [UInt8]
  var tables: RunTables
  /// Other bytes than those of the tables, the index.
  var rawTables: [UInt8]?
  var rawIndex: [UInt8]?
  var clocks: [UInt8]
  /// As it is stored; nil for none.
  var filter: [UInt8]?
  var footer: RunFooter
  /// Changes the footer when everything has its place.
  var atLast: (inout RunFooter) -> Void = { _ in }
  /// Changes the file when it is whole.
  var afterwards: (inout [UInt8]) -> Void = { _ in }

  /// Takes an honest run apart.
  init(
    _ events: [Event], target: Int = RunWriter.blockBytesTarget, hasFilter: Bool = false
  ) throws {
    let zstd = try Zstd()
    let bytes = try TestRun.bytes(events, target: target, hasFilter: hasFilter)
    let run = try TestRun.open(bytes)
    header = Array(bytes[..<FileHeader.byteCount])
    footer = run.footer
    tables = try run.tables()
    lastKey = run.index.lastKey.map(Self.encoded) ?? []
    clocks = try zstd.decompress(
      Array(bytes[Int(footer.clocks.offset)...].prefix(Int(footer.clocks.storedLength))),
      count: Int(footer.clocks.rawLength))
    filter = footer.filter.map {
      Array(bytes[Int($0.offset)...].prefix(Int($0.storedLength)))
    }
    blocks = try run.index.entries.indices.map { number in
      let raw = try run.block(number, zstd: zstd)
      let entry = run.index.entries[number]
      return Block(
        streams: try BlockReader.streamRanges(raw, run.layout).map { Array(raw[$0]) },
        firstKey: Self.encoded(entry.firstKey), eventCount: UInt64(entry.eventCount),
        taskCount: UInt64(entry.taskCount), continues: entry.continues ? 1 : 0)
    }
  }

  static func encoded(_ key: TaskKey) -> [UInt8] {
    var bytes: [UInt8] = []
    key.append(to: &bytes)
    return bytes
  }

  /// The bytes of the file.
  func bytes() throws -> [UInt8] {
    let zstd = try Zstd()
    var file = header
    var index: [UInt8] = []
    index.append(varint: UInt64(blocks.count))
    for block in blocks {
      let raw = block.content
      let stored = try block.stored ?? zstd.compress(raw, level: 3)
      index += block.firstKey
      index.append(varint: block.storedLength ?? UInt64(stored.count))
      index.append(varint: block.rawLength ?? UInt64(raw.count))
      index.append(varint: block.eventCount)
      index.append(varint: block.taskCount)
      index.append(u64: checksum(of: stored))
      index.append(block.continues)
      file += stored
    }
    var footer = footer
    func section(_ raw: [UInt8]) throws -> RunFooter.Section {
      let stored = try zstd.compress(raw, level: 3)
      defer { file += stored }
      return RunFooter.Section(
        offset: UInt64(file.count), storedLength: UInt64(stored.count),
        rawLength: UInt64(raw.count), checksum: checksum(of: stored))
    }
    footer.tables = try section(rawTables ?? tables.encoded())
    footer.clocks = try section(clocks)
    footer.index = try section(rawIndex ?? index + lastKey)
    footer.filter = filter.map { bytes in
      defer { file += bytes }
      return RunFooter.Section(
        offset: UInt64(file.count), storedLength: UInt64(bytes.count),
        rawLength: UInt64(bytes.count), checksum: checksum(of: bytes))
    }
    atLast(&footer)
    file += footer.encode(after: header)
    afterwards(&file)
    return file
  }
}

extension [UInt8] {
  /// A number of variable length.
  static func number(_ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(varint: value)
    return bytes
  }

  /// A signed number of variable length.
  static func signed(_ value: Int64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(zigzag: value)
    return bytes
  }
}
