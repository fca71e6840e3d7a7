import LedgerCore
import LedgerFormat

/// The log digest at the end of a run, computed from its events.
package enum RunDigest {
  /// The events' own digests are taken in the order of the file and chained in order of sequence.
  package static func compute(_ run: SealedRun, zstd: Zstd) throws(LedgerError) -> LogDigest {
    let first = run.footer.firstSequence
    var leaves = [Digest?](repeating: nil, count: Int(run.footer.eventCount))
    var scratch: [UInt8] = []
    try run.forEachEvent(zstd: zstd) { (event) throws(LedgerError) in
      guard event.sequence >= first, event.sequence - first < UInt64(leaves.count),
        leaves[Int(event.sequence - first)] == nil
      else {
        throw LedgerError(.damaged, "event \(event.sequence) stands where it does not belong")
      }
      leaves[Int(event.sequence - first)] = EventDigest.leaf(event, scratch: &scratch)
    }
    var digest = LogDigest(value: run.footer.digestBefore, sequence: first - 1)
    for leaf in leaves {
      guard let leaf else {
        throw LedgerError(
          .damaged, "event \(digest.sequence + 1) is missing", path: run.source.path)
      }
      digest.append(leaf: leaf)
    }
    return digest
  }
}
