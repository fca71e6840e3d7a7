import LedgerCore
import LedgerFormat

/// The log digest at the end of a run, computed from its events.
package enum RunDigest {
  /// The events' own digests are taken in the order of the file and chained in order of sequence.
  ///
  /// - Parameter note: called with the log digest after each event.
  /// - Throws: `damaged` also when the footer says of the stamps what they are not, on which folding relies, or the filter of the
  ///   tasks, on which finding them does.
  package static func compute(
    _ run: SealedRun, zstd: Zstd, note: (LogDigest) -> Void = { _ in }
  ) throws(LedgerError) -> LogDigest {
    let first = run.footer.firstSequence
    var leaves = [(digest: Digest, stamp: Stamp)?](
      repeating: nil, count: Int(run.footer.eventCount))
    var scratch: [UInt8] = []
    var marks: [RunFilter.Mark] = []
    func mark(_ task: TaskID) { marks.append(RunFilter.Mark(task)) }
    try run.forEachEvent(zstd: zstd, noting: mark) { (event) throws(LedgerError) in
      guard event.sequence >= first, event.sequence - first < UInt64(leaves.count),
        leaves[Int(event.sequence - first)] == nil
      else {
        throw LedgerError(.damaged, "event \(event.sequence) stands where it does not belong")
      }
      leaves[Int(event.sequence - first)] = (
        EventDigest.leaf(event, scratch: &scratch), event.stamp
      )
    }
    try run.checkFilter(marks)
    var digest = LogDigest(value: run.footer.digestBefore, sequence: first - 1)
    var stamps = StampCheck(run.footer)
    for leaf in leaves {
      guard let leaf else {
        throw LedgerError(
          .damaged, "event \(digest.sequence + 1) is missing", path: run.source.path)
      }
      digest.append(leaf: leaf.digest)
      note(digest)
      stamps.note(leaf.stamp)
    }
    guard stamps.agree else {
      throw LedgerError(
        .damaged, "the footer says of the times of the events what they are not",
        path: run.source.path)
    }
    return digest
  }
}

/// Whether what a footer says of the stamps is true.
private struct StampCheck {
  private let footer: RunFooter
  private var oldest: Stamp?
  private var newest: Stamp?
  private var last: Stamp?
  private var ascends = true

  init(_ footer: RunFooter) { self.footer = footer }

  /// Takes the stamp of the next event in order of sequence.
  mutating func note(_ stamp: Stamp) {
    if let last, !(last < stamp) { ascends = false }
    last = stamp
    oldest = min(oldest ?? stamp, stamp)
    newest = max(newest ?? stamp, stamp)
  }

  var agree: Bool {
    oldest == footer.oldest && newest == footer.newest && (ascends || !footer.ascends)
  }
}
