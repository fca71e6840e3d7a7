import LedgerCore

/// Collects the events of one block.
struct BlockWriter {
  private(set) var streams = [[UInt8]](repeating: [], count: BlockStream.allCases.count)
  private(set) var eventCount = 0
  private(set) var taskCount = 0
  private(set) var firstKey: TaskKey?
  private let anchors: TimeAnchors
  /// Of the key before: its first six bytes where it is packed, else its text.
  private var previousLead: UInt64 = 0
  private var previousText: [UInt8] = []
  private var eventsOfTask: UInt64 = 0
  private var firstOfTask: UInt64 = 0
  private var previous: UInt64 = 0

  /// Whether the task that was started last has events here.
  var holdsEventsOfTask: Bool { eventsOfTask > 0 }

  /// The bytes so far, before compression.
  private(set) var rawCount = 0

  /// - Parameter anchors: those of the run.
  init(anchors: TimeAnchors) { self.anchors = anchors }

  mutating func startTask(_ key: TaskKey) {
    endTask()
    if firstKey == nil { firstKey = key }
    if let uuid = key.id.uuid { add(KeyParts(high: uuid.high, low: uuid.low)) } else { add(key) }
    taskCount += 1
  }

  private mutating func add(_ key: KeyParts) {
    let step = key.lead &- previousLead
    with(.keys) { $0.append(varint: (step >> 8) << 1 | 1) }
    with(.marks) { $0.append(key.mark) }
    with(.tails) { bytes in
      bytes.append(UInt8(truncatingIfNeeded: step))
      bytes.append(key.mixed)
      bytes.append(u64: key.rest.byteSwapped)
    }
    previousLead = key.lead
    previousText = []
  }

  private mutating func add(_ text: TaskKey) {
    let stored = text.stored
    var shared = 0
    let most = min(255, previousText.count, stored.count)
    while shared < most, previousText[shared] == stored[shared] { shared += 1 }
    with(.keys) { bytes in
      bytes.append(varint: UInt64(stored.count) << 1)
      bytes.append(UInt8(shared))
      bytes.append(contentsOf: stored[shared...])
    }
    previousLead = 0
    previousText = stored
  }

  /// Adds an event of the task that was started last. Its values follow by `add(_:tag:)`.
  mutating func startEvent(_ sequence: UInt64, _ time: LedgerTime, shape: Int, context: Int) {
    if eventsOfTask == 0 {
      let base = firstOfTask
      with(.sequences) { $0.append(zigzag: Int64(sequence) - Int64(base)) }
      firstOfTask = sequence
    } else {
      let base = previous
      with(.sequences) { $0.append(varint: sequence - base) }
    }
    previous = sequence
    let off = time.milliseconds - anchors.guess(sequence)
    let zigzag = UInt64(bitPattern: off << 1 ^ off >> 63)
    with(.times) { $0.append(varint: zigzag >> 8) }
    with(.moments) { $0.append(UInt8(truncatingIfNeeded: zigzag)) }
    with(.shapes) { $0.append(varint: UInt64(shape)) }
    with(.contexts) { $0.append(varint: UInt64(context)) }
    eventsOfTask += 1
    eventCount += 1
  }

  mutating func addDetails(_ body: (inout [UInt8]) -> Void) { with(.details, body) }

  /// Adds bytes of a stream that are the same in the block from which they come.
  mutating func copy(_ bytes: ArraySlice<UInt8>, to stream: BlockStream) {
    with(stream) { $0.append(contentsOf: bytes) }
  }

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
