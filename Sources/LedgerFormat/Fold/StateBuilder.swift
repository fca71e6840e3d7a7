import LedgerCore

/// Writes the rows of a `FoldedState`, in ascending order of ids.
final class StateBuilder {
  private static let chunkByteCount = 4 << 20
  private static let numberBytesMax = 10

  private let fields: FieldTable
  @exclusivity(unchecked) private var chunks: [RowChunk] = []
  @exclusivity(unchecked) private var rows: [FoldedState.RowPlace] = []
  @exclusivity(unchecked) private var used = 0
  @exclusivity(unchecked) private var capacity = 0

  init(_ fields: FieldTable) { self.fields = fields }

  /// Adds the task that was folded.
  func append(_ key: CursorKey, _ fold: TaskFold) throws(LedgerError) {
    fold.finish()
    var need = key.count + 2 * Self.numberBytesMax
    var count: UInt64 = 0
    fold.forEachVisible { _, slot in
      need += slot.bytes.count + 2 * Self.numberBytesMax + 1
      count += 1
    }
    let start = try reserve(need)
    var writer = RowWriter(start)
    writer.key(key)
    writer.varint(count)
    fold.forEachVisible { rank, slot in
      writer.varint(UInt64(rank))
      writer.value(slot.tag, slot.bytes)
    }
    finish(writer.at - start)
  }

  /// Adds a task by its state.
  func append(_ key: CursorKey, _ state: TaskState) throws(LedgerError) {
    let visible = state.visibleFields.map { field in
      (rank: fields.rank(of: FieldName(unchecked: field.name)) ?? 0, value: field.value)
    }
    var bytes: [UInt8] = []
    for field in visible.sorted(by: { $0.rank < $1.rank }) {
      bytes.append(varint: UInt64(field.rank))
      bytes.append(value: field.value)
    }
    let start = try reserve(key.count + 2 * Self.numberBytesMax + bytes.count)
    var writer = RowWriter(start)
    writer.key(key)
    writer.varint(UInt64(visible.count))
    bytes.withUnsafeBufferPointer { writer.bytes($0) }
    finish(writer.at - start)
  }

  private func reserve(_ need: Int) throws(LedgerError) -> UnsafeMutablePointer<UInt8> {
    guard need <= Int(UInt32.max) else {
      throw LedgerError(
        .unsupported, "a task has \(need) bytes, more than this version can hold in memory")
    }
    if capacity - used < need {
      capacity = max(Self.chunkByteCount, need)
      chunks.append(RowChunk(byteCount: capacity))
      used = 0
    }
    return (chunks[chunks.count - 1].start + used).assumingMemoryBound(to: UInt8.self)
  }

  private func finish(_ length: Int) {
    rows.append(
      FoldedState.RowPlace(
        chunk: UInt32(chunks.count - 1), offset: UInt32(used), length: UInt32(length)))
    used += length
  }

  /// Hands the rows over.
  func build(eventCount: UInt64) -> FoldedState {
    defer {
      chunks = []
      rows = []
      (used, capacity) = (0, 0)
    }
    return FoldedState(chunks: chunks, rows: rows, fields: fields, eventCount: eventCount)
  }
}

/// Writes one row into reserved memory.
private struct RowWriter {
  private(set) var at: UnsafeMutablePointer<UInt8>

  init(_ start: UnsafeMutablePointer<UInt8>) { at = start }

  @inline(__always)
  mutating func byte(_ value: UInt8) {
    at.pointee = value
    at += 1
  }

  @inline(__always)
  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      byte(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    byte(UInt8(truncatingIfNeeded: rest))
  }

  @inline(__always)
  mutating func bytes(_ source: UnsafeBufferPointer<UInt8>) {
    guard let start = source.baseAddress else { return }
    at.update(from: start, count: source.count)
    at += source.count
  }

  mutating func key(_ key: CursorKey) {
    varint(UInt64(key.count) << 1 | (key.isPacked ? 1 : 0))
    key.withStored { bytes($0) }
  }

  @inline(__always)
  mutating func value(_ tag: UInt8, _ source: UnsafeBufferPointer<UInt8>) {
    // An interned value brings its own tag.
    if tag != ValueTag.interned { byte(tag) }
    if tag == ValueTag.text { varint(UInt64(source.count)) }
    bytes(source)
  }
}
