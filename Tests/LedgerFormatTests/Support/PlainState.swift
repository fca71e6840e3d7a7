import LedgerCore
import Testing

@testable import LedgerFormat

/// The tasks that some events add up to, folded one event after the other by the rules of the core.
struct PlainState {
  /// The tasks that exist, by id.
  let items: [TaskItem]
  let eventCount: UInt64

  init(_ events: [Event], _ cut: FoldCut = .present) {
    let taken = events.filter(cut.includes)
    var states: [TaskID: TaskState] = [:]
    for event in taken { states[event.task, default: TaskState()].fold(event) }
    items = states.compactMap { $0.value.item($0.key) }.sorted { $0.id < $1.id }
    eventCount = UInt64(taken.count)
  }

  /// The digested bytes.
  var lines: [UInt8] { items.flatMap { $0.canonicalJSON + [0x0a] } }

  /// How a folded state differs from this one, in words; nil when it does not.
  func difference(from state: FoldedState) -> String? {
    if state.eventCount != eventCount {
      return "\(state.eventCount) events were folded, expected \(eventCount)"
    }
    let ids = (0..<state.count).map(state.id(at:))
    if ids != items.map(\.id) { return "the tasks are \(ids), expected \(items.map(\.id))" }
    for (place, item) in items.enumerated() {
      let found = state.item(at: place)
      if found.canonicalJSON != item.canonicalJSON { return "found \(found), expected \(item)" }
      if !Self.haveSameFields(found, item) { return "\(item.id) has other fields" }
      if state.index(of: item.id) != place { return "\(item.id) is not found at \(place)" }
    }
    var found: [UInt8] = []
    state.forEachLines { found.append(contentsOf: $0) }
    if found != lines {
      return "found the lines \(String(decoding: found, as: UTF8.self)), expected \(items)"
    }
    return state.digest() == Digest(of: lines) ? nil : "the digest is another"
  }

  private static func haveSameFields(_ left: TaskItem, _ right: TaskItem) -> Bool {
    left.fields.elementsEqual(right.fields) {
      $0.name.hasSameBytes(as: $1.name) && $0.value == $1.value
    }
  }
}

/// Expects the fold of runs to be what the plain fold of their events is.
func expectSameState(
  _ runs: [SealedRun], _ events: [Event], _ cut: FoldCut = .present,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let difference = PlainState(events, cut).difference(from: try RunMerge.fold(runs, cut: cut))
  if let difference {
    Issue.record("cut at \(cut): \(difference)", sourceLocation: sourceLocation)
  }
}
