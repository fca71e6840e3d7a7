import LedgerCore
import LedgerFormat

/// The files of named consumers' positions, in the folder `checkpoints`.
///
/// Invariants:
/// - a file is replaced by renaming, and durable with its name when storing returns;
/// - each storing writes a draft of its own, under a lock: what processes store at once cannot mix, and what one left that died is
///   told from what one writes.
package struct CheckpointStore {
  private let directory: any LedgerDirectory

  package init(_ directory: any LedgerDirectory) { self.directory = directory }

  /// Reads a checkpoint; nil when there is none.
  ///
  /// - Throws: `damaged` for a file that is not what was written, or another ledger's or consumer's.
  package func read(_ name: String, of ledger: ReplicaID) throws(LedgerError) -> CheckpointFile? {
    let place = LedgerNames.checkpoint(name)
    do {
      let bytes = try directory.contents(of: place, atMost: UInt64(CheckpointFile.byteCountMax))
      let file = try CheckpointFile(bytes)
      guard file.ledger == ledger else {
        throw LedgerError(.damaged, "the checkpoint belongs to another ledger")
      }
      guard file.name.hasSameBytes(as: name) else {
        throw LedgerError(.damaged, "the checkpoint is that of \"\(file.name)\"")
      }
      return file
    } catch let error as LedgerError where error.code == .notFound {
      return nil
    } catch {
      var error = LedgerError.wrapping(error)
      if error.path == nil { error.path = directory.pathOf(place) }
      if error.code == .damaged {
        error.hint =
          "remove the file, and have its consumer go on from an event that it knows to have processed"
      }
      throw error
    }
  }

  /// Stores a checkpoint in the place of the one before.
  package func store(_ file: CheckpointFile) throws(LedgerError) {
    try LedgerError.typing {
      if try !directory.list("").contains(where: { $0.hasSameBytes(as: LedgerNames.checkpoints) }) {
        try directory.ensureFolder(LedgerNames.checkpoints)
      }
      let (name, draft) = try lockedDraft(of: file.name)
      defer { draft.close() }
      do {
        try draft.write(file.encoded, at: 0)
        try draft.sync()
        try directory.rename(name, to: LedgerNames.checkpoint(file.name))
      } catch {
        try? directory.unlink(name)
        throw error
      }
      try directory.syncFolder(LedgerNames.checkpoints)
    }
  }

  /// A new file that nobody takes for one that was left behind.
  private func lockedDraft(of consumer: String) throws -> (name: String, file: any LedgerFile) {
    while true {
      let name = LedgerNames.checkpointDraft(consumer, unique: .unique())
      let file = try directory.open(name, .create)
      do {
        // Before it was locked somebody may have found and removed it.
        if try file.tryLock(.exclusive),
          try directory.status(name)?.identity == file.status().identity
        {
          return (name, file)
        }
      } catch {
        try? directory.unlink(name)
        file.close()
        throw error
      }
      try? directory.unlink(name)
      file.close()
    }
  }

  /// Removes a checkpoint.
  ///
  /// - Returns: false when there was none.
  package func remove(_ name: String) throws(LedgerError) -> Bool {
    try LedgerError.typing {
      do {
        try directory.unlink(LedgerNames.checkpoint(name))
      } catch let error as LedgerError where error.code == .notFound {
        return false
      }
      try directory.syncFolder(LedgerNames.checkpoints)
      return true
    }
  }

  /// The names of all checkpoints, in order.
  package func names() throws(LedgerError) -> [String] {
    try directory.listIfThere(LedgerNames.checkpoints).compactMap(LedgerNames.checkpointName)
  }

  /// Removes drafts of a name that nobody is writing.
  package func removeDrafts(of name: String) throws(LedgerError) {
    for file in try directory.listIfThere(LedgerNames.checkpoints)
    where LedgerNames.isCheckpointDraft(file, of: name) {
      let place = "\(LedgerNames.checkpoints)/\(file)"
      guard let draft = try? directory.open(place, .read) else { continue }
      defer { draft.close() }
      if (try? draft.tryLock(.exclusive)) == true { try? directory.unlink(place) }
    }
  }
}
