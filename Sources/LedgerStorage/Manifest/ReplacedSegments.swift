import LedgerCore
import LedgerFormat

/// The segments that a manifest of before names, and in whose place a ledger's list of files has others by now.
///
/// Where a segment of an earlier manifest ends with the log digest that the list has there, all events up to that are the same in both,
/// and so are the log digests inside: a manifest that was before that one can be compared with those, where its segments were
/// sealed and merged since. So sealing and merging cost no second look at what they replaced, nor at what they made: a log digest
/// inside a merged segment is found only by reading that.
struct ReplacedSegments {
  private(set) var files: Set<ByteText> = []
  /// The log digests of the list where its segments end, and where those did in whose place they are.
  private(set) var digests: [UInt64: Digest]

  /// - Parameter earlier: the manifests of before that lie beside.
  init(by manifest: Manifest, earlier: [Manifest]) {
    digests = Dictionary(
      manifest.segments.filter { $0.kind != .active }.map { ($0.lastSequence, $0.digestAfter) },
      uniquingKeysWith: { first, _ in first })
    let lost = manifest.lost
    for earlier in earlier.sorted(by: { $0.number > $1.number }) {
      let closed = earlier.segments.filter { $0.kind != .active }
      let alike = closed.filter { digests[$0.lastSequence] == $0.digestAfter }
      guard let agreed = alike.map(\.lastSequence).max() else { continue }
      for entry in closed where entry.lastSequence <= agreed {
        digests[entry.lastSequence] = digests[entry.lastSequence] ?? entry.digestAfter
        if !entry.holdsAny(of: lost) { files.insert(ByteText(entry.file)) }
      }
    }
  }
}

extension SegmentEntry {
  fileprivate func holdsAny(of events: SequenceRanges) -> Bool {
    firstSequence > lastSequence || !events.clamped(to: firstSequence...lastSequence).isEmpty
  }
}
