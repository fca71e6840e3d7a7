/// Which snapshots are kept: the newest two, and for half of the log, a quarter of it, an eighth and so on the newest that is not
/// after that.
///
/// Two, so that one that is damaged costs little. Halves, so that their number grows with the logarithm of the ledger. As it grows the
/// newest of those that are not after a half stays so, or a newer one takes its place.
enum SnapshotPruning {
  /// - Parameters:
  ///   - entries: in order of sequence.
  ///   - last: the last event of the closed segments.
  static func kept(_ entries: [SnapshotEntry], through last: UInt64) -> [SnapshotEntry] {
    var places = Set(entries.indices.suffix(2))
    var moment = last / 2
    while let place = entries.lastIndex(where: { $0.sequence <= moment }) {
      places.insert(place)
      moment /= 2
    }
    return places.sorted().map { entries[$0] }
  }
}
