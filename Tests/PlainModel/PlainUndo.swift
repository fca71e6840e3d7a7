/// What undo means, told plainly: a change is in effect or it is not, and the tasks are the fold of those that are.
///
/// It knows no compensating events and no chains, and keeps what the product derives from the log: which changes are undone. History
/// that arrives late is beyond it, and so is what is done to a task whose creation was undone.
package struct PlainUndo {
  package enum Answer: Equatable {
    /// The changes that are undone.
    case done([Int])
    case refused
    case nothing
  }

  /// Every change that undid nothing, in order of sequence and of stamps.
  package private(set) var changes: [PlainEvent] = []
  package private(set) var undone: Set<Int> = []

  package init() {}

  package mutating func take(_ events: [PlainEvent]) { changes.append(contentsOf: events) }

  package mutating func undo(_ sequences: some Sequence<Int>) { undone.formUnion(sequences) }

  package mutating func redo(_ sequences: some Sequence<Int>) { undone.subtract(sequences) }

  /// The changes in effect, without some.
  package func inEffect(without left: Set<Int> = []) -> [PlainEvent] {
    changes.filter { !undone.contains($0.sequence) && !left.contains($0.sequence) }
  }

  /// A task as it must be, or as it must be without some changes.
  package func task(_ id: PlainText, without left: Set<Int> = []) -> PlainTask {
    PlainTask(id, folding: inEffect(without: left).filter { $0.task == id })
  }

  /// The tasks whose creation was undone: they are deleted, where the fold knows of no task.
  package var unmade: Set<PlainText> {
    let undoneUpserts = changes.filter { $0.kind == .upsert && undone.contains($0.sequence) }
    let creations = undoneUpserts.filter { upsert in
      let before = inEffect().filter { $0.task == upsert.task && $0.stamp < upsert.stamp }
      return !PlainTask(upsert.task, folding: before).exists
    }
    return Set(creations.map(\.task))
  }

  /// What undoing an author's last transaction comes to.
  package func undoingLast(of author: PlainText) -> Answer {
    let transactions = Dictionary(grouping: changes, by: \.transaction).values
      .filter { $0[0].author == author }.sorted { $0[0].sequence > $1[0].sequence }
    return first(of: transactions)
  }

  /// What undoing the last change of one task comes to.
  package func undoing(task id: PlainText) -> Answer {
    let transactions = Dictionary(grouping: changes.filter { $0.task == id }, by: \.transaction)
    return first(of: transactions.values.sorted { $0[0].sequence > $1[0].sequence })
  }

  /// The first that comes to something.
  private func first(of transactions: [[PlainEvent]]) -> Answer {
    for events in transactions {
      let answer = undoing(events.filter { !undone.contains($0.sequence) })
      if answer != .nothing { return answer }
    }
    return .nothing
  }

  private func undoing(_ events: [PlainEvent]) -> Answer {
    let all = Set(events.map(\.sequence))
    var done: Set<Int> = []
    for event in events.sorted(by: { $0.stamp > $1.stamp }) {
      let later = inEffect(without: all).filter {
        $0.task == event.task && $0.stamp > event.stamp
      }
      if event.kind != .evict, later.contains(where: { $0.kind == .evict }) { return .refused }
      guard let touched = touched(by: event, without: done) else { continue }
      let isLost = later.contains { other in
        touched.isEmpty
          || other.changes.contains { change in
            touched.contains { $0 == change.name || $0.collides(with: change.name) }
          }
      }
      if isLost { return .refused }
      done.insert(event.sequence)
    }
    return done.isEmpty ? .nothing : .done(done.sorted())
  }

  /// The fields that change when an event is undone, none named where it is the task as a whole; nil where nothing changes.
  private func touched(by event: PlainEvent, without done: Set<Int>) -> [PlainText]? {
    let past = PlainTask(
      event.task,
      folding: inEffect().filter { $0.task == event.task && $0.stamp < event.stamp })
    let now = task(event.task, without: done)
    if event.kind == .evict { return past.exists ? [] : nil }
    guard now.exists else { return nil }
    if event.kind == .upsert, !past.exists {
      return now.reading("isDeleted") == true ? nil : []
    }
    let differing = event.changes.map(\.name).filter { past.reading($0) != now.reading($0) }
    if differing.isEmpty { return nil }
    let deletes =
      event.changes.count == 1 && differing == ["isDeleted"]
      && past.reading("isDeleted") == true
    return deletes ? [] : differing
  }
}
