import LedgerCore

/// Cursors in order of their tasks; of the same task that of the earlier run first.
struct CursorQueue {
  /// The next one last.
  private var cursors: [EventCursor] = []

  /// The task of the next one.
  var task: TaskID? { cursors.last?.task }

  mutating func popFirst() -> EventCursor? { cursors.popLast() }

  /// Moves a cursor to its next task, if it has one, and puts it where it belongs.
  mutating func advance(_ cursor: EventCursor) throws(LedgerError) {
    guard try cursor.advance() else { return }
    cursors.insert(cursor, at: cursors.prefixCount { Self.precedes(cursor, $0) })
  }

  private static func precedes(_ left: EventCursor, _ right: EventCursor) -> Bool {
    guard let a = left.task, let b = right.task else { return false }
    return a == b ? left.order < right.order : a < b
  }
}
