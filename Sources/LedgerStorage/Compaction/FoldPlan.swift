import LedgerCore
import LedgerFormat

/// What the policy `fold` does: which history becomes a baseline.
package struct FoldPlan: Sendable {
  /// Where the history is cut.
  package struct Cut: Sendable {
    /// The last event that is folded.
    package var sequence: UInt64
    /// The newest stamp of those that are.
    var newest: Stamp
    /// The log digest there.
    var digest: Digest
    /// The count of the ledger's own replica there.
    var ownCount: UInt64
  }

  /// Nil when there is nothing to fold.
  package var cut: Cut?
  /// The baseline that is there, and the segments that hold events which are folded; of the last one a part may stay.
  package var entries: [SegmentEntry] = []
  /// How many events are folded that were not before.
  package var events: UInt64 = 0
  /// How many events still count, at least in part; nil where that was not counted.
  package var kept: UInt64?
  /// The bytes in place of the entries, as they were measured, or about; nil where that cannot be told.
  package var expectedBytes: UInt64?
  /// Whether events of the active segment are among them, which must be sealed first.
  package var needsSealing = false

  package var bytes: UInt64 { entries.reduce(0) { $0 + $1.end } }
}

/// Finds the horizon that was asked for.
///
/// A transaction is folded whole or not at all: the horizon is the end of the last one that lies before the moment.
struct FoldPlanner {
  private let view: LogView

  init(_ view: LogView) { self.view = view }

  /// - Parameter moment: a sequence number: the events up to it; a time: the longest prefix of the log in which no event is
  ///   later.
  /// - Throws: `beyondEnd` for a sequence number that no event has; `invalid` where an event after the horizon is stamped
  ///   before one that would be folded, or where it lies inside a salvaged segment.
  func plan(_ moment: FoldCut) throws(LedgerError) -> FoldPlan {
    if case .sequence(let number) = moment, number > view.lastSequence {
      throw LedgerError(
        .beyondEnd, "there is no event \(number)", path: view.directory.path,
        cause: "the last one is \(view.lastSequence)", hint: "`ledger log` lists the events")
    }
    var plan = FoldPlan()
    var scan = FoldScan(moment, replica: view.manifest.replica)
    var last: UInt64 = 0
    var sealed = view.sealed[...]
    for entry in view.manifest.segments where entry.isRun && !scan.isOver {
      // What is lost whole has no file.
      let isPassed =
        if entry.hasFile, let segment = sealed.popFirst() {
          try scan.pass(segment, view.pool)
        } else {
          scan.pass(lost: entry)
        }
      if isPassed { last = entry.lastSequence }
    }
    plan.entries = view.manifest.segments.filter { $0.isRun && $0.lastSequence <= last }
    for segment in view.frameSegments where !scan.isOver {
      let before = scan.cut?.sequence
      scan.pass(segment, try segment.events(view.pool, path: view.path(of: segment)))
      if scan.cut?.sequence != before { plan.needsSealing = true }
    }
    let known = view.horizon?.sequence ?? 0
    if let uncut = scan.uncut { throw try refusal(moment, inside: uncut, scan.cut, known) }
    guard let cut = scan.cut, cut.sequence > known else { return FoldPlan() }
    do throws(LedgerError) {
      try checkNothingIsOlder(than: cut)
    } catch {
      guard error.code == .invalid, let later = try firstPlace(after: cut) else { throw error }
      var error = error
      error.hint =
        "event \(later) is the next up to which it can be folded; nothing was changed"
      throw error
    }
    plan.cut = cut
    plan.events = cut.sequence - known
    return plan
  }

  /// Events after the horizon must be stamped after those before it: a late one acts on a state that would be gone.
  private func checkNothingIsOlder(than cut: FoldPlan.Cut) throws(LedgerError) {
    for segment in view.sealed where segment.entry.lastSequence > cut.sequence {
      let run = try segment.run(view.pool)
      guard run.footer.oldest <= cut.newest else { continue }
      // In a run events stand by task, and the first one is to be named.
      var first: Event?
      try view.pool.with { (zstd) throws(LedgerError) in
        try run.forEachEvent(zstd: zstd) { event in
          guard event.sequence > cut.sequence, event.stamp <= cut.newest else { return }
          if first.map({ event.sequence < $0.sequence }) ?? true { first = event }
        }
      }
      if let first { try Self.check(first, cut) }
    }
    for event in try view.unsealedEvents() { try Self.check(event, cut) }
  }

  /// Of a salvaged segment there is no log digest inside to go on from, and its gaps are known of it as a whole.
  ///
  /// - Parameter before: where it could be cut before the segment.
  private func refusal(
    _ moment: FoldCut, inside entry: SegmentEntry, _ before: FoldPlan.Cut?, _ known: UInt64
  ) throws(LedgerError) -> LedgerError {
    var places: [UInt64] = []
    if let before, before.sequence > known, try isFoldable(before) {
      places.append(before.sequence)
    }
    let newest = [before?.newest, entry.newest].compactMap(\.self).max()
    if let newest {
      let end = FoldPlan.Cut(
        sequence: entry.lastSequence, newest: newest, digest: entry.digestAfter,
        ownCount: entry.ownCount)
      // Of nothing there is no baseline.
      let isSomething = entry.hasFile || before != nil
      let isEnough = try isSomething ? isFoldable(end) : false
      if let later = try isEnough ? end.sequence : firstPlace(after: end) {
        places.append(later)
      }
    }
    let nearest =
      places.count == 1
      ? "event \(places[0]) is the nearest up to which it can be folded"
      : "it can be folded up to \(places.map { "event \($0)" }.joined(separator: " or "))"
    let lost = "\(entry.lost.eventsText) \(entry.lost.count == 1 ? "was" : "were")"
    return LedgerError(
      .invalid,
      "cannot fold the history up to \(moment.place): the log digest there is unknown, for \(lost) lost of the segment of events \(entry.firstSequence) to \(entry.lastSequence)",
      hint: "\(places.isEmpty ? "" : "\(nearest); ")nothing was changed")
  }

  private func isFoldable(_ cut: FoldPlan.Cut) throws(LedgerError) -> Bool {
    do throws(LedgerError) {
      try checkNothingIsOlder(than: cut)
      return true
    } catch {
      guard error.code == .invalid else { throw error }
      return false
    }
  }

  /// The first event behind a refused cut up to which the history can be folded.
  private func firstPlace(after cut: FoldPlan.Cut) throws(LedgerError) -> UInt64? {
    var search = LaterCut(after: cut)
    for segment in view.sealed where segment.entry.lastSequence > cut.sequence {
      try search.pass(segment, view.pool)
    }
    for event in try view.unsealedEvents() {
      search.pass(event.sequence, event.stamp, endsTransaction: event.endsTransaction)
    }
    return search.sequence
  }

  /// - Throws: `invalid` for an event after the horizon that is stamped before one that is folded.
  static func check(_ event: Event, _ cut: FoldPlan.Cut) throws(LedgerError) {
    guard event.sequence > cut.sequence, event.stamp <= cut.newest else { return }
    throw LedgerError(
      .invalid,
      "cannot fold the history up to event \(cut.sequence): event \(event.sequence), which came later, is older (\(event.time)) than the newest of it (\(cut.newest.time))",
      hint: "fold up to another event: `ledger log` shows their times; nothing was changed")
  }
}

extension FoldCut {
  /// The moment in words, as it stands behind "up to".
  fileprivate var place: String {
    switch self {
    case .present: "the present"
    case .sequence(let number): "event \(number)"
    case .time(let time): "\(time)"
    }
  }
}
