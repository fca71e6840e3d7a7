import LedgerCore
import LedgerFormat

/// The history of single tasks in sealed segments.
extension LogView {
  /// The events of a task in sealed segments after a sequence number.
  ///
  /// - Parameter last: segments that begin after it are left out.
  package func sealedHistory(
    of task: TaskID, after sequence: UInt64 = 0, through last: UInt64 = .max
  ) throws(LedgerError) -> [Event] {
    let segments = try segments(of: task, after: sequence, through: last)
    guard Self.areWorthSplitting(segments) else {
      return try events(of: task, after: sequence, in: segments[...])
    }
    let middle = segments.count / 2
    let (first, second) = DetachedThread.both(if: true) {
      Result { () throws(LedgerError) in
        try events(of: task, after: sequence, in: segments[..<middle])
      }
    } _: {
      Result { () throws(LedgerError) in
        try events(of: task, after: sequence, in: segments[middle...])
      }
    }
    return try first.get() + second.get()
  }

  /// Whether there is so much to read that a second thread helps: a block of each of several segments, and whole ones.
  private static func areWorthSplitting(_ segments: [SealedSegment]) -> Bool {
    segments.count >= 4 && DetachedThread.coreCount > 1
      && RunMerge.isWorthSplitting(segments.map(\.entry.eventCount))
  }

  private func events(
    of task: TaskID, after sequence: UInt64, in segments: ArraySlice<SealedSegment>
  ) throws(LedgerError) -> [Event] {
    var all: [Event] = []
    for segment in segments {
      let events = try segment.events(of: task, pool)
      let isWhole = segment.entry.firstSequence > sequence
      // Room for as many from each segment, and more: what is not used costs nothing, and what grows is copied.
      if all.isEmpty { all.reserveCapacity(2 * events.count * segments.count) }
      all.append(contentsOf: isWhole ? events : events.filter { $0.sequence > sequence })
    }
    return all
  }

  /// A snapshot is asked where it can spare the opening of so many segments.
  private static let segmentsSparedMin = 3

  /// The sealed segments that can hold events of a task after a sequence number.
  ///
  /// Filters leave most of the others out. Of segments that have none, those that a snapshot stands for and that come after the
  /// last event that it holds of the task have none of its events: it holds the last one of every task.
  private func segments(
    of task: TaskID, after sequence: UInt64, through last: UInt64
  ) throws(LedgerError) -> [SealedSegment] {
    let wanted = sealed.filter {
      $0.entry.lastSequence > sequence && $0.entry.firstSequence <= last
    }
    let newest = SnapshotEntry.all(in: manifest).last?.sequence ?? 0
    let known = wanted.count { $0.entry.lastSequence <= newest }
    var left: [SealedSegment] = []
    var unanswered = 0
    for (place, segment) in wanted.enumerated().reversed() {
      let isKnown = segment.entry.lastSequence <= newest
      do throws(LedgerError) {
        let answer = try segment.mayHold(task)
        if answer == false { continue }
        if answer == nil, isKnown { unanswered += 1 }
      } catch {
        // What is wrong is said by whoever reads the events, if the snapshot does not tell that there are none.
        if isKnown { unanswered = known }
      }
      left.append(segment)
      guard unanswered < Self.segmentsSparedMin else {
        return try onSnapshot(of: task, wanted.prefix(place) + left.reversed())
      }
    }
    return left.reversed()
  }

  /// Those of some segments of which the newest snapshot does not tell that they hold no events of a task.
  private func onSnapshot(
    of task: TaskID, _ segments: [SealedSegment]
  ) throws(LedgerError) -> [SealedSegment] {
    try onSnapshot(for: .present) { (base) throws(LedgerError) in
      guard let base else { return segments }
      let last = try pool.with { (zstd) throws(LedgerError) in
        try base.run.lastSequence(of: task, zstd: zstd)
      }
      return segments.filter {
        $0.entry.lastSequence > base.entry.sequence || $0.entry.firstSequence <= last ?? 0
      }
    }
  }

  /// The events of several tasks in sealed segments, each task's in order of sequence; every block is read once.
  ///
  /// - Parameters:
  ///   - sequence: segments that end at it or before are left out.
  ///   - last: segments that begin after it are left out.
  package func sealedHistories(
    of tasks: Set<TaskID>, after sequence: UInt64 = 0, through last: UInt64 = .max
  ) throws(LedgerError) -> [TaskID: [Event]] {
    let sorted = tasks.sorted()
    var histories: [TaskID: [Event]] = [:]
    for segment in sealed
    where segment.entry.lastSequence > sequence && segment.entry.firstSequence <= last {
      let run = try segment.run(pool)
      let found = try pool.with { (zstd) throws(LedgerError) in
        try run.events(of: sorted, zstd: zstd)
      }
      histories.merge(found) { $0 + $1 }
    }
    return histories
  }
}
