/// What undo means, told plainly: a change is in effect or it is not, and the tasks are the fold of those that are.
///
/// It keeps what the product derives from the log: which changes are undone. It follows no chains. Of the events that undid or redid
/// something it looks at one thing alone: a late change that arrives under one of them does not show while that stands. What is done to a
/// task whose creation was undone is beyond it, and so are fields that exclude each other where one of them came late, and tasks that are
/// made or evicted late.
package struct PlainUndo {
  package enum Answer: Equatable {
    /// The changes that are undone.
    case done([Int])
    case refused
    case nothing
    /// It is about a task whose creation was undone.
    case unknown
  }

  /// An event that undid or redid a change.
  private struct Compensation {
    var event: PlainEvent
    var change: Int
    var isUndo: Bool
  }

  /// Every change that undid nothing, in order of sequence: what of it can ever show. An evict that was redone counts from then on.
  private var changes: [PlainEvent] = []
  package private(set) var undone: Set<Int> = []
  private var compensations: [Compensation] = []
  /// What was there already when a late change arrived, and covers some of it.
  private var covers: [Int: [Compensation]] = [:]
  /// When the evicts were made that were undone, whether they were redone or not.
  private var revoked: [PlainEvent] = []
  /// The newest event that redid each change: what came before that is no later change.
  private var renewed: [Int: PlainEvent] = [:]

  package init() {}

  /// Takes over changes in the order of their arrival.
  package mutating func take(_ events: [PlainEvent]) {
    for event in events where !isTooLate(event) {
      covers[event.sequence] = compensations.filter {
        $0.event.task == event.task && $0.event.stamp > event.stamp
      }
      changes.append(event)
    }
  }

  /// Whether the end of its life had been undone when a late change arrived: what was there had come back, and no more.
  private func isTooLate(_ event: PlainEvent) -> Bool {
    let standing = inEffect().filter { $0.kind == .evict && $0.task == event.task }
    return revoked.contains { end in
      end.task == event.task && end.stamp > event.stamp
        && !standing.contains { $0.stamp > event.stamp && $0.stamp < end.stamp }
    }
  }

  /// What had come late under a change, and under an undo or redo after that, counts again once the change is taken back.
  private mutating func uncover(under change: Int) {
    guard let other = changes.first(where: { $0.sequence == change }) else { return }
    let newest = compensations.last { $0.change == change }?.event ?? other
    let stamp = newest.stamp
    for event in changes where event.task == other.task && event.stamp < stamp {
      guard newest.kind == .evict || event.changes.contains(where: { newest.touches($0.name) })
      else { continue }
      covers[event.sequence]?.removeAll { $0.event.stamp > stamp }
    }
  }

  /// A change without what does not show under an undo or redo that was there before it, and stands.
  ///
  /// - Parameter end: nil: now.
  private func showing(
    _ event: PlainEvent, _ undone: Set<Int>, before end: PlainStamp? = nil
  ) -> PlainEvent {
    let standing = (covers[event.sequence] ?? []).filter { cover in
      let isUndone =
        undone.contains(cover.change) || end.map { !wasInEffect(cover.change, at: $0) } ?? false
      return cover.isUndo == isUndone && end.map { cover.event.stamp < $0 } ?? true
    }
    var rest = event
    rest.changes.removeAll { change in standing.contains { $0.event.touches(change.name) } }
    return rest
  }

  /// Takes over the events of an undo or redo, each with the change that it is about in the end.
  package mutating func note(_ events: [(event: PlainEvent, change: Int)]) {
    for (event, change) in events {
      uncover(under: change)
      compensations.append(
        Compensation(event: event, change: change, isUndo: !undone.contains(change)))
      if undone.contains(change) { renewed[change] = event }
      guard let place = changes.firstIndex(where: { $0.sequence == change }),
        changes[place].kind == .evict
      else { continue }
      if event.kind == .evict { changes[place].stamp = event.stamp }
      if event.kind == .upsert { revoked.append(changes[place]) }
    }
  }

  package mutating func undo(_ sequences: some Sequence<Int>) { undone.formUnion(sequences) }

  package mutating func redo(_ sequences: some Sequence<Int>) { undone.subtract(sequences) }

  /// The changes in effect, without some.
  package func inEffect(without left: Set<Int> = []) -> [PlainEvent] {
    let undone = undone.union(left)
    return changes.filter { !undone.contains($0.sequence) }.map { showing($0, undone) }
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
      let inEffect = events.filter { !undone.contains($0.sequence) }
      let answer = undoing(inEffect.map { showing($0, undone) })
      if answer != .nothing { return answer }
    }
    return .nothing
  }

  private func undoing(_ events: [PlainEvent]) -> Answer {
    let unmade = unmade
    if events.contains(where: { unmade.contains($0.task) }) { return .unknown }
    let all = Set(events.map(\.sequence))
    var done: Set<Int> = []
    for event in events.sorted(by: { $0.stamp > $1.stamp }) {
      let later = inEffect(without: all).filter {
        $0.task == event.task && $0.stamp > event.stamp
      }
      let since = inEffect(without: all).filter { $0.task == event.task }
        .compactMap { part(of: $0, madeAfter: event) }
      if event.kind != .evict, since.contains(where: { $0.kind == .evict }) { return .refused }
      if event.kind != .evict, later.contains(where: { $0.kind == .evict }) { continue }
      // What lay over it when it arrived, or when it was made again: that left alone what had changed since.
      let made = (renewed[event.sequence] ?? event).sequence
      let overtaking = later.filter { $0.sequence < made }
      guard let touched = touched(by: event, under: overtaking, without: done) else { continue }
      let isLost = since.contains { other in
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

  /// What of a change was made, or made again, after another was, by its stamp and by its arrival; nil where it was only undone and made
  /// again since.
  private func part(of event: PlainEvent, madeAfter other: PlainEvent) -> PlainEvent? {
    let newest = renewed[event.sequence] ?? event
    let newestOther = renewed[other.sequence] ?? other
    guard newest.sequence > newestOther.sequence, newest.stamp > newestOther.stamp else {
      return nil
    }
    if newest.kind == .evict || event.stamp > newestOther.stamp { return event }
    let since = compensations.filter {
      $0.change == event.sequence && $0.event.stamp > newestOther.stamp
    }
    guard since.count % 2 == 1 else { return nil }
    // Again was made what had been undone, and what changes by that.
    let undo = compensations.last { $0.change == event.sequence && $0.isUndo }?.event
    var again = event
    again.changes.removeAll { change in !(undo?.touches(change.name) ?? false) }
    again.changes += newest.changes
    return again
  }

  /// The fields that change when an event is undone, none named where it is the task as a whole; nil where nothing changes.
  ///
  /// - Parameter overtaking: later changes that were there when it arrived: fields of theirs it leaves alone.
  private func touched(
    by event: PlainEvent, under overtaking: [PlainEvent], without done: Set<Int>
  ) -> [PlainText]? {
    let made = PlainTask(
      event.task,
      folding: inEffect().filter { $0.task == event.task && $0.stamp < event.stamp })
    let now = task(event.task, without: done)
    if event.kind == .evict { return made.exists ? [] : nil }
    guard now.exists else { return nil }
    if event.kind == .upsert, !made.exists {
      return now.reading("isDeleted") == true ? nil : []
    }
    let past = past(of: event)
    let differing = event.changes.map(\.name).filter { name in
      past.reading(name) != now.reading(name) && !isIdle(event, name, past)
        && (renewed[event.sequence]?.touches(name) ?? false
          || !overtaking.contains { $0.touches(name) })
    }
    if differing.isEmpty { return nil }
    let deletes =
      event.changes.count == 1 && differing == ["isDeleted"]
      && past.reading("isDeleted") == true
    return deletes ? [] : differing
  }
}

extension PlainUndo {
  /// The task without a change, as it was when that was made, or made again: what came in between counts, too.
  private func past(of event: PlainEvent) -> PlainTask {
    let newest = (renewed[event.sequence] ?? event).stamp
    let undone = undone.union([event.sequence])
    let others = changes.filter { other in
      other.task == event.task && !undone.contains(other.sequence) && other.stamp < newest
        && wasInEffect(other.sequence, at: newest)
    }
    return PlainTask(
      event.task, folding: others.map { showing($0, undone, before: newest) })
  }

  /// Whether a change was not undone at a stamp.
  private func wasInEffect(_ change: Int, at stamp: PlainStamp) -> Bool {
    compensations.filter { $0.change == change && $0.event.stamp < stamp }.count % 2 == 0
  }

  /// Whether a field would hold the same without a change.
  private func isIdle(_ event: PlainEvent, _ name: PlainText, _ past: PlainTask) -> Bool {
    let own = event.changes.first { $0.name == name }?.value ?? PlainStandardField.reading(name)
    let others = event.changes.map(\.name) + past.fields.keys
    return past.reading(name) == own && !others.contains { $0.collides(with: name) }
  }
}

extension PlainEvent {
  /// Whether it says something of a field, or of one above or below it.
  fileprivate func touches(_ name: PlainText) -> Bool {
    changes.contains { $0.name == name || $0.name.collides(with: name) }
  }
}
