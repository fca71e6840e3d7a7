import LedgerCore
import LedgerFormat

/// Writes the snapshot of a log up to the end of its closed segments.
///
/// Invariants:
/// - nothing of it is read before the manifest names it;
/// - it is read back and folded: what it adds up to must have the state digest of the events.
struct SnapshotWriter {
  private let view: LogView
  private let level: Int32
  private let last: UInt64

  private static let writeBytesMin = 64 << 10
  private static let commonValuesMax = 4096

  /// - Precondition: there are events in closed segments.
  init(_ view: LogView, level: Int32) {
    self.view = view
    self.level = level
    last = view.manifest.lastFixedSequence
  }

  /// Writes the file and reads it back.
  ///
  /// - Parameter base: an older snapshot from which to go on; nil to start from the events alone.
  func write(onto base: SnapshotFile?) throws -> (entry: SnapshotEntry, file: SnapshotFile) {
    let unique = UInt64.random(in: 1...UInt64.max)
    let name = LedgerNames.snapshot(last: last, unique: unique)
    let runs = try view.runs(after: 0, through: last)
    let span = try span(runs, onto: base)
    var checksum: UInt64 = 0
    let directory = view.directory
    try directory.replaceDurably(LedgerNames.inSnapshots(name), in: LedgerNames.snapshots) { file in
      checksum = try fill(file, runs, span, onto: base)
    }
    do {
      let entry = SnapshotEntry(file: name, sequence: last, checksum: checksum)
      let file = try SnapshotFile(entry, view.manifest, in: directory, pool: view.pool)
      try check(file, span)
      return (entry, file)
    } catch {
      try? directory.unlink(LedgerNames.inSnapshots(name))
      throw error
    }
  }

  /// What all events up to the last one are, and what they add up to.
  private func span(_ runs: [SealedRun], onto base: SnapshotFile?) throws -> StateSpan {
    let state = try RunMerge.fold(runs, onto: base?.run, cut: .sequence(last))
    let footers = runs.map(\.footer)
    guard let oldest = footers.map(\.oldest).min(), let newest = footers.map(\.newest).max() else {
      throw LedgerError(
        .invalid, "there are no events of which to make a snapshot", path: view.directory.path)
    }
    return StateSpan(
      horizon: last, oldest: oldest, newest: newest,
      mark: StateMark(tasks: UInt64(state.count), digest: state.digest()))
  }

  /// - Returns: the checksum of the footer.
  private func fill(
    _ file: any LedgerFile, _ runs: [SealedRun], _ span: StateSpan, onto base: SnapshotFile?
  ) throws -> UInt64 {
    let zstd = try Zstd()
    var writer = RunWriter(
      ledger: view.manifest.ledger, digestBefore: .zero,
      common: commonValues((base.map { [$0.run] } ?? []) + runs), level: level, zstd: zstd,
      span: span)
    var position: UInt64 = 0
    func flush() throws {
      let bytes = writer.drain()
      try file.write(bytes, at: position)
      position += UInt64(bytes.count)
    }
    var walk = try BaselineWalk(runs, onto: base?.run, through: last, zstd: zstd)
    while let (task, baseline) = try walk.next() {
      try writer.startTask(task)
      for var event in baseline.events {
        // Who did it is of no account to the state.
        event.author = ""
        try writer.add(event)
      }
      if writer.undrainedCount >= Self.writeBytesMin { try flush() }
    }
    let footer = try writer.finish(
      digestAfter: view.manifest.active.digestBefore, ascends: RunFooter.ascend(runs.map(\.footer)))
    try flush()
    return footer.checksum
  }

  /// The values that are frequent in the runs, as their tables have them.
  private func commonValues(_ runs: [SealedRun]) -> CommonValues {
    var common = CommonValues()
    var known: Set<Value> = []
    for run in runs.reversed() {
      for value in run.tables.values where common.values.count < Self.commonValuesMax {
        if known.insert(value).inserted { common.values.append(value) }
      }
    }
    return common
  }

  private func check(_ file: SnapshotFile, _ span: StateSpan) throws {
    let state = try RunMerge.fold([], onto: file.run)
    guard state.digest() == span.mark.digest, file.footer.state == span.mark else {
      throw LedgerError(
        .damaged, "a snapshot reads back otherwise than it was written",
        path: file.run.source.path, hint: "check the disk; the ledger itself is as it was")
    }
  }
}
