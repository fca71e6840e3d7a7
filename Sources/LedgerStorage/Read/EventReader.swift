import LedgerCore
import LedgerFormat

/// Reads the events after a sequence number one by one, in order and without a gap but for what a repair has recorded as lost, from
/// one view after another.
///
/// Invariants:
/// - `portion` holds the events right after `position`, and none when it is empty;
/// - each sealed segment is read once, and of the others no more than what is new.
package struct EventReader: Sendable {
  /// The last event that was given.
  package private(set) var position: UInt64
  private var portion: ArraySlice<Event> = []

  package init(after position: UInt64) { self.position = position }

  /// The next event of a view; nil at its end.
  ///
  /// - Throws: `invalid` when the next event was folded away.
  package mutating func next(in view: LogView) throws(LedgerError) -> Event? {
    if portion.isEmpty {
      guard view.lastSequence > position else { return nil }
      try Self.checkHorizon(position, view)
      portion = try view.portion(after: position)[...]
    }
    guard let event = portion.popFirst() else { return nil }
    guard event.sequence == position + 1 || view.hasLost(after: position, before: event.sequence)
    else {
      throw LedgerError(
        .damaged, "found event \(event.sequence), expected \(position + 1)",
        path: view.directory.path, hint: "run `ledger verify` to see what is intact")
    }
    position = event.sequence
    return event
  }

  /// Refuses a position whose next events were folded.
  package static func checkHorizon(
    _ position: UInt64, _ view: LogView
  ) throws(LedgerError) {
    guard let horizon = view.horizon, position < horizon.sequence else { return }
    throw LedgerError(
      .invalid,
      "the events after \(position) are not there one by one: the history up to event \(horizon.sequence) was folded",
      path: view.directory.path,
      hint:
        "read the tasks as they are, then go on after \(horizon.sequence); a backup made before the fold has the events"
    )
  }
}

extension LogView {
  /// As many frames are decoded at once.
  private static let framesOfPortion = 256

  /// The events after a sequence number up to the end of their sealed segment, or those of some frames; empty at the end.
  fileprivate func portion(after sequence: UInt64) throws(LedgerError) -> [Event] {
    for segment in sealed
    where segment.entry.kind != .baseline && segment.entry.lastSequence > sequence {
      let events = try events(of: segment, after: sequence)
      // Of a salvaged segment the end may be lost.
      if !events.isEmpty { return events }
    }
    for segment in frameSegments where segment.lastSequence > sequence {
      var events: [Event] = []
      for frame in segment.frames.ending(after: sequence).prefix(Self.framesOfPortion) {
        do throws(LedgerError) {
          events.append(contentsOf: try frame.events(pool).lazy.filter { $0.sequence > sequence })
        } catch {
          throw error.located(in: path(of: segment), offset: frame.position)
        }
      }
      return events
    }
    return []
  }

  /// Whether the events between two are known to be lost.
  fileprivate func hasLost(after first: UInt64, before last: UInt64) -> Bool {
    // Numbers that do not ascend leave nothing between them that could be lost.
    last > first && last - first > 1 && manifest.lost.missing(in: first + 1...last - 1).isEmpty
  }

  /// Whether a later frame, or the manifest, says that an event is durable.
  package func saysDurable(_ sequence: UInt64) -> Bool {
    if sequence <= manifest.lastFixedSequence { return true }
    guard let frame = active.frames.ending(after: sequence - 1).first,
      let last = active.frames.last
    else { return false }
    return last.header.durablePosition >= frame.position + UInt64(frame.header.byteCount)
  }
}
