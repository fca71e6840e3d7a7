import LedgerCore
import LedgerFormat

/// What a repair takes back of events that were lost.
extension RepairPlanner {
  /// Files beside the list can hold what it counts as lost.
  ///
  /// - Parameters:
  ///   - number: the number of the list; nil where it was remade.
  ///   - current: the manifest that CURRENT names.
  mutating func planReturned(
    _ manifest: Manifest, number: UInt64?, current: Manifest?
  ) throws(LedgerError) {
    guard !manifest.lost.isEmpty else { return }
    var beside = FilesBeside(directory, manifest, number: number, current: current, pool: pool)
    var returned = ReturnedEvents(directory, manifest, pool: pool)
    var taken = SequenceRanges()
    var files: [(file: FileBeside, entry: SegmentEntry, look: ReturnedEvents.Look)] = []
    let found = try beside.find(DurableEnd(of: manifest.ledger, in: directory))
    try returned.look(atAll: found)
    for file in found {
      guard let entry = file.entry, let look = try returned.look(at: file), !look.found.isEmpty
      else { continue }
      files.append((file, entry, look))
    }
    // Of two files with the same events one is enough: the one that holds most of them.
    for (file, entry, look) in files.sorted(by: { $0.look.found.count > $1.look.found.count }) {
      let events = look.found.without(taken)
      guard !events.isEmpty || look.isComplete else { continue }
      taken.formUnion(events)
      var step = RepairPlan.Step(
        part: .returned, file: file.name,
        problem: "it holds events that are counted as lost", returned: events)
      if !look.isComplete { try step.keepBytes(in: directory) }
      for hole in manifest.segments {
        let part = hole.lost.intersection(events)
        guard !part.isEmpty else { continue }
        plan.returned[hole, default: []].append(.init(entry: entry, events: part))
        if hole.kind == .salvaged, part != hole.lost, try returned.isEndMadeUp(hole) {
          step.unboundEnd = hole.lastSequence
        }
      }
      plan.steps.append(step)
    }
    // Where no list was left, the list that was made of the files lacks them.
    for place in plan.steps.indices where plan.steps[place].part.isManifest {
      plan.steps[place].lost = plan.steps[place].lost.without(taken)
    }
  }
}

extension RepairPlan {
  /// A part of a file that takes the place of lost events.
  struct Returned: Sendable {
    /// What a list would say of the file.
    var entry: SegmentEntry
    var events: SequenceRanges
  }

  /// The entries in whose place a repair writes others.
  var replaced: Set<SegmentEntry> { Set(steps.compactMap(\.entry)).union(returned.keys) }

  /// The first event that returns; nil where none does.
  var firstReturned: UInt64? {
    if returned.keys.contains(where: { $0.kind == .baseline }) { return 1 }
    return steps.compactMap { $0.returned.ranges.first?.lowerBound }.min()
  }

  /// What is left of a segment, with what returns to it.
  func salvage(
    _ entry: SegmentEntry, _ reading: SegmentReading
  ) throws(LedgerError) -> SegmentSalvage {
    guard let parts = returned[entry] else { return try reading.salvage(entry) }
    let isDamaged = steps.contains { $0.entry == entry }
    var salvage = try isDamaged ? reading.salvage(entry) : reading.remains(of: entry)
    if entry.kind == .baseline, let part = parts.first {
      salvage.events = try reading.intactEvents(of: part.entry)
      salvage.lost = SequenceRanges()
    } else {
      for part in parts {
        salvage.events += try reading.intactEvents(of: part.entry).filter {
          part.events.contains($0.sequence)
        }
        salvage.lost = salvage.lost.without(part.events)
      }
      salvage.events.sort { $0.sequence < $1.sequence }
    }
    let newest = salvage.events.lazy.map(\.stamp).max()
    salvage.newest = [entry.newest, newest].compactMap(\.self).max()
    return salvage
  }
}
