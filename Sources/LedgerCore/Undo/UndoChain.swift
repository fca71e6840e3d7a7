/// A change, the event that undid it, the event that redid it by undoing that one, and so on.
///
/// What late events made of a task that was undone already is taken back by a further event that names the same change once more.
/// It starts a chain of its own, in the place of an undo.
package struct UndoChain {
  /// In order of sequence.
  package internal(set) var events: [Event]
  /// Whether the first event undoes what something else has undone already.
  let undoesAgain: Bool

  /// Whether, of the events given, the change is done, as opposed to undone.
  ///
  /// - Parameter count: how many of the first events count.
  private func isDone(_ count: Int) -> Bool { count % 2 == (undoesAgain ? 0 : 1) }

  /// Whether the change is undone.
  var isUndone: Bool { !isDone(events.count) }

  /// Whether it is a change that is in effect: what is undone again is not, whoever takes that back.
  var isInEffect: Bool { !undoesAgain && !isUndone }

  /// Whether it was in effect at a stamp.
  func wasInEffect(at stamp: Stamp) -> Bool {
    !undoesAgain && isDone(events.prefix { $0.stamp < stamp }.count)
  }

  /// Whether the event at a place takes a change back, as opposed to a change, or one that does it again.
  func isUndo(at place: Int) -> Bool { !isDone(place + 1) }

  /// Whether the change is an evict. That itself may have been folded away.
  var isOfEvict: Bool {
    guard let first = events.first else { return false }
    return first.kind == .evict || (first.kind == .upsert && first.undoes != nil)
  }

  /// Whether the event at a place ends a life: an evict, or what does one again over a task that was made anew, whatever its kind.
  func endsLife(at place: Int) -> Bool {
    if events[place].kind == .evict { return true }
    return isOfEvict && place % 2 == (events[0].kind == .evict ? 0 : 1)
  }

  /// Whether the event at a place takes the end of a life back.
  func revives(at place: Int) -> Bool { isOfEvict && !endsLife(at: place) }
}
