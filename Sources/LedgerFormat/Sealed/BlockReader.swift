import LedgerCore

/// Reads the events of one block, task by task, and checks all that they say.
package struct BlockReader {
  /// What index and footer say of the block.
  package struct Expectation: Sendable {
    package var entry: BlockIndex.Entry
    package var end: BlockIndex.End?
    package var sequences: ClosedRange<UInt64>
  }

  private let tables: RunTables
  private let clocks: ClockTable
  private let expected: Expectation
  private var streams: [ByteReader] = []
  private var tasksLeft: Int
  private var eventsSeen = 0
  private var eventsLeft = 0
  private var key: TaskKey?
  private var isFirstOfTask = false
  private var firstOfTask: (sequence: UInt64, time: Int64) = (0, 0)
  private var previous: (sequence: UInt64, time: Int64) = (0, 0)

  package init(
    _ bytes: [UInt8], tables: RunTables, clocks: ClockTable, expected: Expectation
  ) throws(LedgerError) {
    self.tables = tables
    self.clocks = clocks
    self.expected = expected
    tasksLeft = expected.entry.taskCount
    for range in try Self.streamRanges(bytes) { streams.append(ByteReader(bytes, range)) }
  }

  /// Where the streams lie in a block.
  static func streamRanges(_ bytes: [UInt8]) throws(LedgerError) -> [Range<Int>] {
    var reader = ByteReader(bytes)
    var lengths: [Int] = []
    for _ in BlockStream.allCases {
      let length = try reader.varint()
      guard length <= UInt64(bytes.count) else { throw reader.fail("a stream is too long") }
      lengths.append(Int(length))
    }
    var ranges: [Range<Int>] = []
    var start = reader.position
    for length in lengths {
      guard length <= bytes.count - start else { throw reader.fail("a stream is too long") }
      ranges.append(start..<start + length)
      start += length
    }
    guard start == bytes.count else { throw reader.fail("bytes follow the last stream") }
    return ranges
  }

  /// The next task and the number of its events here; nil after the last, when all that the block holds was there. The
  /// events of the task before must have been read or skipped.
  package mutating func nextTask() throws(LedgerError) -> (id: TaskID, eventCount: Int)? {
    guard tasksLeft > 0 else {
      try checkEnd()
      return nil
    }
    tasksLeft -= 1
    let next = try readKey()
    if let key {
      guard key.id < next.id else { throw fail(.keys, "the tasks are not in order") }
    } else if next != expected.entry.firstKey {
      throw fail(.keys, "the block starts with another task than the index says")
    }
    key = next
    let count = try streams[BlockStream.counts.rawValue].varint()
    guard count >= 1, count <= UInt64(expected.entry.eventCount - eventsSeen) else {
      throw fail(.counts, "a task has \(count) events")
    }
    eventsSeen += Int(count)
    eventsLeft = Int(count)
    isFirstOfTask = true
    return (next.id, Int(count))
  }

  private mutating func readKey() throws(LedgerError) -> TaskKey {
    let head = try streams[BlockStream.keys.rawValue].varint()
    let shared = Int(try streams[BlockStream.keys.rawValue].u8())
    let isPacked = head & 1 == 1
    guard head >> 1 <= UInt64(Limits.idBytesMax), shared <= Int(head >> 1) else {
      throw fail(.keys, "a task id has \(head >> 1) bytes")
    }
    var stored: [UInt8] = []
    if shared > 0 {
      guard let key, shared <= key.stored.count, isPacked == key.isPacked else {
        throw fail(.keys, "a task id shares \(shared) bytes with one that has them not")
      }
      stored.append(contentsOf: key.stored[..<shared])
    }
    stored.append(
      contentsOf: try streams[BlockStream.keys.rawValue].take(Int(head >> 1) - shared))
    guard let key = TaskKey(stored: stored, isPacked: isPacked) else {
      throw fail(.keys, "a task id is malformed")
    }
    return key
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

  private func fail(_ stream: BlockStream, _ what: String) -> LedgerError {
    streams[stream.rawValue].fail(what)
  }

  /// Passes over the events of the task that are left.
  package mutating func skipTask() throws(LedgerError) {
    while eventsLeft > 0 {
      eventsLeft -= 1
      _ = try readPosition()
      let (shape, context) = try readNumbers()
      try skipDetails(tables.contexts[context].flags)
      for part in tables.shapes[shape].parts { try skipValue(tag: part.tag) }
    }
  }

  /// The numbers of the next event's shape and context.
  private mutating func readNumbers() throws(LedgerError) -> (shape: Int, context: Int) {
    let shape = try streams[BlockStream.shapes.rawValue].varint()
    let context = try streams[BlockStream.contexts.rawValue].varint()
    guard shape < UInt64(tables.shapes.count), context < UInt64(tables.contexts.count) else {
      throw fail(.shapes, "an event names what is not there")
    }
    return (Int(shape), Int(context))
  }

  private mutating func skipDetails(_ flags: UInt8) throws(LedgerError) {
    let details = BlockStream.details.rawValue
    if flags & ContextFlag.message != 0 {
      _ = try streams[details].take(try streams[details].count())
    }
    let numbers = [
      ContextFlag.internedMessage, ContextFlag.follows, ContextFlag.count, ContextFlag.undoes,
    ]
    for flag in numbers where flags & flag != 0 { _ = try streams[details].varint() }
  }

  private mutating func skipValue(tag: UInt8) throws(LedgerError) {
    switch tag {
    case ValueTag.unset, ValueTag.no, ValueTag.yes: break
    case ValueTag.int: _ = try streams[BlockStream.integers.rawValue].varint()
    case ValueTag.double: _ = try streams[BlockStream.doubles.rawValue].take(8)
    case ValueTag.date: _ = try streams[BlockStream.dates.rawValue].varint()
    case ValueTag.interned: _ = try streams[BlockStream.interned.rawValue].varint()
    case ValueTag.text:
      let length = try streams[BlockStream.lengths.rawValue].varint()
      _ = try streams[BlockStream.texts.rawValue].take(Int(clamping: length))
    default: _ = try streams[BlockStream.arrays.rawValue].arrayBody()
    }
  }

  /// The next event of the task.
  package mutating func nextEvent() throws(LedgerError) -> Event {
    guard let id = key?.id, eventsLeft > 0 else { throw fail(.shapes, "a task has no more events") }
    eventsLeft -= 1
    let (sequence, time) = try readPosition()
    let numbers = try readNumbers()
    let shape = tables.shapes[numbers.shape]
    let context = tables.contexts[numbers.context]
    let replica = tables.replicas[Int(context.replica)]
    var event = Event(
      sequence: sequence,
      stamp: Stamp(
        time: time, replica: replica.id,
        count: UInt64(bitPattern: Int64(bitPattern: sequence) &+ replica.bias)),
      kind: shape.kind, task: id, changes: [], author: tables.authors[Int(context.author)],
      transaction: sequence, endsTransaction: context.flags & ContextFlag.ends != 0, recorded: time)
    try readDetails(context.flags, into: &event)
    event.changes.reserveCapacity(shape.parts.count)
    for part in shape.parts {
      let name = tables.fields[Int(part.field)]
      let value = try readValue(tag: part.tag)
      // Which interned value it is the shape does not say: of the standard fields only `body` can have one.
      if part.tag == ValueTag.interned, name == .body, case .array? = value {
        throw fail(.interned, "a body is an array")
      }
      event.changes.append(FieldChange(name, value))
    }
    return event
  }

  private mutating func readPosition() throws(LedgerError) -> (UInt64, LedgerTime) {
    let base = isFirstOfTask ? firstOfTask : previous
    let step =
      isFirstOfTask
      ? try streams[BlockStream.sequences.rawValue].zigzag()
      : Int64(clamping: try streams[BlockStream.sequences.rawValue].varint())
    let (sequence, overflow) = Int64(bitPattern: base.sequence).addingReportingOverflow(step)
    guard !overflow, sequence >= 1, expected.sequences.contains(UInt64(sequence)),
      isFirstOfTask || step >= 1
    else { throw fail(.sequences, "a sequence number is impossible") }
    let time = try streams[BlockStream.times.rawValue].time(relativeTo: base.time)
    previous = (UInt64(sequence), time.milliseconds)
    if isFirstOfTask { firstOfTask = previous }
    isFirstOfTask = false
    return (UInt64(sequence), time)
  }

  private mutating func readDetails(
    _ flags: UInt8, into event: inout Event
  ) throws(LedgerError) {
    let details = BlockStream.details.rawValue
    if flags & ContextFlag.message != 0 { event.message = try streams[details].text() }
    if flags & ContextFlag.internedMessage != 0 {
      let number = try streams[details].varint()
      guard number < UInt64(tables.messages.count) else {
        throw streams[details].fail("an event names no message")
      }
      event.message = tables.messages[Int(number)]
    }
    if flags & ContextFlag.follows != 0 {
      let distance = try streams[details].varint()
      guard distance < event.sequence else { throw streams[details].fail("a transaction is odd") }
      event.transaction = event.sequence - distance
    }
    if flags & ContextFlag.recorded != 0 {
      guard let recorded = clocks.recorded(at: event.sequence) else {
        throw streams[details].fail("the clock of an event is missing")
      }
      event.recorded = recorded
    }
    if flags & ContextFlag.count != 0 {
      event.stamp.count &+= UInt64(bitPattern: try streams[details].zigzag())
    }
    if flags & ContextFlag.undoes != 0 { event.undoes = try streams[details].undoes() }
  }

  private mutating func readValue(tag: UInt8) throws(LedgerError) -> Value? {
    switch tag {
    case ValueTag.unset: return nil
    case ValueTag.no: return .bool(false)
    case ValueTag.yes: return .bool(true)
    case ValueTag.int: return .int(try streams[BlockStream.integers.rawValue].zigzag())
    case ValueTag.double: return try streams[BlockStream.doubles.rawValue].double()
    case ValueTag.date: return .text(try streams[BlockStream.dates.rawValue].date())
    case ValueTag.interned:
      let number = try streams[BlockStream.interned.rawValue].varint()
      guard number < UInt64(tables.values.count) else {
        throw fail(.interned, "an event names no value")
      }
      return tables.values[Int(number)]
    case ValueTag.text:
      let length = try streams[BlockStream.lengths.rawValue].varint()
      let slice = try streams[BlockStream.texts.rawValue].take(Int(clamping: length))
      guard let text = String(validating: slice, as: UTF8.self) else {
        throw fail(.texts, "a text is not UTF-8")
      }
      return .text(text)
    default: return try streams[BlockStream.arrays.rawValue].arrayBody()
    }
  }
}
