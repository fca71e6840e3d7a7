/// Which late events of a task came too late: into a life whose end had been undone by then.
///
/// To undo an evict brings back what was there, by an upsert after it. What arrives later and is stamped before the evict is not in that,
/// and lies below the evict: it never shows, and to take it back, or to find it before a change that is taken back, would bring up what
/// nobody ever saw. What arrives while the evict stands is another thing: it is there when that is undone.
struct EndedLives {
  /// An evict, and what undid it.
  private struct End {
    var stamp: Stamp
    var arrival: UInt64
    var revival: UInt64?
  }

  /// By stamp.
  private let ends: [End]

  init(_ chains: UndoChains) {
    var ends: [End] = []
    for events in chains.chains.lazy.map(\.events) {
      for place in events.indices where events[place].kind == .evict {
        let next = place + 1 < events.endIndex ? events[place + 1] : nil
        ends.append(
          End(
            stamp: events[place].stamp, arrival: events[place].sequence, revival: next?.sequence))
      }
    }
    self.ends = ends.sorted { $0.stamp < $1.stamp }
  }

  /// The events that did not come too late.
  func inTime(_ events: [Event]) -> [Event] {
    ends.contains { $0.revival != nil } ? events.filter { !isTooLate($0) } : events
  }

  private func isTooLate(_ event: Event) -> Bool {
    let end = ends[ends.prefixCount { $0.stamp <= event.stamp }...]
      .first { $0.arrival < event.sequence }
    return end?.revival.map { $0 < event.sequence } ?? false
  }
}
