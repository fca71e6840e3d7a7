import LedgerCore

/// Walks a run task by task for the fold, block after block.
///
/// Unsafe memory stays inside this folder: pointers lead into buffers that the cursor owns until it moves to the next
/// task, or hands to the fold where a task goes on in the next block; every read is checked by `StreamCursor`.
///
/// It checks what the fold relies on: lengths, numbers of tasks, events, shapes and values, the order of the tasks. What
/// no state can show goes unread; `BlockReader` reads all.
final class RunCursor {
  let run: SealedRun
  /// Its place among the runs: of the same task the events of the earlier run come first.
  let order: Int
  private let zstd: Zstd
  let plan: ShapePlan
  let needsTimes: Bool
  /// Of a run whose times are told from sequence numbers, where times are needed.
  let anchors: TimeAnchors?
  private let needsSequences: Bool
  private let cut: FoldCut
  /// Events up to this one are passed over: what is folded before them stands for them.
  private let after: UInt64

  @exclusivity(unchecked) private var blockNumber = -1
  @exclusivity(unchecked) private var isInBlock = false
  @exclusivity(unchecked) private var buffer: BlockBuffer
  @exclusivity(unchecked) var tasksLeft = 0
  @exclusivity(unchecked) var keys, counts, shapes, sequences, times: StreamCursor
  @exclusivity(unchecked) var marks, tails, moments: StreamCursor
  @exclusivity(unchecked) var values: ValueCursors
  @exclusivity(unchecked) var firstOfTask: (sequence: Int64, time: Int64) = (0, 0)
  @exclusivity(unchecked) private var included: [Bool] = []
  @exclusivity(unchecked) private var slow: SlowCursor
  /// Events with a later sequence number are left out; nil where that is not so of any.
  let lastIncluded: Int64?
  /// The values of tasks that were passed by, which come next in their streams.
  @exclusivity(unchecked) var passed = ShapeValues()
  @exclusivity(unchecked) var hasPassed = false
  @exclusivity(unchecked) private var eventsSeenBefore: UInt64 = 0

  /// The key of the current task.
  @exclusivity(unchecked) var key = CursorKey()
  @exclusivity(unchecked) private(set) var eventsOfTask = 0
  @exclusivity(unchecked) private(set) var eventsTaken: UInt64 = 0
  @exclusivity(unchecked) var eventsSeen: UInt64 = 0

  init(
    _ run: SealedRun, order: Int, fields: FieldTable, cut: FoldCut, after: UInt64,
    checksTimes: Bool, zstd: Zstd
  ) throws(LedgerError) {
    self.run = run
    self.order = order
    self.zstd = zstd
    self.cut = cut
    self.after = after
    plan = ShapePlan(
      try run.tables(zstd: zstd), values: try run.values(zstd: zstd), fields: fields)
    let whole = cut.includesAll(of: run.footer)
    var cutsTimes = false
    var lastIncluded: Int64?
    switch cut {
    case .present: break
    case .sequence(let last): lastIncluded = whole ? nil : Int64(clamping: last)
    case .time: cutsTimes = !whole
    }
    self.lastIncluded = lastIncluded
    needsTimes = checksTimes || cutsTimes
    anchors =
      needsTimes && run.layout == .version4 ? try run.clocks(zstd: zstd).anchors : nil
    needsSequences =
      lastIncluded != nil || run.footer.firstSequence <= after || anchors != nil
    buffer = BlockBuffer(byteCount: 0)
    let empty = StreamCursor(buffer.base, 0..<0)
    (keys, counts, shapes, sequences, times) = (empty, empty, empty, empty, empty)
    (marks, tails, moments) = (empty, empty, empty)
    values = ValueCursors(empty)
    slow = SlowCursor(run, zstd: zstd)
  }

  /// Moves to the next task of which events may be taken; false after the last. What was folded of the task before must have been
  /// copied.
  func advance() throws(LedgerError) -> Bool {
    repeat {
      // A task that goes on from the block before was folded together with it.
      if tasksLeft == 0, try !loadNextBlock() { return false }
      try readKey()
    } while try passIfLeftOut()
    return true
  }

  /// Whether the last task of the block goes on in the next.
  var goesOn: Bool {
    blockNumber + 1 < run.index.entries.count && run.index.entries[blockNumber + 1].continues
  }

  func readShape() throws(LedgerError) -> Int {
    let shape = shapes.varint()
    guard shape < UInt64(plan.shapeCount) else { throw malformed("an event names no shape") }
    return Int(shape)
  }

  /// Moves to the first task that does not come before one, past the events of those before it; false when there is none.
  func advance(to start: TaskKey, discarding fold: TaskFold) throws(LedgerError) -> Bool {
    blockNumber = max(0, run.index.firstBlock(notBefore: start.id) - 1) - 1
    let start = CursorKey(start)
    defer { eventsTaken = 0 }
    while try advance() {
      guard key.precedes(start) else { return true }
      fold.startTask()
      try foldTask(into: fold)
    }
    return false
  }

