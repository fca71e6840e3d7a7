import LedgerCore

/// Whether the filter of a run is as it was written, and true.
extension SealedRun {
  /// Makes sure that the filter is as it was written.
  package func checkFilter() throws(LedgerError) { _ = try filterBytes() }

  /// Makes sure that the filter is the one of the tasks: one that hides a task would hide its events.
  ///
  /// - Parameter marks: of each task of the run at least once.
  package func checkFilter(_ marks: [RunFilter.Mark]) throws(LedgerError) {
    guard let filter = footer.filter, let bytes = try filterBytes() else { return }
    guard let count = RunFilter.pageCount(of: filter),
      RunFilter(marks, pageCount: count).encoded(of: footer.digestAfter) == bytes
    else {
      throw LedgerError(.damaged, "the filter is not the one of the tasks")
        .located(in: source.path, offset: filter.offset)
    }
  }

  /// Reads all ids for that.
  ///
  /// - Returns: false where the filter is damaged; true also where there is none.
  package func hasRightFilter(zstd: Zstd) throws(LedgerError) -> Bool {
    guard footer.filter != nil else { return true }
    var marks: [RunFilter.Mark] = []
    try forEachEvent(zstd: zstd, noting: { marks.append(RunFilter.Mark($0)) }, { _ in })
    do throws(LedgerError) {
      try checkFilter(marks)
      return true
    } catch {
      guard error.code == .damaged else { throw error }
      return false
    }
  }

  private func filterBytes() throws(LedgerError) -> [UInt8]? {
    guard let filter = footer.filter else { return nil }
    let bytes = try source.read(at: filter.offset, count: Int(filter.storedLength))
    let found = LedgerFormat.checksum(of: bytes, in: 0..<bytes.count)
    guard found == filter.checksum else {
      throw LedgerError(
        .damaged,
        "cannot read the filter: its checksum is \(hex(found)), expected \(hex(filter.checksum))"
      ).located(in: source.path, offset: filter.offset)
    }
    return bytes
  }
}
