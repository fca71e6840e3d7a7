import LedgerCore
import LedgerFormat

/// Writes the baseline of a history: of each task what still counts of its events up to the horizon.
///
/// Invariants:
/// - one block of each run and what counts of one task is in memory;
/// - what is written adds up to what was folded, task by task, which is checked before it is written, and again
///   when it is read back.
struct BaselineWriter {
  private let directory: any LedgerDirectory
  private let ledger: ReplicaID
  private let level: Int32
  private let pause: () throws -> Void

  private static let pauseEvents = 4096
  private static let writeBytesMin = 64 << 10

  init(
    _ directory: any LedgerDirectory, ledger: ReplicaID, level: Int32,
    pause: @escaping () throws -> Void
  ) {
    self.directory = directory
    self.ledger = ledger
    self.level = level
    self.pause = pause
  }

  /// How many bytes the baseline would have, and how many events. It is made for that, and not kept.
  func measure(
    _ runs: [SealedRun], _ cut: FoldPlan.Cut
  ) throws -> (bytes: UInt64, kept: UInt64) {
    var draft = SegmentDraft()
    let footer = try write(runs, cut, try Zstd(), to: &draft)
    return (draft.byteCount, footer.eventCount)
  }

  /// Writes the baseline and reads it back.
  ///
  /// - Returns: what a manifest has to say of it, and how many events it holds.
  func write(
    _ runs: [SealedRun], _ cut: FoldPlan.Cut
  ) throws -> (entry: SegmentEntry, kept: UInt64) {
    let file = LedgerNames.baseline(
      last: cut.sequence, unique: .unique())
    let name = LedgerNames.inSegments(file)
    let zstd = try Zstd()
    var draft = try SegmentDraft(name, in: directory)
    do {
      let footer = try write(runs, cut, zstd, to: &draft)
      try draft.finish()
      try check(name, runs, cut, zstd)
      let entry = SegmentEntry(
        kind: .baseline, file: file, segment: 0, firstSequence: 1, eventCount: cut.sequence,
        end: draft.byteCount, checksum: footer.checksum, digestBefore: .zero,
        digestAfter: cut.digest, ownCount: cut.ownCount, newest: footer.newest)
      return (entry, footer.eventCount)
    } catch {
      draft.discard()
      throw error
    }
  }

  private func write(
    _ runs: [SealedRun], _ cut: FoldPlan.Cut, _ zstd: Zstd, to draft: inout SegmentDraft
  ) throws -> RunFooter {
    var counter = CommonValueCounter()
    try forEachTask(runs, cut, zstd) { for event in $0.events { counter.note(event) } }
    var writer = RunWriter(
      ledger: ledger, digestBefore: .zero, common: counter.common, level: level, zstd: zstd,
      horizon: cut.sequence)
    try forEachTask(runs, cut, zstd) { baseline in
      guard let first = baseline.events.first else { return }
      try writer.startTask(first.task)
      for event in baseline.events { try writer.add(event) }
      if let bytes = writer.drain(atLeast: Self.writeBytesMin) { try draft.append(bytes) }
    }
    let footer = try writer.finish(
      digestAfter: cut.digest, ascends: RunFooter.ascend(runs.map(\.footer)))
    try draft.append(writer.drain())
    return footer
  }

  /// Calls `body` with the baseline of each task, in order of ids.
  private func forEachTask(
    _ runs: [SealedRun], _ cut: FoldPlan.Cut, _ zstd: Zstd, _ body: (TaskBaseline) throws -> Void
  ) throws {
    var baseline = TaskBaseline()
    var count = 0
    func end() throws {
      baseline.reduce()
      guard TaskState(baseline.events) == baseline.state else {
        throw LedgerError(
          .damaged, "the baseline of a task does not add up to its events", path: directory.path,
          hint: "run `ledger verify`; nothing was changed")
      }
      try body(baseline)
    }
    try RunUnion(runs, zstd: zstd).visit { step in
      switch step {
      case .task:
        try end()
        baseline = TaskBaseline()
      case .event(let event):
        count += 1
        if count.isMultiple(of: Self.pauseEvents) { try pause() }
        if event.sequence <= cut.sequence { baseline.fold(event) }
      }
    }
    try end()
  }

  /// Reads the file back, beside the history of which it was made.
  private func check(
    _ name: String, _ runs: [SealedRun], _ cut: FoldPlan.Cut, _ zstd: Zstd
  ) throws {
    let source = FileSource(directory, name)
    let run = try SealedRun(source, zstd: zstd, kind: .baseline)
    let written = EventCursor(run, zstd: zstd)
    func expect(_ isTrue: Bool) throws {
      guard isTrue else {
        throw LedgerError(
          .damaged, "a baseline reads back otherwise than it was written", path: source.path,
          hint: "check the disk; the ledger itself is as it was")
      }
    }
    try forEachTask(runs, cut, zstd) { baseline in
      guard !baseline.events.isEmpty else { return }
      try expect(try written.advance())
      for event in baseline.events { try expect(try written.nextEvent() == event) }
      try expect(try written.nextEvent() == nil)
    }
    try expect(try !written.advance())
  }
}
