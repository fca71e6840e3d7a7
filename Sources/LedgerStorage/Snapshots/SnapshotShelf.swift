import LedgerCore
import LedgerFormat

/// The snapshots of a ledger as its readers find them.
///
/// Invariants:
/// - a snapshot is opened once, and used only when it fits the log;
/// - one that does not fit, or turns out not to when it is read, is not tried again, and told of once;
/// - no snapshot ever makes reading fail: without any, everything is folded from the events.
package final class SnapshotShelf: Sendable {
  private enum Place: Sendable {
    case opened(SnapshotFile)
    case rejected(LedgerError?)
  }

  private struct Content: Sendable {
    var places: [SnapshotEntry: Place] = [:]
    var notices: [String] = []
  }

  private let directory: any LedgerDirectory
  private let pool: ZstdPool
  private let content = Guarded(Content())

  init(_ directory: any LedgerDirectory, pool: ZstdPool) {
    self.directory = directory
    self.pool = pool
  }

  /// The newest snapshot whose events all count up to a cut.
  ///
  /// - Parameter last: the last event of the log.
  package func newest(
    for cut: FoldCut, in manifest: Manifest, through last: UInt64
  ) -> SnapshotFile? {
    for entry in SnapshotEntry.all(in: manifest).reversed() {
      if case .sequence(let limit) = cut, entry.sequence > limit { continue }
      guard let file = file(entry, manifest, through: last) else { continue }
      if cut.includesAll(of: file.footer) { return file }
    }
    return nil
  }

  private func file(
    _ entry: SnapshotEntry, _ manifest: Manifest, through last: UInt64
  ) -> SnapshotFile? {
    switch content.withLock({ $0.places[entry] }) {
    case .opened(let file)?: return file
    case .rejected?: return nil
    case nil: break
    }
    do throws(LedgerError) {
      try directory.checkFolder(LedgerNames.snapshots)
      let file = try SnapshotFile(entry, manifest, in: directory, pool: pool, through: last)
      content.withLock { $0.places[entry] = .opened(file) }
      return file
    } catch {
      reject(entry, error)
      return nil
    }
  }

  /// Takes a snapshot out of use.
  func reject(_ entry: SnapshotEntry, _ error: LedgerError) {
    // Whoever deletes a snapshot means it.
    let status = try? directory.status(LedgerNames.inSnapshots(entry.file))
    let isGone = status == .some(nil)
    content.withLock { content in
      content.places[entry] = .rejected(isGone ? nil : error)
      guard !isGone else { return }
      content.notices.append(
        "a snapshot is left out: \(error.message); `ledger snapshot` makes a new one")
    }
  }

  /// Why snapshots were left out since this was asked last, in sentences for people.
  package func takeNotices() -> [String] {
    content.withLock { content in
      defer { content.notices = [] }
      return content.notices
    }
  }
}
