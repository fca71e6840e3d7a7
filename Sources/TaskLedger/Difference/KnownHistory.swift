import LedgerFormat
import LedgerStorage

/// What one side of a comparison knows of the history of a task.
struct KnownHistory {
  /// In order of sequence.
  var entries: [AuditEntry]
  /// Up to where the side's history is folded, if it is: it knows the events, and no longer has them.
  var horizon: Horizon?

  /// The events of this side that another does not know of. An event is the same by what it says, wherever it went and whatever
  /// its sequence number is there; two copies of a ledger that went on apart can give the same stamp to two events.
  func entries(unknownTo other: KnownHistory) -> [AuditEntry] {
    let known = Set(other.entries.map { Identity($0.event) })
    return entries.filter { entry in
      if let horizon = other.horizon, entry.event.stamp <= horizon.newest { return false }
      return !known.contains(Identity(entry.event))
    }
  }

  private struct Identity: Hashable {
    let stamp: Stamp
    let kind: EventKind
    let changes: [FieldChange]
    let author: ByteText
    let message: ByteText?

    init(_ event: Event) {
      stamp = event.stamp
      kind = event.kind
      changes = event.changes
      author = ByteText(event.author)
      message = event.message.map(ByteText.init)
    }
  }
}