  private func loadNextBlock() throws(LedgerError) -> Bool {
    try checkBlockEnd()
    guard blockNumber + 1 < run.index.entries.count else { return false }
    blockNumber += 1
    isInBlock = true
    let entry = run.index.entries[blockNumber]
    eventsSeenBefore = eventsSeen
    // A block that the fold keeps is left to it.
    if !isKnownUniquelyReferenced(&buffer) || !buffer.hasRoom(for: entry.rawLength) {
      buffer = BlockBuffer(byteCount: entry.rawLength)
    }
    try run.readBlock(blockNumber, into: buffer, zstd: zstd)
    let ranges: [Range<Int>]
    do throws(LedgerError) {
      ranges = try BlockReader.streamRanges(
        buffer.head(BlockReader.headBytesMax), run.layout, blockLength: buffer.byteCount)
    } catch {
      throw error.located(in: run.source.path, offset: entry.offset)
    }
    func cursor(_ stream: BlockStream) -> StreamCursor {
      StreamCursor(buffer.base, ranges[stream.rawValue])
    }
    keys = cursor(.keys)
    counts = cursor(.counts)
    shapes = cursor(.shapes)
    sequences = cursor(.sequences)
    times = cursor(.times)
    if run.layout == .version4 {
      (marks, tails, moments) = (cursor(.marks), cursor(.tails), cursor(.moments))
    }
    values = ValueCursors(
      integers: cursor(.integers), doubles: cursor(.doubles), interned: cursor(.interned),
      dates: cursor(.dates), lengths: cursor(.lengths), texts: cursor(.texts),
      arrays: cursor(.arrays))
    tasksLeft = entry.taskCount
    firstOfTask = (0, 0)
    key.forget()
    return true
  }

  private func readKey() throws(LedgerError) {
    tasksLeft -= 1
    let head = keys.varint()
    guard replaceKey(head) else { throw malformed("a task id is malformed or out of order") }
    let entry = run.index.entries[blockNumber]
    if tasksLeft == entry.taskCount - 1, !key.isSame(as: entry.firstKey) {
      throw malformed("the block starts with another task than the index says")
    }
    let count = counts.varint()
    guard count >= 1, count <= UInt64(shapes.remaining) else {
      throw malformed("a task has \(count) events")
    }
    eventsOfTask = Int(count)
  }

  private func malformed(_ what: String) -> LedgerError {
    LedgerError(.damaged, what)
      .located(in: run.source.path, offset: run.index.entries[max(0, blockNumber)].offset)
  }

  private func checkOverrun() throws(LedgerError) {
    if keys.overran || counts.overran || shapes.overran || sequences.overran || times.overran
      || marks.overran || tails.overran || moments.overran || values.overran
    {
      throw malformed("a block ends early")
    }
  }

  /// Whether a block that was walked through held what the index says, and nothing else.
  private func checkBlockEnd() throws(LedgerError) {
    guard isInBlock else { return }
    readPassed()
    try checkOverrun()
    guard keys.remaining == 0, counts.remaining == 0, shapes.remaining == 0, values.areAtEnd,
      marks.remaining == 0, tails.remaining == 0, !needsSequences || sequences.remaining == 0,
      !needsTimes || (times.remaining == 0 && (anchors == nil || moments.remaining == 0)),
      eventsSeen - eventsSeenBefore == UInt64(run.index.entries[blockNumber].eventCount)
    else { throw malformed("a block holds other events than the index says") }
    let isRight =
      switch run.index.end(ofBlock: blockNumber) {
      case .with(let last)?: key.isSame(as: last)
      case .before(let next)?: key.precedes(next)
      case nil: false
      }
    guard isRight else { throw malformed("the block ends with another task than the index says") }
  }

  /// Folds all events of the current task, also those that go on in the next blocks.
  func foldTask(into fold: TaskFold) throws(LedgerError) {
    try foldEvents(into: fold)
    while tasksLeft == 0, goesOn {
      let task = key
      fold.keep(buffer)
      guard try loadNextBlock() else { return }
      try readKey()
      guard key.isSame(as: task) else { throw malformed("a task does not go on where it should") }
      try foldEvents(into: fold)
    }
  }

  private func foldEvents(into fold: TaskFold) throws(LedgerError) {
    readPassed()
    let count = eventsOfTask
    eventsSeen += UInt64(count)
    var allIncluded = true
    if needsTimes || needsSequences { allIncluded = readPositions(count, fold) }
    if allIncluded {
      eventsTaken += UInt64(count)
      for _ in 0..<count {
        fold.apply(plan, try readShape(), &values)
      }
    } else {
      for index in 0..<count {
        let shape = try readShape()
        if included[index] {
          eventsTaken += 1
          fold.apply(plan, shape, &values)
        } else {
          fold.skip(plan, shape, &values)
        }
      }
    }
    try checkOverrun()
  }

  /// Reads times and sequence numbers where they matter; whether all events are taken.
  private func readPositions(_ count: Int, _ fold: TaskFold) -> Bool {
    included.removeAll(keepingCapacity: true)
    var allIncluded = true
    var sequence = firstOfTask.sequence
    var time = firstOfTask.time
    for index in 0..<count {
      if needsSequences {
        sequence &+= index == 0 ? sequences.zigzag() : Int64(bitPattern: sequences.varint())
      }
      if needsTimes { time = nextTime(sequence, after: time) }
      if index == 0 { firstOfTask = (sequence, time) }
      let isTaken =
        switch cut {
        case .present: true
        case .sequence(let last): !needsSequences || sequence <= Int64(clamping: last)
        case .time(let last): !needsTimes || time <= last.milliseconds
        }
      let isIncluded = isTaken && (!needsSequences || sequence > Int64(clamping: after))
      if isIncluded, needsTimes { fold.note(time: time) }
      included.append(isIncluded)
      if !isIncluded { allIncluded = false }
    }
    return allIncluded
  }

  /// Folds the events of the current task that are taken, decoded in full, in whatever order their stamps are.
  func fold(_ id: TaskID, into state: inout TaskState) throws(LedgerError) {
    try slow.forEachEvent(of: id) {
      if $0.sequence > after, cut.includes($0) { state.fold($0) }
    }
  }
}
