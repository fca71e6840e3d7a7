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

  /// What the index says of the last task of a block.
  package enum End: Sendable {
    /// It is this one.
    case with(TaskKey)
    /// It comes before this one.
    case before(TaskKey)
  }

  package private(set) var entries: [Entry] = []
  /// The key of the run's last task.
  package private(set) var lastKey: TaskKey?

  package init() {}

  package mutating func append(_ entry: Entry) { entries.append(entry) }

  package mutating func end(with key: TaskKey) { lastKey = key }

  /// What must be true of the last task of a block; nil where there is no such block.
  package func end(ofBlock number: Int) -> End? {
    guard number + 1 < entries.count else { return lastKey.map(End.with) }
    let next = entries[number + 1]
    return next.continues ? .with(next.firstKey) : .before(next.firstKey)
  }

  /// The blocks that can hold events of a task.
  package func blocks(of task: TaskID) -> Range<Int> {
    if let lastKey, lastKey.id < task { return 0..<0 }
    if let first = entries.first, task < first.firstKey.id { return 0..<0 }
    let low = firstBlock(notBefore: task)
    // `low` is the first block that starts at or after the task: the one before it can hold its beginning, unless that one starts
    // with the task and does not go on with it.
    let startsHere =
      low < entries.count && entries[low].firstKey.id == task && !entries[low].continues
    let first = startsHere ? low : max(0, low - 1)
    var end = low
    while end < entries.count, entries[end].firstKey.id == task { end += 1 }
    return first..<max(end, min(first + 1, entries.count))
  }

  /// The first block whose first task does not come before one; the number of blocks when there is none.
  package func firstBlock(notBefore task: TaskID) -> Int {
    entries.prefixCount { $0.firstKey.id < task }
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

  /// Reads an index whose blocks lie one after the other from `start` to `end`, which is not before it.
  package init(
    _ bytes: [UInt8], start: UInt64, end: UInt64, eventCount: UInt64, taskCount: UInt64
  ) throws(LedgerError) {
    var reader = ByteReader(bytes)
    var offset = start
    var events: UInt64 = 0
    var tasks: UInt64 = 0
    let count = try reader.count(bytesEach: 14)
    guard UInt64(count) <= eventCount else { throw reader.fail("there are \(count) blocks") }
    entries.reserveCapacity(count)
    for _ in 0..<count {
      let entry = try Entry(&reader, offset: offset, end: end, eventsMax: eventCount - events)
      guard follows(entry) else { throw reader.fail("the blocks are not in order") }
      entries.append(entry)
      offset += UInt64(entry.storedLength)
      events += UInt64(entry.eventCount)
      tasks += UInt64(entry.taskCount) - (entry.continues ? 1 : 0)
    }
    let last = try TaskKey(&reader)
    lastKey = last
    try reader.expectEnd()
    guard let lastEntry = entries.last, lastEntry.firstKey.id <= last.id else {
      throw reader.fail("the last task does not follow the blocks")
    }
    guard offset == end, events == eventCount, tasks == taskCount else {
      throw reader.fail(
        "the index holds \(events) events of \(tasks) tasks, expected \(eventCount) of \(taskCount)"
      )
    }
  }

  /// Whether a block can stand after the last one.
  private func follows(_ entry: Entry) -> Bool {
    guard !entries.isEmpty else { return !entry.continues }
    let last = entries.count - 1
    // A block of one task ends with the task with which it starts, one of several with another.
    let repeats = entry.continues && entries[last].taskCount == 1
    return repeats
      ? entries[last].firstKey == entry.firstKey : entries[last].firstKey.id < entry.firstKey.id
  }
}

extension BlockIndex.Entry {
  /// Reads the entry of a block that starts at `offset` and ends no later than `end`.
  fileprivate init(
    _ reader: inout ByteReader, offset: UInt64, end: UInt64, eventsMax: UInt64
  ) throws(LedgerError) {
    firstKey = try TaskKey(&reader)
    let stored = try reader.varint()
    let raw = try reader.varint()
    let events = try reader.varint()
    let tasks = try reader.varint()
    checksum = try reader.u64()
    continues = try reader.flag()
    guard stored <= end - offset, raw <= UInt64(RunWriter.blockBytesMax), events <= eventsMax,
      tasks >= 1, tasks <= events
    else { throw reader.fail("an entry of the index is impossible") }
    self.offset = offset
    storedLength = Int(stored)
    rawLength = Int(raw)
    eventCount = Int(events)
    taskCount = Int(tasks)
  }
}
