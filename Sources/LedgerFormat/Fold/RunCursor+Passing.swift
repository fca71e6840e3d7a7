import LedgerCore

/// Passing over tasks that a cut leaves out: they take no place among the cursors, and of their values nothing is looked at.
extension RunCursor {
  /// Passes over a task that came after the last event which is taken: of its events only the shapes are looked at.
  func passIfLeftOut() throws(LedgerError) -> Bool {
    guard let lastIncluded, tasksLeft > 0 || !goesOn else { return false }
    var ahead = sequences
    let first = firstOfTask.sequence &+ ahead.zigzag()
    guard first > lastIncluded else { return false }
    sequences = ahead
    sequences.skipVarints(eventsOfTask - 1)
    firstOfTask.sequence = first
    if needsTimes { passTimes() }
    for _ in 0..<eventsOfTask { passed += plan.values(try readShape()) }
    hasPassed = true
    eventsSeen += UInt64(eventsOfTask)
    return true
  }

  /// Moves the streams of values past those of the tasks that were passed by.
  func readPassed() {
    guard hasPassed else { return }
    values.pass(passed)
    passed = ShapeValues()
    hasPassed = false
  }
}
