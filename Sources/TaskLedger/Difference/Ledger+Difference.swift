import LedgerFormat
import LedgerStorage

/// Comparing two moments, or two ledgers.
extension Ledger {
  /// Finds the tasks that differ between two moments, in order of their ids, each with the events that made the difference.
  ///
  /// ```swift
  /// let counts = try ledger.differences(from: .sequence(1204)) { difference in
  ///   print(difference.kind, difference.id, difference.changes.map(\.name))
  ///   return true
  /// }
  /// ```
  /// - Parameters:
  ///   - first: the moment that is compared.
  ///   - second: the moment with which it is; nil for the present.
  ///   - body: called with each difference until it returns false; nil where the counts are enough.
  ///   - progress: called now and then with the number of events read so far, of both sides together; not any more once `body` is.
  /// - Throws: ``LedgerError`` with code `beyondEnd` or `invalid` as ``at(_:)``, `damaged` or `io` when the ledger cannot be
  ///   read, and what `body` throws.
  @discardableResult
  public func differences(
    from first: Moment, to second: Moment? = nil,
    _ body: ((TaskDifference) throws(LedgerError) -> Bool)? = nil,
    progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> DifferenceCounts {
    let view = try currentView()
    try Self.check(first, view)
    if let second { try Self.check(second, view) }
    let runs = try view.runs()
    return try DifferenceFinder(
      first: .init(view: view, runs: runs, cut: first.cut),
      second: .init(view: view, runs: runs, cut: second?.cut ?? .present)
    ).run(body, progress)
  }

  /// Finds the tasks that differ between this ledger and another, as ``differences(from:to:_:progress:)`` does between moments.
  ///
  /// - Parameters:
  ///   - other: what this ledger is compared with.
  ///   - body: called with each difference until it returns false; nil where the counts are enough.
  ///   - progress: called now and then with the number of events read so far, of both sides together; not any more once `body` is.
  @discardableResult
  public func differences(
    to other: Ledger, _ body: ((TaskDifference) throws(LedgerError) -> Bool)? = nil,
    progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> DifferenceCounts {
    let (here, there) = (try currentView(), try other.currentView())
    return try DifferenceFinder(
      first: .init(view: here, runs: try here.runs(), cut: .present),
      second: .init(view: there, runs: try there.runs(), cut: .present)
    ).run(body, progress)
  }
}

/// Walks two states in order of ids.
///
/// The events of tasks that differ are read for many at a time: each block once, however many tasks it holds.
private struct DifferenceFinder {
  struct Side {
    var view: LogView
    var runs: [SealedRun]
    var cut: FoldCut
  }

  let first: Side
  let second: Side

  private static let batchCount = 2048

  /// A task by its places in both states.
  private struct Place {
    var here: Int?
    var there: Int?
  }

  func run(
    _ body: ((TaskDifference) throws(LedgerError) -> Bool)?, _ progress: ((UInt64) -> Void)?
  ) throws(LedgerError) -> DifferenceCounts {
    // One table for both, so that rows compare as bytes.
    let fields = try FieldTable(of: first.runs + second.runs)
    let old = try RunMerge.fold(first.runs, cut: first.cut, fields: fields, progress: progress)
    let seen = first.eventCount
    progress?(seen)
    let new = try RunMerge.fold(second.runs, cut: second.cut, fields: fields) {
      progress?(seen + $0)
    }
    progress?(seen + second.eventCount)
    var counts = DifferenceCounts()
    var batch: [Place] = []
    var isWanted = true
    let same = try old.forEachDifference(to: new) { (here, there) throws(LedgerError) in
      counts.note(here, there)
      guard let body else { return true }
      batch.append(Place(here: here, there: there))
      if batch.count == Self.batchCount {
        isWanted = try tell(batch, old, new, body)
        batch = []
      }
      return isWanted
    }
    counts.same = same
    if let body, isWanted, !batch.isEmpty { _ = try tell(batch, old, new, body) }
    return counts
  }

  private func tell(
    _ batch: [Place], _ old: FoldedState, _ new: FoldedState,
    _ body: (TaskDifference) throws(LedgerError) -> Bool
  ) throws(LedgerError) -> Bool {
    let items = batch.map { place in
      (old: place.here.map(old.item(at:)), new: place.there.map(new.item(at:)))
    }
    let ids = Set(items.compactMap { ($0.old ?? $0.new)?.id })
    let (before, after) = (try first.audits(of: ids), try second.audits(of: ids))
    for item in items {
      guard let id = (item.old ?? item.new)?.id else { continue }
      let difference = TaskDifference(
        id, old: item.old, new: item.new,
        first: KnownHistory(entries: before[id] ?? [], horizon: first.view.horizon),
        second: KnownHistory(entries: after[id] ?? [], horizon: second.view.horizon))
      guard try body(difference) else { return false }
    }
    return true
  }
}

extension DifferenceFinder.Side {
  /// How many events are read to know its tasks.
  var eventCount: UInt64 {
    runs.lazy.filter { !cut.excludesAll(of: $0.footer) }.reduce(0) { $0 + $1.footer.eventCount }
  }

  /// The history of some tasks up to the moment.
  func audits(of ids: Set<TaskID>) throws(LedgerError) -> [TaskID: [AuditEntry]] {
    var events = try view.sealedHistories(of: ids)
    for event in try view.unsealedEvents() where ids.contains(event.task) {
      events[event.task, default: []].append(event)
    }
    return events.mapValues { view.entries(of: $0.filter(cut.includes)) }
  }
}

extension DifferenceCounts {
  fileprivate mutating func note(_ here: Int?, _ there: Int?) {
    if here == nil {
      added += 1
    } else if there == nil {
      gone += 1
    } else {
      changed += 1
    }
  }
}
