import LedgerCore

/// Collects the events of one block.
struct BlockWriter {
  private(set) var streams = [[UInt8]](repeating: [], count: BlockStream.allCases.count)
  private(set) var eventCount = 0
  private(set) var taskCount = 0
  private(set) var firstKey: TaskKey?
  private var previousKey: TaskKey?
  private var previousStored: [UInt8] = []
  private var eventsOfTask: UInt64 = 0
  private var firstOfTask: (sequence: UInt64, time: Int64) = (0, 0)
  private var previous: (sequence: UInt64, time: Int64) = (0, 0)

  /// Whether the task that was started last has events here.
  var holdsEventsOfTask: Bool { eventsOfTask > 0 }

  /// The bytes so far, before compression.
  private(set) var rawCount = 0

  mutating func startTask(_ key: TaskKey) {
    endTask()
    if firstKey == nil { firstKey = key }
    let stored = key.stored
    var shared = 0
    if previousKey?.isPacked == key.isPacked {
      let most = min(255, previousStored.count, stored.count)
      while shared < most, previousStored[shared] == stored[shared] { shared += 1 }
    }
    with(.keys) { bytes in
      bytes.append(varint: UInt64(stored.count) << 1 | (key.isPacked ? 1 : 0))
      bytes.append(UInt8(shared))
      bytes.append(contentsOf: stored[shared...])
    }
    previousKey = key
    previousStored = stored
    taskCount += 1
  }

  /// Adds an event of the task that was started last. Its values follow by `add(_:tag:)`.
  mutating func startEvent(_ event: Event, shape: Int, context: Int) {
    let time = event.time.milliseconds
    let sequence = event.sequence
    if eventsOfTask == 0 {
      let base = firstOfTask
      with(.sequences) { $0.append(zigzag: Int64(sequence) - Int64(base.sequence)) }
      with(.times) { $0.append(zigzag: time - base.time) }
      firstOfTask = (sequence, time)
    } else {
      let base = previous
      with(.sequences) { $0.append(varint: sequence - base.sequence) }
      with(.times) { $0.append(zigzag: time - base.time) }
    }
    previous = (sequence, time)
    with(.shapes) { $0.append(varint: UInt64(shape)) }
    with(.contexts) { $0.append(varint: UInt64(context)) }
    eventsOfTask += 1
    eventCount += 1
  }

  mutating func addDetails(_ body: (inout [UInt8]) -> Void) { with(.details, body) }

  /// Adds what a tag says follows.
  mutating func add(_ value: Value, tag: UInt8, interned: Int) {
    switch (tag, value) {
    case (ValueTag.interned, _): with(.interned) { $0.append(varint: UInt64(interned)) }
    case (ValueTag.date, .text(let text)):
      with(.dates) { $0.append(zigzag: DateText.number(text) ?? 0) }
    case (_, .bool): break
    case (_, .int(let number)): with(.integers) { $0.append(zigzag: number) }
    case (_, .double(let number)): with(.doubles) { $0.append(u64: number.bitPattern) }
    case (_, .text(let text)):
      with(.lengths) { $0.append(varint: UInt64(text.utf8.count)) }
      with(.texts) { $0.append(contentsOf: text.utf8) }
    case (_, .array(let values)):
      with(.arrays) { bytes in
        bytes.append(varint: UInt64(values.count))
        for value in values { bytes.append(value: value) }
      }
    }
  }

  private mutating func with(_ stream: BlockStream, _ body: (inout [UInt8]) -> Void) {
    let before = streams[stream.rawValue].count
    body(&streams[stream.rawValue])
    rawCount += streams[stream.rawValue].count - before
  }

  private mutating func endTask() {
    if taskCount > 0 {
      let events = eventsOfTask
      with(.counts) { $0.append(varint: events) }
    }
    eventsOfTask = 0
  }

  /// The block before compression: the lengths of all streams, then the streams.
  mutating func finish() -> [UInt8] {
    endTask()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rawCount + 64)
    for stream in streams { bytes.append(varint: UInt64(stream.count)) }
    for stream in streams { bytes.append(contentsOf: stream) }
    return bytes
  }
}
