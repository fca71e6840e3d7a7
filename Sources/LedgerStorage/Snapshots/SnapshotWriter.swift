import LedgerCore
import LedgerFormat

/// Writes the snapshot of a log up to an event of one of its closed segments.
///
/// Invariants:
/// - nothing of it is read before the manifest names it;
/// - it is read back and folded: what it adds up to must have the state digest of the events.
struct SnapshotWriter {
  private let view: LogView
  private let level: Int32
  private let last: UInt64
  private let digest: Digest
  private let progress: ((UInt64) -> Void)?

  private static let writeBytesMin = 64 << 10
  private static let commonValuesMax = 4096

  /// - Parameters:
  ///   - digest: the log digest at the last event of the snapshot.
  ///   - progress: called now and then with the number of events read so far.
  init(
    _ view: LogView, level: Int32, through digest: LogDigest,
    progress: ((UInt64) -> Void)? = nil
  ) {
    self.view = view
    self.level = level
    last = digest.sequence
    self.digest = digest.value
    self.progress = progress
  }

  /// Writes the file and reads it back.
  ///
  /// - Parameter base: an older snapshot from which to go on; nil to start from the events alone.
  func write(onto base: SnapshotFile?) throws -> (entry: SnapshotEntry, file: SnapshotFile) {
    let unique = UInt64.unique()
    let name = LedgerNames.snapshot(last: last, unique: unique)
    let runs = try view.runs(after: 0, through: last)
    var footer: RunFooter?
    let directory = view.directory
    try directory.replaceDurably(LedgerNames.inSnapshots(name), in: LedgerNames.snapshots) { file in
      footer = try fill(file, runs, onto: base)
    }
    do {
      let entry = SnapshotEntry(file: name, sequence: last, checksum: footer?.checksum ?? 0)
      let file = try SnapshotFile(entry, view.manifest, in: directory, pool: view.pool)
      try check(file, says: footer?.state)
      return (entry, file)
    } catch {
      try? directory.unlink(LedgerNames.inSnapshots(name))
      throw error
    }
  }

  /// What all events up to the last one are.
  private func span(_ runs: [SealedRun]) throws(LedgerError) -> StateSpan {
    var span: StateSpan?
    func note(_ first: Stamp, _ second: Stamp) {
      span = StateSpan(
        horizon: last, oldest: min(span?.oldest ?? first, first),
        newest: max(span?.newest ?? second, second))
    }
    for run in runs {
      if run.footer.lastSequence <= last {
        note(run.footer.oldest, run.footer.newest)
      } else {
        try view.pool.with { (zstd) throws(LedgerError) in
          try run.forEachEvent(zstd: zstd) { if $0.sequence <= last { note($0.stamp, $0.stamp) } }
        }
      }
    }
    guard let span else {
      throw LedgerError(
        .invalid, "there are no events of which to make a snapshot", path: view.directory.path)
    }
    return span
  }

  private func fill(
    _ file: any LedgerFile, _ runs: [SealedRun], onto base: SnapshotFile?
  ) throws -> RunFooter {
    let baseRun = base?.run
    let cut = FoldCut.sequence(last)
    // What the events add up to is folded by other means than what is written.
    let (written, mark) = DetachedThread.both(if: RunMerge.isWorthSplitting(runs)) {
      Result { try writeTasks(to: file, runs, onto: baseRun) }
    } _: {
      Result { () throws(LedgerError) in
        let state = try RunMerge.fold(runs, onto: baseRun, cut: cut)
        return StateMark(tasks: UInt64(state.count), digest: state.digest())
      }
    }
    var (writer, position) = try written.get()
    let footer = try writer.finish(
      digestAfter: digest, ascends: RunFooter.ascend(runs.map(\.footer)),
      mark: try mark.get())
    _ = try write(writer.drain(), to: file, at: position)
    return footer
  }

  /// - Returns: the writer, of which only the end is not yet in the file, and where that goes.
  private func writeTasks(
    to file: any LedgerFile, _ runs: [SealedRun], onto base: SealedRun?
  ) throws -> (writer: RunWriter, position: UInt64) {
    let zstd = try Zstd()
    var writer = RunWriter(
      ledger: view.manifest.ledger, digestBefore: .zero,
      common: try commonValues((base.map { [$0] } ?? []) + runs, zstd), level: level, zstd: zstd,
      span: try span(runs))
    var position: UInt64 = 0
    let isLong = DetachedThread.coreCount > 1 && RunMerge.isWorthSplitting(runs)
    try BaselinePortion.forEach(of: runs, onto: base, through: last, aside: isLong) { portion in
      for task in portion.tasks {
        try writer.startTask(task.id)
        for var event in task.events {
          // Who did it is of no account to the state.
          event.author = ""
          try writer.add(event)
        }
        if let bytes = writer.drain(atLeast: Self.writeBytesMin) {
          position = try write(bytes, to: file, at: position)
        }
      }
      progress?(portion.seenCount)
    }
    return (writer, position)
  }

  /// - Returns: where what follows goes.
  private func write(
    _ bytes: [UInt8], to file: any LedgerFile, at position: UInt64
  ) throws -> UInt64 {
    try file.write(bytes, at: position)
    return position + UInt64(bytes.count)
  }

  /// The values that are frequent in the runs, as their tables have them, and about when their events were made.
  private func commonValues(
    _ runs: [SealedRun], _ zstd: Zstd
  ) throws(LedgerError) -> CommonValues {
    var common = CommonValues()
    var anchors = TimeAnchorBuilder()
    for run in runs { try anchors.note(run, zstd: zstd) }
    common.anchors = anchors.anchors
    var known: Set<Value> = []
    for run in runs.reversed() {
      for value in try run.values() where common.values.count < Self.commonValuesMax {
        if known.insert(value).inserted { common.values.append(value) }
      }
    }
    return common
  }

  private func check(_ file: SnapshotFile, says mark: StateMark?) throws {
    let state = try RunMerge.fold([], onto: file.run)
    guard state.digest() == mark?.digest, file.footer.state == mark else {
      throw LedgerError(
        .damaged, "a snapshot reads back otherwise than it was written",
        path: file.run.source.path, hint: "check the disk; the ledger itself is as it was")
    }
  }
}
