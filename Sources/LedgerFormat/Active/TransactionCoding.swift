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

  /// Encodes the events of one transaction, of which there is at least one.
  ///
  /// - Parameters:
  ///   - replica: the segment's replica.
  ///   - ownCount: that replica's count before the first event.
  package static func encode(
    _ events: some Collection<Event>, replica: ReplicaID, ownCount: UInt64
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(128 * events.count)
    var previous: Event?
    var count = ownCount
    for event in events {
      if previous == nil { bytes.append(zigzag: event.recorded.milliseconds) }
      let isOwn = event.stamp.replica == replica && event.stamp.count == count + 1
      if isOwn { count += 1 }
      append(event, after: previous, isOwn: isOwn, to: &bytes)
      previous = event
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
    guard eventCount <= reader.remaining else { throw reader.fail("too few bytes for the events") }
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
      throw LedgerError(
        .unsupported, "an event has the kind \(head), which this version does not know",
        offset: UInt64(reader.position), hint: "install a newer `ledger`")
    }
    let flags = try reader.u8()
    guard flags < 32, previous != nil || flags & (authorFlag | sameMessageFlag) == authorFlag else {
      throw reader.fail("an event has the flags \(flags)")
    }
    let time = try reader.time(relativeTo: (previous?.time ?? recorded).milliseconds)
    let author = flags & authorFlag != 0 ? try reader.text() : previous?.author ?? ""
    var message: String?
    if flags & messageFlag != 0 { message = try reader.text() }
    if flags & sameMessageFlag != 0 { message = previous?.message }
    let undoes = flags & undoesFlag != 0 ? try reader.varint() : nil
    var stamp = Stamp(time: time, replica: replica, count: ownCount &+ 1)
    if flags & originFlag != 0 {
      stamp.replica = try reader.replica()
      stamp.count = try reader.varint()
    } else {
      ownCount &+= 1
    }
    let task = try TaskKey(&reader).id
    return Event(
      sequence: 0, stamp: stamp, kind: kind, task: task, changes: try readChanges(&reader),
      author: author, message: message, transaction: 0, endsTransaction: false, recorded: recorded,
      undoes: undoes)
  }

  private static func readChanges(_ reader: inout ByteReader) throws(LedgerError) -> [FieldChange] {
    let count = try reader.count(bytesEach: 3)
    var changes: [FieldChange] = []
    changes.reserveCapacity(count)
    for _ in 0..<count {
      let name = FieldName(unchecked: try reader.text())
      if let last = changes.last, !(last.name < name) {
        throw reader.fail("the fields of an event are not in order")
      }
      changes.append(FieldChange(name, try reader.value()))
    }
    return changes
  }
}

extension ByteReader {
  /// A zigzag difference to a base, in the range of times.
  mutating func time(relativeTo base: Int64) throws(LedgerError) -> LedgerTime {
    let (time, overflow) = base.addingReportingOverflow(try zigzag())
    guard !overflow, let result = try? LedgerTime(milliseconds: time) else {
      throw fail("a time lies outside the years 0000 to 9999")
    }
    return result
  }
}
