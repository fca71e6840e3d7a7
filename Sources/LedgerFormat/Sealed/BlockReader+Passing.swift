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

  static func += (sum: inout ShapeValues, other: ShapeValues) {
    // No block has so many that one of them could overflow.
    sum.integers &+= other.integers
    sum.doubles &+= other.doubles
    sum.interned &+= other.interned
    sum.dates &+= other.dates
    sum.texts &+= other.texts
    sum.arrays &+= other.arrays
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

  /// Passes over the events of tasks whose keys were passed by.
  mutating func passTasks() throws(LedgerError) {
    guard tasksPassed > 0 else { return }
    tasksLeft -= tasksPassed
    var events = 0
    for _ in 0..<tasksPassed {
      let count = try readCount()
      isFirstOfTask = true
      _ = try readPosition()
      try streams[BlockStream.sequences.rawValue].skipVarints(count - 1)
      try streams[BlockStream.times.rawValue].skipVarints(count - 1)
      if layout == .version4 { try streams[BlockStream.moments.rawValue].skip(count - 1) }
      events += count
    }
    tasksPassed = 0
    try passValues(of: events)
  }

  private mutating func passValues(of events: Int) throws(LedgerError) {
    var values = ShapeValues()
    for _ in 0..<events {
      let (shape, context) = try readNumbers()
      values += tables.shapeValues[shape]
      let flags = tables.contexts[context].flags
      if flags & ContextFlag.inDetails != 0 { try skipDetails(flags) }
    }
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
    for _ in 0..<values.arrays { _ = try streams[BlockStream.arrays.rawValue].arrayBody() }
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
