import LedgerCore

/// The payload of a frame: the events of one transaction in order.
///
/// ```
/// payload  = recorded:zigzag event*
/// event    = head:u8 flags:u8 time:zigzag [author] [message] [undoes] [origin] task changes
/// ```
/// `head` is the kind. `time` is the difference to the event before it, in the first event to `recorded`. The flags say
/// what is there; an author or message that is not is the one of the event before it (a message can also be absent). An
/// origin (replica, count) that is not there is the segment's replica with its next count.
package enum TransactionCoding {
  private static let authorFlag: UInt8 = 1
  private static let messageFlag: UInt8 = 2
  private static let sameMessageFlag: UInt8 = 4
  private static let undoesFlag: UInt8 = 8
  private static let originFlag: UInt8 = 16
  /// Kind, flags, time, two bytes of the task's id, number of changes: no event is smaller.
  private static let eventBytesMin = 6

  /// Encodes the events of one transaction, of which there is at least one.
  ///
  /// - Parameters:
  ///   - replica: the segment's replica.
  ///   - ownCount: that replica's count before the first event.
  package static func encode(
    _ events: [Event], replica: ReplicaID, ownCount: UInt64
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(128 * events.count)
    var count = ownCount
    if let first = events.first { bytes.append(zigzag: first.recorded.milliseconds) }
    for place in events.indices {
      let stamp = events[place].stamp
      let isOwn = stamp.replica == replica && stamp.count == count &+ 1
      if isOwn { count &+= 1 }
      append(events[place], after: place > 0 ? events[place - 1] : nil, isOwn: isOwn, to: &bytes)
    }
    return bytes
  }

  private static func append(
    _ event: Event, after previous: Event?, isOwn: Bool, to bytes: inout [UInt8]
  ) {
    let sameAuthor = previous.map { $0.author.hasSameBytes(as: event.author) } ?? false
    let sameMessage = event.message.flatMap { message in
      previous?.message.map { $0.hasSameBytes(as: message) }
    }
    var flags: UInt8 = 0
    if !sameAuthor { flags |= authorFlag }
    if sameMessage == true {
      flags |= sameMessageFlag
    } else if event.message != nil {
      flags |= messageFlag
    }
    if event.undoes != nil { flags |= undoesFlag }
    if !isOwn { flags |= originFlag }
    bytes.append(event.kind.rawValue)
    bytes.append(flags)
    let base = previous?.time ?? event.recorded
    bytes.append(zigzag: event.time.milliseconds - base.milliseconds)
    if !sameAuthor { bytes.append(text: event.author) }
    if let message = event.message, sameMessage != true { bytes.append(text: message) }
    if let undoes = event.undoes { bytes.append(varint: undoes) }
    if !isOwn {
      bytes.append(replica: event.stamp.replica)
      bytes.append(varint: event.stamp.count)
    }
    TaskKey(event.task).append(to: &bytes)
    bytes.append(varint: UInt64(event.changes.count))
    for change in event.changes {
      bytes.append(text: change.name.text)
      bytes.append(value: change.value)
    }
  }

  /// Decodes `eventCount` events, the first of which has `firstSequence`.
  package static func decode(
    _ payload: [UInt8], firstSequence: UInt64, eventCount: Int, replica: ReplicaID, ownCount: UInt64
  ) throws(LedgerError) -> [Event] {
    var reader = ByteReader(payload)
    let recorded = try reader.time(relativeTo: 0)
    var events: [Event] = []
    guard eventCount <= min(Limits.transactionEventsMax, reader.remaining / eventBytesMin) else {
      throw reader.fail("too few bytes for \(eventCount) events")
    }
    events.reserveCapacity(eventCount)
    var count = ownCount
    for index in 0..<eventCount {
      var event = try readEvent(
        &reader, after: events.last, recorded: recorded, replica: replica, ownCount: &count)
      event.sequence = firstSequence + UInt64(index)
      event.transaction = firstSequence
      event.endsTransaction = index == eventCount - 1
      events.append(event)
    }
    try reader.expectEnd()
    return events
  }

  private static func readEvent(
    _ reader: inout ByteReader, after previous: Event?, recorded: LedgerTime, replica: ReplicaID,
    ownCount: inout UInt64
  ) throws(LedgerError) -> Event {
    let head = try reader.u8()
    guard let kind = EventKind(rawValue: head) else {
      throw .unknownNumber(head, of: "an event has the kind", offset: reader.position)
    }
    let flags = try reader.u8()
    guard areValid(flags, after: previous) else {
      throw reader.fail("an event has the flags \(flags)")
    }
    let time = try reader.time(relativeTo: (previous?.time ?? recorded).milliseconds)
    let author = flags & authorFlag != 0 ? try reader.text() : previous?.author ?? ""
    var message: String?
    if flags & messageFlag != 0 { message = try reader.text() }
    if flags & sameMessageFlag != 0 { message = previous?.message }
    let undoes = flags & undoesFlag != 0 ? try reader.undoes() : nil
    var stamp = Stamp(time: time, replica: replica, count: ownCount &+ 1)
    if flags & originFlag != 0 {
      stamp.replica = try reader.replica()
      stamp.count = try reader.varint()
    } else {
      ownCount &+= 1
    }
    let task = try TaskKey(&reader).id
    return Event(
      sequence: 0, stamp: stamp, kind: kind, task: task, changes: try readChanges(kind, &reader),
      author: author, message: message, transaction: 0, endsTransaction: false, recorded: recorded,
      undoes: undoes)
  }

  /// What is taken from the event before must be there.
  private static func areValid(_ flags: UInt8, after previous: Event?) -> Bool {
    guard flags <= authorFlag | messageFlag | sameMessageFlag | undoesFlag | originFlag else {
      return false
    }
    if flags & authorFlag == 0, previous == nil { return false }
    if flags & sameMessageFlag != 0 {
      return flags & messageFlag == 0 && previous?.message != nil
    }
    return true
  }

  private static func readChanges(
    _ kind: EventKind, _ reader: inout ByteReader
  ) throws(LedgerError) -> [FieldChange] {
    let count = try reader.count(bytesEach: 3)
    try reader.charge(jsonBytes: 5 * count)
    var changes: [FieldChange] = []
    changes.reserveCapacity(count)
    for _ in 0..<count {
      let name: FieldName
      do { name = try FieldName(try reader.text()) } catch { throw reader.fail(error.sentence) }
      let value = try reader.value()
      let tag = value?.tag ?? ValueTag.unset
      if let problem = ChangeCheck.problem(kind, name, tag: tag, after: changes.last?.name) {
        throw reader.fail(problem)
      }
      changes.append(FieldChange(name, value))
    }
    let set = changes.lazy.filter { $0.value != nil }.map(\.name)
    if let problem = ChangeCheck.collision(ofSet: set) { throw reader.fail(problem) }
    return changes
  }
}

extension ByteReader {
  /// A zigzag difference to a base, in the range of times.
  mutating func time(relativeTo base: Int64) throws(LedgerError) -> LedgerTime {
    let (time, overflow) = base.addingReportingOverflow(try zigzag())
    guard !overflow, LedgerTime.covers(time) else {
      throw fail("a time lies outside the years 0000 to 9999")
    }
    return LedgerTime(unchecked: time)
  }
}
