import LedgerCore
import LedgerFormat

/// The log as it stands at one moment: a value that stays as it is while others append.
package struct LogView: Sendable {
  /// Keeps the files from being removed.
  package let held: HeldManifest
  /// The baseline, where there is one, then sealed and salvaged segments; of what is lost whole there is none.
  package let sealed: [SealedSegment]
  /// Frozen segments, then the active one.
  package var frameSegments: [FrameSegment]
  /// States on disk, from which reading starts.
  package let snapshots: SnapshotShelf
  package let pool: ZstdPool
  package let directory: any LedgerDirectory

  package var manifest: Manifest { held.manifest }

  /// The sequence number of the last event; 0 when there is none.
  package var lastSequence: UInt64 {
    frameSegments[frameSegments.count - 1].lastSequence
  }

  package var active: FrameSegment {
    get { frameSegments[frameSegments.count - 1] }
    set { frameSegments[frameSegments.count - 1] = newValue }
  }

  /// Whether another view of the same ledger holds all that this one does: the last transaction of the one is in the other, at
  /// the same place. False also when that cannot be told without reading.
  package func isContinued(by other: LogView) -> Bool {
    guard
      let segment = other.frameSegments.first(where: {
        $0.header.segment == active.header.segment
      }), !hasLostLess(than: other)
    else { return false }
    guard let last = active.frames.last else { return true }
    return segment.frames.count >= active.frames.count
      && segment.frames[active.frames.count - 1].header.checksum == last.header.checksum
  }

  /// Whether a repair found events lost that were there.
  package func hasLostLess(than other: LogView) -> Bool {
    manifest.number != other.manifest.number && manifest.lost != other.manifest.lost
  }

  /// The newest time of any event and whether the newest stamp is another replica's; nil in an empty ledger.
  package var newest: (time: LedgerTime, isForeign: Bool)? {
    if let header = active.frames.last?.header {
      return (header.newestTime, header.newestIsForeign)
    }
    let stamps = manifest.segments.compactMap(\.newest)
    return stamps.max().map { ($0.time, $0.replica != manifest.replica) }
  }

  /// Makes the frames durable that are not known to be, by somebody who cannot write them again.
  package func syncFrames() throws(LedgerError) {
    try LedgerError.typing {
      for segment in frameSegments where segment.eventCount > 0 {
        let file = try directory.open(LedgerNames.inSegments(segment.entry.file), .read)
        defer { file.close() }
        try file.sync()
      }
      try directory.syncFolder(LedgerNames.segments)
    }
  }

  /// The path of a segment's file, for messages.
  package func path(of segment: FrameSegment) -> String {
    directory.pathOf(LedgerNames.inSegments(segment.entry.file))
  }

  /// The length of a segment's file; 0 where it is lost whole.
  ///
  /// - Throws: `damaged` where the file has another length than the manifest says.
  package func byteCount(of entry: SegmentEntry) throws(LedgerError) -> UInt64 {
    guard entry.hasFile else { return 0 }
    let source = FileSource(directory, LedgerNames.inSegments(entry.file))
    let size = try source.size()
    guard entry.isRun ? size == entry.end : size >= entry.end else {
      let expected = entry.isRun ? "\(entry.end)" : "at least \(entry.end)"
      throw LedgerError(
        .damaged, "the file has \(size) bytes, expected \(expected)", path: source.path,
        offset: min(size, entry.end), hint: LedgerError.repairHint)
    }
    return size
  }

  /// The events of the frozen and active segments that hold some of a range, others of these segments too.
  package func unsealedEvents(
    after first: UInt64 = 0, through last: UInt64 = .max
  ) throws(LedgerError) -> [Event] {
    var events: [Event] = []
    for segment in frameSegments
    where segment.lastSequence > first && segment.header.firstSequence <= last {
      events.append(contentsOf: try segment.events(pool, path: path(of: segment)))
    }
    return events
  }

  /// The events of a task after a sequence number, in order.
  package func history(
    of task: TaskID, after sequence: UInt64 = 0
  ) throws(LedgerError) -> [Event] {
    var events = try sealedHistory(of: task, after: sequence)
    for segment in frameSegments where segment.lastSequence > sequence {
      try segment.forEachFrame(pool, path: path(of: segment)) { frame in
        for event in frame where event.task == task && event.sequence > sequence {
          events.append(event)
        }
      }
    }
    return events
  }

  /// The runs that hold the events of a range, and some others where it cuts a sealed one; the frames of unsealed segments
  /// are sorted into runs in memory, most often one.
  package func runs(
    after first: UInt64 = 0, through last: UInt64 = .max
  ) throws(LedgerError) -> [SealedRun] {
    var runs: [SealedRun] = []
    for segment in sealed
    where segment.entry.lastSequence > first && segment.entry.firstSequence <= last {
      runs.append(try segment.run(pool))
    }
    var events = try unsealedEvents(after: first, through: last)
      .filter { $0.sequence > first && $0.sequence <= last }[...]
    while !events.isEmpty {
      runs.append(try runInMemory(Array(events.prefix(RunWriter.eventCountMax))))
      events = events.dropFirst(RunWriter.eventCountMax)
    }
    return runs
  }

  private func runInMemory(_ events: [Event]) throws(LedgerError) -> SealedRun {
    try pool.with { (zstd) throws(LedgerError) in
      let bytes = try SortedRun.bytes(
        of: events, ledger: manifest.ledger, digests: nil, level: 1, zstd: zstd)
      return try SealedRun(
        MemorySource(bytes, path: path(of: active)), zstd: zstd)
    }
  }

  /// The state that the events add up to, folded from all of them.
  package func fold(
    _ cut: FoldCut = .present, progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> FoldedState {
    try RunMerge.fold(try runs(), cut: cut, progress: progress)
  }

  /// The last event that was known of when a repair found that others may be lost behind it; nil where none did.
  package var uncertainAfter: UInt64? { MaintenanceRecord.uncertainEnd(in: manifest) }

  /// What history was folded; nil when none was.
  package var horizon: Horizon? { Horizon(manifest) }

  /// The log digest after the last event, and the newest stamp in the active segment.
  package func digestOfActive() throws(LedgerError) -> SegmentDigest {
    try active.digest(pool, path: path(of: active))
  }
}
