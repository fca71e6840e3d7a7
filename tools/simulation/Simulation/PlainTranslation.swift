import LedgerFormat
import LedgerPlainModel
import TaskLedger

/// What the product says, in the words of the plain model. Texts go over as bytes: no `String` is compared.
extension PlainText {
  package init(_ id: TaskID) { self.init(id.text) }
  package init(_ name: FieldName) { self.init(name.text) }
}

extension PlainJSON {
  package init(_ value: Value) {
    self =
      switch value {
      case .bool(let flag): .bool(flag)
      case .int(let number): .int(number)
      case .double(let number): .double(number)
      case .text(let text): .text(PlainText(text))
      case .array(let elements): .array(elements.map(PlainJSON.init))
      }
  }
}

extension PlainEvent {
  package init(_ event: Event) {
    self.init(
      sequence: Int(event.sequence), stamp: PlainStamp(event.stamp),
      kind: Kind(rawValue: "\(event.kind)") ?? .evict, task: PlainText(event.task),
      changes: event.changes.map { change in
        PlainChange(name: PlainText(change.name), value: change.value.map(PlainJSON.init))
      }, author: PlainText(event.author), message: event.message.map { PlainText($0) },
      transaction: Int(event.transaction), recorded: event.recorded.milliseconds)
  }
}

extension PlainStamp {
  package init(_ stamp: Stamp) {
    self.init(
      time: stamp.time.milliseconds, replica: PlainText(stamp.replica.description),
      count: Int(stamp.count))
  }
}

extension PlainModel.HistoryEntry {
  package init(_ entry: AuditEntry) {
    self.init(
      event: PlainEvent(entry.event),
      changes: entry.changes.map { change in
        PlainModel.HistoryChange(
          name: PlainText(change.name), old: change.old.map(PlainJSON.init),
          new: change.new.map(PlainJSON.init))
      }, lost: entry.lost.map { PlainText($0) })
  }
}

extension PlainModel.Document {
  package init(_ item: TaskItem) { self.init(id: PlainText(item.id), json: Array(item.json.utf8)) }
}

/// What the plain model says, in the words of the product.
extension PlainCommand {
  /// The command as the product reads it from the line for `ledger apply`.
  package func read(author: String) throws(LedgerError) -> Command {
    let line = try ApplyLine(Array(applyLine.utf8)[...])
    return Command(
      line.kind, line.task ?? .random(), line.changes, time: line.time,
      author: line.author ?? author, message: line.message)
  }
}

extension PlainModel.Moment {
  /// The same moment of a ledger.
  package var ofLedger: Moment? {
    switch self {
    case .present: nil
    case .sequence(let number): .sequence(UInt64(number))
    case .time(let time): .time(LedgerTime(unchecked: time))
    }
  }
}

extension LedgerError {
  /// Whether the model refuses for the same reason.
  package func agrees(with refusal: PlainRefusal) -> Bool {
    switch refusal {
    case .noTask: code == .noSuchTask
    default: code == .invalid || code == .badLine
    }
  }
}

extension Value {
  /// Only for what a field can hold.
  package init(_ json: PlainJSON) {
    self =
      switch json {
      case .bool(let flag): .bool(flag)
      case .int(let number): .int(number)
      case .double(let number): .double(number)
      case .text(let text): .text(text.string)
      case .array(let elements): .array(elements.map(Value.init))
      case .null, .object: preconditionFailure("no field holds \(json)")
      }
  }
}
