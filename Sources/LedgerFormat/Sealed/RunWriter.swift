import LedgerCore

/// Writes a sealed segment: a sorted run of events, by task id, then sequence number.
///
/// Invariants:
/// - tasks are added in ascending order of their ids' bytes, each once;
/// - the events of a task are added in ascending order of sequence number;
/// - all sequence numbers of a contiguous range are there, at most 2^20 of them; of a baseline or a snapshot those that still
///   count, of a salvaged segment those that could be saved.
///
/// Blocks can be drained as they are made, so that a run need not be in memory whole.
package struct RunWriter {
  /// The most events of a run.
  package static let eventCountMax = 1 << 20
  /// The most bytes of a section before compression.
  package static let sectionBytesMax = 256 << 20
  /// The most bytes of a block before compression: twice the target and one event, of whose 4 MiB of JSON a double takes
  /// up to nine bytes for four.
  package static let blockBytesMax = 16 << 20
  /// A block is closed when it has as many bytes before compression.
  package static let blockBytesTarget = 128 << 10

  /// The format version of what is written…
  static let version: UInt16 = 4
  /// …and of what has a filter.
  static let filterVersion: UInt16 = 5

  private let header: [UInt8]
  private let ledger: ReplicaID
  private let digestBefore: Digest
  private let blockBytesTarget: Int
  private let level: Int32
  private let zstd: Zstd
  /// Of a run with gaps the last event that it stands for.
  private let horizon: UInt64?
  /// Of a run with gaps the first one.
  private let firstSequence: UInt64
  /// Of a snapshot the events that it stands for.
  private let span: StateSpan?
  /// What the filter is made of; nil for a run without one.
  private var marks: [RunFilter.Mark]?
  private var block: BlockWriter
  private let anchors: TimeAnchors
  private var interner: RunInterner
  private var index = BlockIndex()
  private var clocks = ClockTable()
  private var output: [UInt8] = []
  private var drained: UInt64 = 0
  private var eventCount: UInt64 = 0
  private var taskCount: UInt64 = 0
  private var lowestSequence = UInt64.max
  private var oldest: Stamp?
  private var newest: Stamp?
  private var currentKey: TaskKey?

  /// - Parameters:
  ///   - common: the values and messages that are worth a place in the tables, and about when the events were made.
  ///   - level: the zstd level.
  ///   - blockBytesTarget: what closes a block, at most `blockBytesTarget`.
  ///   - horizon: makes a baseline, which stands for all events up to this one.
  ///   - span: makes a snapshot of all events up to the end of that.
  ///   - salvaged: makes a salvaged segment of what is left of these events.
  ///   - hasFilter: whether the run gets a filter of its ids, which only a sealed segment can have.
  package init(
    ledger: ReplicaID, digestBefore: Digest, common: CommonValues, level: Int32 = 3, zstd: Zstd,
    blockBytesTarget: Int = RunWriter.blockBytesTarget, horizon: UInt64? = nil,
    span: StateSpan? = nil, salvaged: ClosedRange<UInt64>? = nil, hasFilter: Bool = false
  ) {
    self.ledger = ledger
    self.digestBefore = digestBefore
    self.level = level
    self.zstd = zstd
    self.blockBytesTarget = min(blockBytesTarget, Self.blockBytesTarget)
    interner = RunInterner(common: common)
    anchors = common.anchors
    block = BlockWriter(anchors: anchors)
    clocks.anchors = anchors
    self.horizon = span?.horizon ?? salvaged?.upperBound ?? horizon
    firstSequence = salvaged?.lowerBound ?? 1
    self.span = span
    let kind: FileHeader.Kind =
      if span != nil {
        .snapshot
      } else if salvaged != nil {
        .salvaged
      } else if horizon != nil {
        .baseline
      } else {
        .sealed
      }
    marks = hasFilter && kind == .sealed ? [] : nil
    FileHeader(kind, ledger: ledger)
      .append(to: &output, version: marks == nil ? Self.version : Self.filterVersion)
    header = output
  }

  /// Adds a task whose events follow.
  package mutating func startTask(_ id: TaskID) throws(LedgerError) {
    let key = TaskKey(id)
    if block.rawCount >= blockBytesTarget { try closeBlock(continues: false) }
    currentKey = key
    taskCount += 1
    marks?.append(RunFilter.Mark(id))
    block.startTask(key)
  }

  /// Adds an event of that task.
  ///
  /// - Throws: `invalid` when the run has all the events that one can have.
  package mutating func add(_ event: Event) throws(LedgerError) {
    guard horizon != nil || eventCount < UInt64(Self.eventCountMax) else {
      throw LedgerError(
        .invalid, "a sealed segment holds at most \(Self.eventCountMax) events",
        hint: "nothing is lost; the events stay in the segment in which they are")
    }
    if block.rawCount >= 2 * blockBytesTarget, block.holdsEventsOfTask, let key = currentKey {
      try closeBlock(continues: true)
      block.startTask(key)
    }
    let shape = interner.shape(of: event)
    let context = interner.context(of: event)
    block.startEvent(event.sequence, event.time, shape: shape, context: context.number)
    if event.recorded != event.time {
      clocks.note(sequence: event.sequence, recorded: event.recorded)
    }
    interner.addDetails(of: event, flags: context.flags, bias: context.bias, to: &block)
    for place in event.changes.indices {
      guard let value = event.changes[place].value else { continue }
      block.add(value, tag: interner.found[place].tag, interned: interner.found[place].number)
    }
    eventCount += 1
    lowestSequence = min(lowestSequence, event.sequence)
    oldest = min(oldest ?? event.stamp, event.stamp)
    newest = max(newest ?? event.stamp, event.stamp)
  }

  private var nextBlockContinues = false

  private mutating func closeBlock(continues: Bool) throws(LedgerError) {
    guard let firstKey = block.firstKey else { return }
    let raw = block.finish()
    try Self.check(raw, most: Self.blockBytesMax, "a block")
    let stored = try zstd.compressBlock(raw, level: level)
    index.append(
      BlockIndex.Entry(
        firstKey: firstKey, offset: drained + UInt64(output.count), storedLength: stored.count,
        rawLength: raw.count, eventCount: block.eventCount, taskCount: block.taskCount,
        checksum: checksum(of: stored, in: 0..<stored.count), continues: nextBlockContinues))
    nextBlockContinues = continues
    output.append(contentsOf: stored)
    block = BlockWriter(anchors: anchors)
  }

  /// The bytes made since the last call; nil where there are fewer than that.
  package mutating func drain(atLeast count: Int) -> [UInt8]? {
    output.count >= count ? drain() : nil
  }

  /// The bytes made since the last call.
  package mutating func drain() -> [UInt8] {
    defer {
      drained += UInt64(output.count)
      output.removeAll(keepingCapacity: true)
    }
    return output
  }

  /// Ends the run: what `drain()` returns after this is the rest of the file.
  ///
  /// - Parameters:
  ///   - digestAfter: the log digest after the last event.
  ///   - ascends: whether the stamps of all events ascend as their sequence numbers do.
  ///   - mark: of a snapshot, and only of one, what its events add up to.
  /// - Precondition: there is at least one event.
  package mutating func finish(
    digestAfter: Digest, ascends: Bool, mark: StateMark? = nil
  ) throws(LedgerError) -> RunFooter {
    precondition((mark == nil) == (span == nil), "a snapshot says what its events add up to")
    try closeBlock(continues: false)
    guard let oldest, let newest, let currentKey else {
      preconditionFailure("a run has at least one event")
    }
    index.end(with: currentKey)
    var footer = RunFooter(
      ledger: ledger, firstSequence: horizon == nil ? lowestSequence : firstSequence,
      eventCount: eventCount, taskCount: taskCount, horizon: horizon, state: mark,
      oldest: span?.oldest ?? oldest, newest: span?.newest ?? newest, ascends: ascends,
      digestBefore: digestBefore, digestAfter: digestAfter,
      tables: try appendSection(interner.tables.encoded()),
      clocks: try appendSection(clocks.encoded), index: try appendSection(index.encoded),
      filter: marks.map { appendFilter($0, digestAfter) })
    output.append(contentsOf: footer.encode(after: header))
    return footer
  }

  /// Readers refuse what is longer: better no file than one that cannot be read.
  private static func check(
    _ raw: [UInt8], most: Int, _ what: String
  ) throws(LedgerError) {
    guard raw.count <= most else {
      throw LedgerError(
        .invalid, "\(what) of a sealed segment has \(raw.count) bytes, expected at most \(most)",
        hint: "nothing is lost; the events stay in the segment in which they are")
    }
  }

  private mutating func appendSection(_ raw: [UInt8]) throws(LedgerError) -> RunFooter.Section {
    try Self.check(raw, most: Self.sectionBytesMax, "a section")
    let stored = try zstd.compress(raw, level: level)
    let section = RunFooter.Section(
      offset: drained + UInt64(output.count), storedLength: UInt64(stored.count),
      rawLength: UInt64(raw.count), checksum: checksum(of: stored, in: 0..<stored.count))
    output.append(contentsOf: stored)
    return section
  }

  /// A filter does not compress, and is read in pieces.
  private mutating func appendFilter(
    _ marks: [RunFilter.Mark], _ digest: Digest
  ) -> RunFooter.Section {
    let filter = RunFilter(marks, pageCount: RunFilter.pageCount(tasks: marks.count))
    let bytes = filter.encoded(of: digest)
    let section = RunFooter.Section(
      offset: drained + UInt64(output.count), storedLength: UInt64(bytes.count),
      rawLength: UInt64(bytes.count), checksum: checksum(of: bytes, in: 0..<bytes.count))
    output.append(contentsOf: bytes)
    return section
  }
}
