import LedgerCore

/// The events of a task, one after the other.
extension BlockReader {
  /// The numbers of the next event's shape and context.
  mutating func readNumbers() throws(LedgerError) -> (shape: Int, context: Int) {
    let shape = try streams[BlockStream.shapes.rawValue].varint()
    let context = try streams[BlockStream.contexts.rawValue].varint()
    guard shape < UInt64(tables.shapes.count), context < UInt64(tables.contexts.count) else {
      throw fail(.shapes, "an event names what is not there")
    }
    return (Int(shape), Int(context))
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

  mutating func readPosition() throws(LedgerError) -> (UInt64, LedgerTime) {
    let base = isFirstOfTask ? firstOfTask : previous
    let step =
      isFirstOfTask
      ? try streams[BlockStream.sequences.rawValue].zigzag()
      : Int64(clamping: try streams[BlockStream.sequences.rawValue].varint())
    let (sequence, overflow) = Int64(bitPattern: base.sequence).addingReportingOverflow(step)
    guard !overflow, sequence >= 1, expected.sequences.contains(UInt64(sequence)),
      isFirstOfTask || step >= 1
    else { throw fail(.sequences, "a sequence number is impossible") }
    let time =
      layout == .version1
      ? try streams[BlockStream.times.rawValue].time(relativeTo: base.time)
      : try readTime(of: UInt64(sequence))
    previous = (UInt64(sequence), time.milliseconds)
    if isFirstOfTask { firstOfTask = previous }
    isFirstOfTask = false
    return (UInt64(sequence), time)
  }

  private mutating func readTime(of sequence: UInt64) throws(LedgerError) -> LedgerTime {
    let upper = try streams[BlockStream.times.rawValue].varint()
    let lowest = UInt64(try streams[BlockStream.moments.rawValue].u8())
    guard upper <= UInt64.max >> 8 else { throw fail(.times, "a time has more than 64 bits") }
    let zigzag = upper << 8 | lowest
    let off = Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
    let (time, overflow) = clocks.anchors.guess(sequence).addingReportingOverflow(off)
    guard !overflow, LedgerTime.covers(time) else {
      throw fail(.times, "a time lies outside the years 0000 to 9999")
    }
    return LedgerTime(unchecked: time)
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
      if let values { return values[Int(number)] }
      return try tables.values.value(Int(number))
    case ValueTag.text:
      let length = try streams[BlockStream.lengths.rawValue].varint()
      let slice = try streams[BlockStream.texts.rawValue].take(Int(clamping: length))
      guard let text = String(checking: slice) else {
        throw fail(.texts, "a text is not UTF-8")
      }
      return .text(text)
    default: return try streams[BlockStream.arrays.rawValue].arrayBody()
    }
  }
}
