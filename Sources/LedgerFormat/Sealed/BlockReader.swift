import LedgerCore

/// Reads the events of one block, task by task, and checks all that they say.
package struct BlockReader {
  /// What index and footer say of the block.
  package struct Expectation: Sendable {
    package var entry: BlockIndex.Entry
    package var end: BlockIndex.End?
    package var sequences: ClosedRange<UInt64>
  }

  let layout: BlockLayout
  let tables: RunTables
  let clocks: ClockTable
  let expected: Expectation
  var streams: [ByteReader] = []
  /// The interned values, where many events are read; else each is asked for.
  let values: [Value]?
  /// How many tasks were not begun.
  var tasksLeft: Int
  /// So many of them were passed by: their events come next in the streams.
  var tasksPassed = 0
  /// The key that was read last.
  var upcoming = KeyBytes()
  /// Whether that is of a task that was not begun.
  var isAhead = false
  private var eventsSeen = 0
  var eventsLeft = 0
  private(set) var key: TaskKey?
  var isFirstOfTask = false
  var firstOfTask: (sequence: UInt64, time: Int64) = (0, 0)
  var previous: (sequence: UInt64, time: Int64) = (0, 0)

  /// - Parameter values: the interned values of the tables, where many events are read.
  package init(
    _ bytes: [UInt8], layout: BlockLayout, tables: RunTables, values: [Value]? = nil,
    clocks: ClockTable, expected: Expectation
  ) throws(LedgerError) {
    self.layout = layout
    self.tables = tables
    self.values = values
    self.clocks = clocks
    self.expected = expected
    tasksLeft = expected.entry.taskCount
    for range in try Self.streamRanges(bytes, layout) {
      streams.append(ByteReader(bytes, range))
    }
  }

  /// The lengths of the streams take no more bytes at the beginning of a block.
  static let headBytesMax = BlockStream.allCases.count * 10

  /// Where the streams lie in a block.
  static func streamRanges(
    _ bytes: [UInt8], _ layout: BlockLayout
  ) throws(LedgerError) -> [Range<Int>] {
    try streamRanges(bytes, layout, blockLength: bytes.count)
  }

  /// - Parameters:
  ///   - head: the block, or `headBytesMax` bytes of its beginning.
  ///   - blockLength: how many bytes the block has.
  static func streamRanges(
    _ head: [UInt8], _ layout: BlockLayout, blockLength: Int
  ) throws(LedgerError) -> [Range<Int>] {
    var reader = ByteReader(head)
    var lengths: [Int] = []
    for _ in 0..<layout.streamCount {
      let length = try reader.varint()
      guard length <= UInt64(blockLength) else { throw reader.fail("a stream is too long") }
      lengths.append(Int(length))
    }
    var ranges: [Range<Int>] = []
    var start = reader.position
    for length in lengths {
      guard length <= blockLength - start else { throw reader.fail("a stream is too long") }
      ranges.append(start..<start + length)
      start += length
    }
    guard start == blockLength else { throw reader.fail("bytes follow the last stream") }
    return ranges
  }

  /// The next task and the number of its events here; nil after the last, when all that the block holds was there. The
  /// events of the task before must have been read or skipped.
  package mutating func nextTask() throws(LedgerError) -> (id: TaskID, eventCount: Int)? {
    try passTasks()
    guard tasksLeft > 0 else {
      try checkEnd()
      return nil
    }
    tasksLeft -= 1
    if !isAhead { try upcoming.readNext(&streams, layout) }
    isAhead = false
    guard let next = upcoming.key else { throw fail(.keys, "a task id is malformed") }
    if let key {
      guard key.id < next.id else { throw fail(.keys, "the tasks are not in order") }
    } else if tasksLeft == expected.entry.taskCount - 1, next != expected.entry.firstKey {
      throw fail(.keys, "the block starts with another task than the index says")
    }
    key = next
    eventsLeft = try readCount()
    isFirstOfTask = true
    return (next.id, eventsLeft)
  }

  /// How many events come after those of the tasks that were begun or passed by.
  var eventsUnseen: Int { expected.entry.eventCount - eventsSeen }

  mutating func note(seen events: Int) { eventsSeen += events }

  /// How many events the next task has here.
  mutating func readCount() throws(LedgerError) -> Int {
    let count = try streams[BlockStream.counts.rawValue].varint()
    guard count >= 1, count <= UInt64(eventsUnseen) else {
      throw fail(.counts, "a task has \(count) events")
    }
    eventsSeen += Int(count)
    return Int(count)
  }

  /// Whether every stream was read to its end and the block ends with the task with which it should.
  private func checkEnd() throws(LedgerError) {
    for stream in streams { try stream.expectEnd() }
    guard eventsSeen == expected.entry.eventCount else {
      throw fail(.counts, "there are \(eventsSeen) events, expected \(expected.entry.eventCount)")
    }
    let isRight =
      switch (key, expected.end) {
      case (let key?, .with(let last)?): key == last
      case (let key?, .before(let next)?): key.id < next.id
      default: false
      }
    guard isRight else { throw fail(.keys, "the block ends with another task than the index says") }
  }

  func fail(_ stream: BlockStream, _ what: String) -> LedgerError {
    streams[stream.rawValue].fail(what)
  }
}
