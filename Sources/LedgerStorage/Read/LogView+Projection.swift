import LedgerCore
import LedgerFormat

/// What a fold needs that goes on from an event in the middle of the log.
extension LogView {
  /// The log digest after an event; nil where that was folded away, stands among lost ones, or is beyond the end.
  ///
  /// Inside a segment it is computed from the events; at the end of one it is known.
  package func logDigest(at sequence: UInt64) throws(LedgerError) -> Digest? {
    guard sequence > 0 else { return .zero }
    guard sequence <= lastSequence else { return nil }
    let fixed = manifest.segments.dropLast()
    if let entry = fixed.first(where: { $0.lastSequence == sequence }) { return entry.digestAfter }
    if let entry = fixed.first(where: { $0.lastSequence > sequence }), entry.isRun {
      guard entry.kind == .sealed,
        let segment = sealed.first(where: { $0.entry.firstSequence == entry.firstSequence })
      else { return nil }
      let run = try segment.run(pool)
      var found: Digest?
      try pool.with { (zstd) throws(LedgerError) in
        _ = try RunDigest.compute(run, zstd: zstd) { digest in
          if digest.sequence == sequence { found = digest.value }
        }
      }
      return found
    }
    return try digestInFrames(at: sequence)
  }

  private func digestInFrames(at sequence: UInt64) throws(LedgerError) -> Digest? {
    guard let segment = frameSegments.first(where: { $0.lastSequence >= sequence }) else {
      return nil
    }
    var found: Digest?
    _ = try segment.digest(pool, path: path(of: segment)) { digest in
      if digest.sequence == sequence { found = digest.value }
    }
    return found
  }

  /// The states of some tasks at an event, those that had events by then.
  package func states(
    of tasks: Set<TaskID>, at sequence: UInt64
  ) throws(LedgerError) -> [TaskID: TaskState] {
    var states = try sealedStates(of: tasks, through: sequence)
    for segment in frameSegments where segment.entry.firstSequence <= sequence {
      try segment.forEachFrame(pool, path: path(of: segment)) { events in
        for event in events where event.sequence <= sequence && tasks.contains(event.task) {
          states[event.task, default: TaskState()].fold(event)
        }
      }
    }
    return states
  }
}
