import LedgerCore

/// How many values of each stream the events of one shape have.
package struct ShapeValues: Sendable {
  var integers = 0
  var doubles = 0
  var interned = 0
  var dates = 0
  var texts = 0
  var arrays = 0

  init(_ shape: RunTables.Shape) {
    for part in shape.parts {
      switch part.tag {
      case ValueTag.int: integers += 1
      case ValueTag.double: doubles += 1
      case ValueTag.interned: interned += 1
      case ValueTag.date: dates += 1
      case ValueTag.text: texts += 1
      case ValueTag.array: arrays += 1
      default: break
      }
    }
  }

  init() {}

  static func += (sum: inout ShapeValues, other: ShapeValues) { sum.add(other, times: 1) }

  /// Adds those of several events of one shape.
  mutating func add(_ other: ShapeValues, times events: Int) {
    // No block has so many that one of them could overflow.
    integers &+= other.integers &* events
    doubles &+= other.doubles &* events
    interned &+= other.interned &* events
    dates &+= other.dates &* events
    texts &+= other.texts &* events
    arrays &+= other.arrays &* events
  }
}

/// Passing over tasks: of their events no more is looked at than where those of the next task start.
extension BlockReader {
  /// Passes over the events of the task that are left.
  package mutating func skipTask() throws(LedgerError) {
    let count = eventsLeft
    for _ in 0..<count { _ = try readPosition() }
    eventsLeft = 0
    try passValues(of: count)
  }

  /// Moves to a task, past all before it; their events must have been read or skipped up to where it stands.
  ///
  /// - Parameter task: comes after all that were asked for before.
  /// - Returns: the number of its events here; nil where it is not there.
  package mutating func seek(_ task: TaskID) throws(LedgerError) -> Int? {
    let wanted = KeyBytes(TaskKey(task))
    while tasksLeft > tasksPassed {
      if !isAhead { try upcoming.readNext(&streams, layout) }
      isAhead = true
      if !upcoming.precedes(wanted) {
        return upcoming.isSame(as: wanted) ? try nextTask()?.eventCount : nil
      }
      isAhead = false
      tasksPassed += 1
    }
    return nil
  }

  /// Moves to a task whose key was found in the block, of which nothing was read so far.
  mutating func move(to found: BlockKeys, place: Int) {
    for stream in [BlockStream.keys, .marks, .tails] where stream.rawValue < streams.count {
      streams[stream.rawValue] = found.streams[stream.rawValue]
    }
    (upcoming, isAhead, tasksPassed) = (found.current, true, place)
  }

  /// Passes over the events of tasks whose keys were passed by.
  mutating func passTasks() throws(LedgerError) {
    guard tasksPassed > 0 else { return }
    tasksLeft -= tasksPassed
    let events = layout == .version1 ? try passPositionsOfOld() : try passPositions()
    tasksPassed = 0
    try passValues(of: events)
  }

  /// Passes over the numbers of events, sequence numbers and times of tasks: of those of a task only the first counts for the next.
  ///
  /// - Returns: how many events the tasks have.
  private mutating func passPositions() throws(LedgerError) -> Int {
    var counts = streams[BlockStream.counts.rawValue]
    var sequences = streams[BlockStream.sequences.rawValue]
    var first = Int64(bitPattern: firstOfTask.sequence)
    var left = eventsUnseen
    for _ in 0..<tasksPassed {
      let count = try counts.varint()
      guard count >= 1, count <= UInt64(left) else {
        throw counts.fail("a task has \(count) events")
      }
      left -= Int(count)
      first &+= try sequences.zigzag()
      guard expected.sequences.contains(UInt64(bitPattern: first)) else {
        throw sequences.fail("a sequence number is impossible")
      }
      try sequences.skipVarints(Int(count) - 1)
    }
    let events = eventsUnseen - left
    streams[BlockStream.counts.rawValue] = counts
    streams[BlockStream.sequences.rawValue] = sequences
    try streams[BlockStream.times.rawValue].skipVarints(events)
    try streams[BlockStream.moments.rawValue].skip(events)
    firstOfTask.sequence = UInt64(bitPattern: first)
    note(seen: events)
    return events
  }

  /// The same of versions 1 to 3, where the time of a task's first event counts for the next, too.
  private mutating func passPositionsOfOld() throws(LedgerError) -> Int {
    var events = 0
    for _ in 0..<tasksPassed {
      let count = try readCount()
      isFirstOfTask = true
      _ = try readPosition()
      try streams[BlockStream.sequences.rawValue].skipVarints(count - 1)
      try streams[BlockStream.times.rawValue].skipVarints(count - 1)
      events += count
    }
    return events
  }

  private mutating func passValues(of events: Int) throws(LedgerError) {
    let values = try passNumbers(of: events)
    try streams[BlockStream.integers.rawValue].skipVarints(values.integers)
    try streams[BlockStream.doubles.rawValue].skip(8 * values.doubles)
    try streams[BlockStream.interned.rawValue].skipVarints(values.interned)
    try streams[BlockStream.dates.rawValue].skipVarints(values.dates)
    var bytes = 0
    for _ in 0..<values.texts {
      let length = try streams[BlockStream.lengths.rawValue].varint()
      let (sum, overflow) = bytes.addingReportingOverflow(Int(clamping: length))
      guard !overflow else { throw fail(.lengths, "a text has \(length) bytes") }
      bytes = sum
    }
    try streams[BlockStream.texts.rawValue].skip(bytes)
    for _ in 0..<values.arrays { try streams[BlockStream.arrays.rawValue].skipArrayBody() }
  }

  /// Passes over the shapes, contexts and details of events.
  ///
  /// - Returns: how many values they have.
  private mutating func passNumbers(of events: Int) throws(LedgerError) -> ShapeValues {
    var shapes = streams[BlockStream.shapes.rawValue]
    var contexts = streams[BlockStream.contexts.rawValue]
    var ofShape = [Int](repeating: 0, count: tables.shapes.count)
    for _ in 0..<events {
      let shape = try shapes.varint()
      let context = try contexts.varint()
      guard shape < UInt64(ofShape.count), context < UInt64(tables.contexts.count) else {
        throw shapes.fail("an event names what is not there")
      }
      ofShape[Int(shape)] += 1
      let flags = tables.contexts[Int(context)].flags
      if flags & ContextFlag.inDetails != 0 { try skipDetails(flags) }
    }
    streams[BlockStream.shapes.rawValue] = shapes
    streams[BlockStream.contexts.rawValue] = contexts
    var values = ShapeValues()
    for (shape, events) in ofShape.enumerated() where events > 0 {
      values.add(tables.shapeValues[shape], times: events)
    }
    return values
  }

  private mutating func skipDetails(_ flags: UInt8) throws(LedgerError) {
    let details = BlockStream.details.rawValue
    if flags & ContextFlag.message != 0 {
      try streams[details].skip(try streams[details].count())
    }
    let numbers = ContextFlag.inDetails & ~ContextFlag.message
    try streams[details].skipVarints((flags & numbers).nonzeroBitCount)
  }
}
