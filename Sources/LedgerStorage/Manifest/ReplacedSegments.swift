import LedgerCore
import LedgerFormat

/// The segments that a manifest of before names, and in whose place a ledger's list of files has others by now.
///
/// Where a segment of an earlier manifest ends with the log digest that the list has there, all events up to that are the same in both.
/// So sealing and merging cost no second look at what they replaced.
struct ReplacedSegments {
  private(set) var files: Set<ByteText> = []

  /// - Parameter earlier: the manifests of before that lie beside.
  init(by manifest: Manifest, earlier: [Manifest]) {
    let ends = Dictionary(
      manifest.segments.filter { $0.kind != .active }.map { ($0.lastSequence, $0.digestAfter) },
      uniquingKeysWith: { first, _ in first })
    let lost = manifest.lost
    for earlier in earlier {
      let closed = earlier.segments.filter { $0.kind != .active }
      let alike = closed.filter { ends[$0.lastSequence] == $0.digestAfter }
      guard let agreed = alike.map(\.lastSequence).max() else { continue }
      for entry in closed where entry.lastSequence <= agreed && !entry.holdsAny(of: lost) {
        files.insert(ByteText(entry.file))
      }
    }
  }
}

extension SegmentEntry {
  fileprivate func holdsAny(of events: SequenceRanges) -> Bool {
    firstSequence > lastSequence || !events.clamped(to: firstSequence...lastSequence).isEmpty
  }
}
