import LedgerCore

/// The tasks that exist, in order of their ids, as compact rows.
///
/// ```
/// row = key:(length and form, bytes) count:varint (rank:varint tag:u8 [bytes])*
/// ```
/// Ranks ascend; values are encoded as in `ValueTag`.
package final class FoldedState: Sendable {
  private let chunks: [RowChunk]
  private let rows: [RowPlace]
  package let fields: FieldTable
  /// How many events were folded; of a snapshot all count for which it stands.
  package let eventCount: UInt64

  struct RowPlace: Sendable {
    var chunk: UInt32
    var offset: UInt32
    var length: UInt32
  }

  init(
    chunks: [RowChunk], rows: [RowPlace], fields: FieldTable, eventCount: UInt64
  ) {
    self.chunks = chunks
    self.rows = rows
    self.fields = fields
    self.eventCount = eventCount
  }

  /// The tasks of two states, of which the second one's ids all come after those of the first.
  convenience init(_ first: FoldedState, then second: FoldedState) {
    var rows = first.rows
    rows.reserveCapacity(first.count + second.count)
    let chunksBefore = UInt32(first.chunks.count)
    for var place in second.rows {
      place.chunk += chunksBefore
      rows.append(place)
    }
    self.init(
      chunks: first.chunks + second.chunks, rows: rows, fields: first.fields,
      eventCount: first.eventCount + second.eventCount)
  }

  /// How many tasks exist.
  package var count: Int { rows.count }

  func row(_ index: Int) -> UnsafeRawBufferPointer {
    let place = rows[index]
    return UnsafeRawBufferPointer(
      start: chunks[Int(place.chunk)].start + Int(place.offset), count: Int(place.length))
  }

  /// The id of a task by its place.
  package func id(at index: Int) -> TaskID {
    var reader = RowReader(row(index))
    return reader.id()
  }

  /// The place of a task; nil when it does not exist.
  package func index(of id: TaskID) -> Int? {
    let place = leadingCount(of: rows.count) { self.id(at: $0) < id }
    return place < rows.count && self.id(at: place) == id ? place : nil
  }

  /// The place of the first task whose id is not before a text.
  package func firstIndex(notBefore text: String) -> Int {
    leadingCount(of: rows.count) { id(at: $0).text.bytesPrecede(text) }
  }

  /// The document of a task by its place.
  package func item(at index: Int) -> TaskItem {
    var reader = RowReader(row(index))
    let id = reader.id()
    var set: [(name: String, value: Value)] = []
    for _ in 0..<reader.varint() {
      let rank = Int(reader.varint())
      if let value = reader.value() { set.append((fields.fields[rank].name, value)) }
    }
    return TaskItem(id: id, sortedFields: set.sorted { $0.name.bytesPrecede($1.name) })
  }

  /// The state digest: SHA-256 over the canonical JSON of every task, each line ended by "\n".
  package func digest() -> Digest {
    var hash = SHA256Stream()
    forEachLines { hash.update($0) }
    return hash.finish()
  }

  /// Calls `body` with the digested bytes in pieces of whole lines.
  package func forEachLines<Failure: Error>(
    _ body: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var lines: [UInt8] = []
    let writer = RowJSONWriter(fields)
    for index in 0..<count {
      writer.append(row(index), to: &lines)
      lines.append(0x0a)
      if lines.count >= 1 << 16 {
        try body(lines)
        lines.removeAll(keepingCapacity: true)
      }
    }
    if !lines.isEmpty { try body(lines) }
  }
}
