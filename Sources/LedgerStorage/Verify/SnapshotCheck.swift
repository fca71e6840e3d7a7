import LedgerCore
import LedgerFormat

/// Compares snapshots with the log, event by event and task by task.
///
/// No damage that is found makes a ledger unsound: what a snapshot says is in the events, too. But one that the system does not give
/// was not checked, and nobody may say that all is.
struct SnapshotCheck {
  private let directory: any LedgerDirectory
  private let manifest: Manifest
  private let pool: ZstdPool
  private let digests: [UInt64: Digest]
  private let view: LogView?
  private let digestsFrom: UInt64

  /// - Parameters:
  ///   - digests: the log digests at the events of the snapshots, as the events have them.
  ///   - view: the log; nil where it is damaged, and then a snapshot is only compared with itself.
  ///   - digestsFrom: the first event whose log digest was computed.
  init(
    _ directory: any LedgerDirectory, _ manifest: Manifest, pool: ZstdPool,
    digests: [UInt64: Digest], view: LogView?, digestsFrom: UInt64 = 1
  ) {
    self.directory = directory
    self.manifest = manifest
    self.pool = pool
    self.digests = digests
    self.view = view
    self.digestsFrom = digestsFrom
  }

  /// What is to be said of the snapshots, and of what else lies beside them; one that was deleted is not missed.
  func files(_ entries: [SnapshotEntry]) -> [VerifyReport.File] {
    var files: [VerifyReport.File] = []
    let there: [String]
    do throws(LedgerError) {
      there = try directory.listIfThere(LedgerNames.snapshots)
    } catch {
      let status = status(error)
      return [VerifyReport.File(name: LedgerNames.snapshots, bytes: 0, status: status)]
    }
    for entry in entries where there.contains(where: { $0.hasSameBytes(as: entry.file) }) {
      files.append(file(entry))
    }
    let named = Set(entries.map { ByteText($0.file) })
    for file in there where !named.contains(ByteText(file)) {
      let name = LedgerNames.inSnapshots(file)
      let status = LedgerNames.isSnapshot(file) ? unnamedStatus(name) : .foreign
      let bytes = status.isFault ? (try? directory.status(name))?.size ?? 0 : 0
      files.append(VerifyReport.File(name: name, bytes: bytes, status: status))
    }
    return files
  }

  private func unnamedStatus(_ name: String) -> VerifyReport.Status {
    do throws(LedgerError) {
      guard let other = try directory.claimedLedger(of: name), other != manifest.ledger else {
        return .unneeded
      }
      return .otherLedger(
        .otherLedger(other, expected: manifest.ledger, path: directory.pathOf(name)))
    } catch {
      return error.code == .io ? .unreadable(error) : .unneeded
    }
  }

  private func file(_ entry: SnapshotEntry) -> VerifyReport.File {
    let name = LedgerNames.inSnapshots(entry.file)
    var file = VerifyReport.File(name: name, bytes: 0, status: .sound)
    do throws(LedgerError) {
      file.bytes = try FileSource(directory, name).size()
      let snapshot = try SnapshotFile(entry, manifest, in: directory, pool: pool)
      file.sequences = 1...entry.sequence
      try checkState(snapshot)
      if let view { try checkAgainst(view, snapshot) }
    } catch {
      file.status = status(error)
    }
    return file
  }

  /// What is damaged, made by others, or no file, is left out by everybody; what cannot be read now may be used by others, or later.
  private func status(_ error: LedgerError) -> VerifyReport.Status {
    error.code == .io && !error.isOfOtherKind ? .unreadable(error) : .leftOut(error)
  }

  private func checkState(_ snapshot: SnapshotFile) throws(LedgerError) {
    guard try snapshot.addsUp() else {
      throw misfit("its tasks do not have the digest that it says", snapshot)
    }
  }

  private func checkAgainst(_ view: LogView, _ snapshot: SnapshotFile) throws(LedgerError) {
    guard snapshot.entry.sequence <= view.lastSequence else {
      throw misfit("the log ends with event \(view.lastSequence)", snapshot)
    }
    let digest = digests[snapshot.entry.sequence]
    guard
      digest.map({ $0 == snapshot.footer.digestAfter })
        ?? (snapshot.entry.sequence < digestsFrom)
    else { throw misfit("the log digest at its event is another", snapshot) }
    let runs = try view.runs(through: snapshot.entry.sequence)
    try pool.with { (zstd) throws(LedgerError) in
      var walk = try BaselineWalk(
        runs, onto: nil, through: snapshot.entry.sequence, zstd: zstd)
      let cursor = EventCursor(snapshot.run, zstd: zstd)
      while let (task, baseline) = try walk.next() {
        guard try cursor.advance(), cursor.task == task else {
          throw misfit("it lacks the task \"\(task)\"", snapshot)
        }
        for var event in baseline.events {
          event.author = ""
          guard try cursor.nextEvent() == event else {
            throw misfit("of the task \"\(task)\" it says what the events do not", snapshot)
          }
        }
        guard try cursor.nextEvent() == nil else {
          throw misfit("of the task \"\(task)\" it says more than the events", snapshot)
        }
      }
      guard try !cursor.advance() else { throw misfit("it has tasks of no events", snapshot) }
    }
  }

  private func misfit(_ what: String, _ snapshot: SnapshotFile) -> LedgerError {
    LedgerError(
      .damaged, "the snapshot of event \(snapshot.entry.sequence) does not fit: \(what)",
      path: snapshot.run.source.path)
  }
}
