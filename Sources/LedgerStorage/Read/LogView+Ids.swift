import LedgerCore
import LedgerFormat

/// The ids of tasks that ever existed.
extension LogView {
  /// Which of some ids ever existed.
  package func ids(among tasks: Set<TaskID>) throws(LedgerError) -> Set<TaskID> {
    var found = try onSnapshot(for: .present) { (base) throws(LedgerError) in
      let after = try sealedHistories(of: tasks, after: base?.entry.sequence ?? 0)
      guard let base else { return Set(after.keys) }
      let before = try pool.with { (zstd) throws(LedgerError) in
        try base.run.events(of: tasks.sorted(), zstd: zstd)
      }
      return Set(after.keys).union(before.keys)
    }
    for segment in frameSegments {
      try segment.forEachFrame(pool, path: path(of: segment)) { events in
        for event in events where tasks.contains(event.task) { found.insert(event.task) }
      }
    }
    return found
  }

  /// The ids that ever existed and start with a text, in order, at most `limit` of them.
  package func ids(startingWith text: String, limit: Int) throws(LedgerError) -> [TaskID] {
    var found = try onSnapshot(for: .present) { (base) throws(LedgerError) in
      var runs = base.map { [$0.run] } ?? []
      for segment in sealed where segment.entry.lastSequence > base?.entry.sequence ?? 0 {
        runs.append(try segment.run(pool))
      }
      return try pool.with { (zstd) throws(LedgerError) in
        var found: Set<TaskID> = []
        for run in runs {
          found.formUnion(try run.ids(startingWith: text, limit: limit, zstd: zstd))
        }
        return found
      }
    }
    for segment in frameSegments {
      for event in try segment.events(pool, path: path(of: segment))
      where event.task.text.utf8.starts(with: text.utf8) {
        found.insert(event.task)
      }
    }
    return Array(found.sorted().prefix(limit))
  }
}
