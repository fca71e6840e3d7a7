import LedgerCore
import LedgerFormat

/// What a repair takes back of events that were lost.
extension RepairPlanner {
  /// Files beside the list can hold what it counts as lost, and what its damaged segments lack.
  ///
  /// - Parameters:
  ///   - damaged: what is left of these.
  ///   - current: the manifest that CURRENT names.
  mutating func planReturned(
    _ manifest: Manifest, damaged: [SegmentEntry: SegmentSalvage], current: Manifest?
  ) throws(LedgerError) {
    let beside = try EventsBeside(
      directory, manifest, damaged: damaged, number: listNumber, current: current, pool: pool)
    plan.kept.formUnion(beside.unbound)
    var taken = SequenceRanges()
    // Of two files with the same events one is enough: the one that holds most of them.
    for found in beside.files {
      let events = found.look.found.without(taken)
      guard !events.isEmpty || found.look.isComplete else { continue }
      taken.formUnion(events)
      try planReturn(of: events, from: found, beside)
    }
    for place in plan.steps.indices {
      let step = plan.steps[place]
      // Where no list was left, the list that was made of the files lacks them.
      guard step.part.isManifest || step.entry != nil else { continue }
      plan.steps[place].lost = step.lost.without(taken)
      if step.isOfFolded, plan.steps[place].lost.isEmpty { plan.steps[place].isOfFolded = false }
    }
  }

  private mutating func planReturn(
    of events: SequenceRanges, from found: EventsBeside.File, _ beside: EventsBeside
  ) throws(LedgerError) {
    var step = RepairPlan.Step(
      part: .returned, file: found.file.name,
      problem: "it holds events that are counted as lost", returned: events)
    if !found.look.isComplete { try step.keepBytes(in: directory) }
    var wereLost = events.isEmpty
    for hole in beside.list.manifest.segments {
      let part = hole.lost.intersection(events)
      guard !part.isEmpty else { continue }
      let original = beside.list.original(hole)
      plan.returned[original, default: []].append(.init(entry: found.entry, events: part))
      wereLost = wereLost || !part.intersection(original.lost).isEmpty
      if original.kind == .salvaged, part != hole.lost, try beside.isEndMadeUp(hole) {
        step.unboundEnd = hole.lastSequence
      }
    }
    step.tellsEnd =
      !found.entry.isRun && found.look.isComplete
      && beside.list.manifest.records.last { $0.detail(RepairRecord.uncertainAfter) != nil }?
        .isOfUncertainEnd(found.entry) ?? false
    if !wereLost { step.problem = "it holds events that a damaged segment lacks" }
    plan.steps.append(step)
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

  /// The first event that returns of those that were counted as lost; nil where none does.
  var firstReturned: UInt64? {
    returned.compactMap { entry, parts in
      if entry.kind == .baseline { return entry.lost.isEmpty ? nil : 1 }
      return parts.compactMap { $0.events.intersection(entry.lost).ranges.first?.lowerBound }.min()
    }.min()
  }

  /// What is left of a segment, with what returns to it.
  func salvage(
    _ entry: SegmentEntry, _ reading: SegmentReading
  ) throws(LedgerError) -> SegmentSalvage {
    guard let parts = returned[entry] else { return try reading.salvage(entry) }
    let isDamaged = steps.contains { $0.entry == entry }
    var salvage = try isDamaged ? reading.salvage(entry) : reading.remains(of: entry)
    if let whole = parts.first(where: { $0.entry.kind == .baseline }) {
      salvage.events = try reading.intactEvents(of: whole.entry).events
      salvage.lost = SequenceRanges()
    } else if entry.kind == .baseline {
      var runs: [SealedRun] = []
      for part in parts.sorted(by: { $0.entry.firstSequence < $1.entry.firstSequence }) {
        runs.append(try reading.run(part.entry))
      }
      salvage.events = try UnfoldedSegments.baseline(
        of: runs, through: entry.lastSequence, reading.pool)
      salvage.lost = SequenceRanges()
    } else {
      for part in parts {
        salvage.events += try reading.intactEvents(of: part.entry).events.filter {
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
