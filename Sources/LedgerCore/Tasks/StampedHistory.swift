/// The events of one task in order of their stamps, so that the task as it stood at any stamp costs little.
///
/// They are kept in parts, each with the fold of all that is stamped before it. An event that is inserted is folded
/// into those of the later parts, which is allowed because folding is commutative.
///
/// Invariants:
/// - stamps ascend, in each part and from part to part;
/// - no part but the first is empty, none holds more than `partEventsMax` events;
/// - `before` of a part is the fold of the events of all parts before it.
package struct StampedHistory {
  private struct Part {
    var before: TaskState
    var events: [Event]
  }

  private var parts = [Part(before: TaskState(), events: [])]
  package private(set) var count = 0

  private static let partEventsMax = 128

  /// The history with these events, given in any order.
  package init(_ events: [Event]) {
    for event in events.sorted(by: { $0.stamp < $1.stamp }) { insert(event) }
  }

  /// The fold of the events with a smaller stamp.
  package func state(before stamp: Stamp) -> TaskState {
    let part = parts[place(of: stamp)]
    var state = part.before
    for event in part.events {
      guard event.stamp < stamp else { break }
      state.fold(event)
    }
    return state
  }

  /// Adds an event.
  package mutating func insert(_ event: Event) {
    let place = place(of: event.stamp)
    let events = parts[place].events
    let index =
      events.isEmpty || events[events.count - 1].stamp < event.stamp
      ? events.count : events.firstIndex { event.stamp < $0.stamp } ?? events.count
    parts[place].events.insert(event, at: index)
    count += 1
    for later in parts.indices[(place + 1)...] { parts[later].before.fold(event) }
    if parts[place].events.count > Self.partEventsMax { split(place) }
  }

  /// The last part that starts before a stamp; the first when none does.
  private func place(of stamp: Stamp) -> Int {
    leadingCount(of: parts.count - 1) { parts[$0 + 1].events[0].stamp < stamp }
  }

  private mutating func split(_ place: Int) {
    let events = parts[place].events
    let half = events.count / 2
    var before = parts[place].before
    for event in events[..<half] { before.fold(event) }
    parts[place].events = Array(events[..<half])
    parts.insert(Part(before: before, events: Array(events[half...])), at: place + 1)
  }
}

extension StampedHistory {
  /// The broken invariants in words; empty when all hold.
  package var brokenInvariants: [String] {
    var broken: [String] = []
    var state = TaskState()
    var newest: Stamp?
    for (number, part) in parts.enumerated() {
      if part.before != state { broken.append("part \(number) starts from another state") }
      if number > 0, part.events.isEmpty { broken.append("part \(number) is empty") }
      if part.events.count > Self.partEventsMax { broken.append("part \(number) is too large") }
      for event in part.events {
        if let newest, event.stamp < newest { broken.append("\(event.sequence) is misplaced") }
        newest = event.stamp
        state.fold(event)
      }
    }
    return broken
  }
}
