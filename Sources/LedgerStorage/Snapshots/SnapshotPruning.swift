/// Which snapshots are kept: the newest two, and of the older ones the oldest of each power of two of distance to the
/// newest.
///
/// Two, so that one that is damaged costs little. Powers of two, so that a moment that lies twice as far back is twice as far
/// from a snapshot, and their number grows with the logarithm of the ledger. The oldest of each, because it is the next to
/// reach the distance beyond.
enum SnapshotPruning {
  /// - Parameter entries: in order of sequence.
  static func kept(_ entries: [SnapshotEntry]) -> [SnapshotEntry] {
    guard let newest = entries.last else { return [] }
    var powers: Set<Int> = []
    let older = entries.dropLast(2).filter { entry in
      powers.insert(UInt64.bitWidth - (newest.sequence - entry.sequence).leadingZeroBitCount)
        .inserted
    }
    return older + entries.suffix(2)
  }
}
