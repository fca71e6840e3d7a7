import LedgerFormat
import LedgerStorage

/// The log as the writer who has the turn sees it: what is committed, and what writers of this process have made since; for a reader
/// what is committed.
struct WholeLog {
  let view: LogView
  /// The events after those of the view, in order of sequence.
  let made: [Event]

  init(_ view: LogView, made: [Event] = []) {
    self.view = view
    self.made = made
  }

  /// The sequence number of the last event; 0 when there is none.
  var lastSequence: UInt64 { made.last?.sequence ?? view.lastSequence }

  /// Whether another log holds the same events, as far as that can be told without reading.
  func isSame(as other: WholeLog) -> Bool {
    made.isEmpty && other.made.isEmpty && lastSequence == other.lastSequence
      && view.isContinued(by: other.view)
  }

  /// Calls `body` with the events of one segment after the other, the last one first, each segment's in order of sequence, until it
  /// returns false.
  func forEachSegmentBackwards(
    where isWanted: (SegmentEntry) -> Bool = { _ in true },
    _ body: ([Event]) throws(LedgerError) -> Bool
  ) throws(LedgerError) {
    if !made.isEmpty { guard try body(made) else { return } }
    try view.forEachSegmentBackwards(where: isWanted, body)
  }

  /// The events of the transaction that an event belongs to, in order; empty where there is no such event.
  func transaction(of sequence: UInt64) throws(LedgerError) -> [Event] {
    var events: [Event] = []
    let mayHold: (SegmentEntry) -> Bool = { $0.mayHold(sequence) }
    try forEachSegmentBackwards(where: mayHold) { (segment) throws(LedgerError) in
      guard let found = segment.first(where: { $0.sequence == sequence }) else { return true }
      events = segment.filter { $0.transaction == found.transaction }
      return false
    }
    return events
  }

  /// All events of some tasks, each task's in order of sequence.
  func histories(of tasks: Set<TaskID>) throws(LedgerError) -> [TaskID: [Event]] {
    var histories: [TaskID: [Event]] = [:]
    if tasks.count == 1, let task = tasks.first {
      histories[task] = try view.history(of: task)
    } else {
      histories = try view.sealedHistories(of: tasks)
      for event in try view.unsealedEvents() where tasks.contains(event.task) {
        histories[event.task, default: []].append(event)
      }
    }
    for event in made where tasks.contains(event.task) {
      histories[event.task, default: []].append(event)
    }
    return histories
  }

  /// All events of a task, in order of sequence.
  func history(of task: TaskID) throws(LedgerError) -> [Event] {
    try histories(of: [task])[task] ?? []
  }
}

extension SegmentEntry {
  /// Whether an event can be in the segment; what an active one holds its entry does not tell.
  fileprivate func mayHold(_ sequence: UInt64) -> Bool {
    firstSequence <= sequence && (kind == .active || sequence <= lastSequence)
  }
}
