import LedgerCore
import LedgerFormat

/// A list of files as it would be if what its damaged segments lack were lost: files beside it may hold that, as they may hold what an
/// earlier repair has put on record.
struct ListWithLosses {
  /// What is left of a damaged segment.
  private struct Rest {
    var original: SegmentEntry
    var events: [Event]
  }

  private(set) var manifest: Manifest
  private var rests: [SegmentEntry: Rest] = [:]

  /// - Parameter damaged: what is left of the segments that lack events which the list does not count as lost.
  init(_ manifest: Manifest, damaged: [SegmentEntry: SegmentSalvage] = [:]) {
    self.manifest = manifest
    guard !damaged.isEmpty else { return }
    self.manifest.segments = []
    for entry in manifest.segments {
      guard let salvage = damaged[entry], salvage.lastSequence >= entry.firstSequence else {
        self.manifest.segments.append(entry)
        continue
      }
      add(entry, salvage)
    }
  }

  private mutating func add(_ entry: SegmentEntry, _ salvage: SegmentSalvage) {
    var hole = entry
    hole.lost = salvage.lost
    if entry.kind != .baseline { hole.kind = .salvaged }
    if salvage.events.isEmpty { hole.file = "" }
    guard entry.kind == .active else {
      manifest.segments.append(hole)
      rests[hole] = Rest(original: entry, events: salvage.events)
      return
    }
    hole.eventCount = salvage.lastSequence - entry.firstSequence + 1
    hole.digestAfter = salvage.digest(after: entry.digestBefore)
    var next = entry
    next.file = ""
    next.firstSequence = salvage.lastSequence + 1
    (next.digestBefore, next.digestAfter) = (hole.digestAfter, hole.digestAfter)
    manifest.segments += [hole, next]
    rests[hole] = Rest(original: entry, events: salvage.events)
  }

  /// The entry of the true list.
  func original(_ entry: SegmentEntry) -> SegmentEntry { rests[entry]?.original ?? entry }

  /// What is left of a damaged segment; nil of any other.
  func events(of entry: SegmentEntry) -> [Event]? { rests[entry]?.events }

  /// Whether the log digest at the end of a damaged segment need not be that of its events; nil of any other segment.
  func isEndUncertain(_ entry: SegmentEntry) -> Bool? {
    rests[entry].map { $0.original.kind == .active || $0.original.kind == .salvaged }
  }
}
