import LedgerCore

/// Where the blocks of a run are and which task each starts with.
package struct BlockIndex: Sendable {
  package struct Entry: Sendable {
    package var firstKey: TaskKey
    package var offset: UInt64
    package var storedLength: Int
    package var rawLength: Int
    package var eventCount: Int
    package var taskCount: Int
    package var checksum: UInt64
    /// Whether its first task is the last of the block before it.
    package var continues: Bool
  }

  package private(set) var entries: [Entry] = []
  /// The key of the run's last task.
  package private(set) var lastKey: TaskKey?

  package init() {}

  package mutating func append(_ entry: Entry) { entries.append(entry) }

  package mutating func end(with key: TaskKey) { lastKey = key }

  /// The blocks that can hold events of a task.
  package func blocks(of task: TaskID) -> Range<Int> {
    if let lastKey, lastKey.id < task { return 0..<0 }
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].firstKey.id < task { low = middle + 1 } else { high = middle }
    }
    // `low` is the first block that starts at or after the task: the one before it can hold its beginning.
    let first = max(0, low - 1)
    var end = low
    while end < entries.count, entries[end].firstKey.id == task { end += 1 }
    return first..<max(end, min(first + 1, entries.count))
  }

  /// The blocks that can hold tasks whose ids start with a text.
  package func blocks(startingWith text: String) -> Range<Int> {
    let first = entries.firstIndex { !$0.firstKey.id.text.bytesPrecede(text) } ?? entries.count
    var end = first
    while end < entries.count, entries[end].firstKey.id.text.utf8.starts(with: text.utf8) {
      end += 1
    }
    return max(0, first - 1)..<end
  }

  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(varint: UInt64(entries.count))
    for entry in entries {
      entry.firstKey.append(to: &bytes)
      bytes.append(varint: UInt64(entry.storedLength))
      bytes.append(varint: UInt64(entry.rawLength))
      bytes.append(varint: UInt64(entry.eventCount))
      bytes.append(varint: UInt64(entry.taskCount))
      bytes.append(u64: entry.checksum)
      bytes.append(entry.continues ? 1 : 0)
    }
    lastKey?.append(to: &bytes)
    return bytes
  }

  /// Reads an index whose blocks lie one after the other from `start` to `end`.
  package init(
    _ bytes: [UInt8], start: UInt64, end: UInt64, eventCount: UInt64
  ) throws(LedgerError) {
    var reader = ByteReader(bytes)
    var offset = start
    var events: UInt64 = 0
    for _ in 0..<(try reader.count(bytesEach: 14)) {
      let key = try TaskKey(&reader)
      let stored = try reader.varint()
      let raw = try reader.varint()
      let inBlock = try reader.varint()
      let tasks = try reader.varint()
      let checksum = try reader.u64()
      let continues = try reader.u8()
      guard stored <= end - offset, raw <= UInt64(RunWriter.sectionBytesMax), inBlock <= eventCount,
        tasks >= 1, tasks <= inBlock, continues <= 1
      else { throw reader.fail("an entry of the index is impossible") }
      if let last = entries.last {
        guard continues == 1 ? last.firstKey.id <= key.id : last.firstKey.id < key.id else {
          throw reader.fail("the blocks are not in order")
        }
      }
      entries.append(
        Entry(
          firstKey: key, offset: offset, storedLength: Int(stored), rawLength: Int(raw),
          eventCount: Int(inBlock), taskCount: Int(tasks), checksum: checksum,
          continues: continues == 1))
      offset += stored
      events += inBlock
    }
    let last = try TaskKey(&reader)
    lastKey = last
    try reader.expectEnd()
    guard entries.last.map({ $0.firstKey.id <= last.id }) ?? false else {
      throw reader.fail("the last task does not follow the blocks")
    }
    guard offset == end, events == eventCount else {
      throw reader.fail("the index holds \(events) events, expected \(eventCount)")
    }
  }
}
