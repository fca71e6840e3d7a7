import LedgerFormat
import LedgerStorage

extension Replay {
  /// Reads the tasks that a snapshot's file holds, wherever it lies.
  ///
  /// It is the way to what is in a snapshot that ``Ledger/repair(at:configuration:progress:)`` set aside because the events for which
  /// it stands are lost. The file alone speaks for it: its bytes are checked, and compared with no event.
  ///
  /// ```swift
  /// let before = try Replay(ofSnapshotFile: path)
  /// for index in 0..<before.tasks { print(before.task(at: index).body) }
  /// ```
  /// - Parameter path: the file; its name does not matter.
  /// - Throws: ``LedgerError`` with code `notFound` where there is no such file, `damaged` for one that is no snapshot or not what was
  ///   written, `unsupported` for one of another version, `io` when it cannot be read.
  public init(ofSnapshotFile path: String) throws(LedgerError) {
    do throws(LedgerError) {
      let folder = try LedgerError.typing { try LocalDirectory.parent(ofPath: path) }
      let name = path.utf8.lastIndex(of: 0x2f).map { String(path[path.utf8.index(after: $0)...]) }
      guard try LedgerError.typing({ try folder.status(name ?? path) }) != nil else {
        throw LedgerError(.notFound, "there is no snapshot", path: path)
      }
      let snapshot = try LooseSnapshot(name ?? path, in: folder, pool: ZstdPool())
      self.init(try TimedState.of(snapshot), snapshot: snapshot.sequence)
    } catch {
      var error = error
      error.hint = "name a file that `ledger snapshot` made, or that `ledger repair` moved aside"
      throw error
    }
  }
}

extension TimedState {
  fileprivate static func of(_ snapshot: LooseSnapshot) throws(LedgerError) -> TimedState {
    let start = monotonicSeconds()
    return TimedState(try snapshot.state(), since: start)
  }
}
