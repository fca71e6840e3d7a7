import LedgerCore

/// Finding tasks. Of a block that does not hold the task nothing but the keys is read, of a run that does not no tables.
extension SealedRun {
  /// The events of a task in order of sequence; empty when the run has none.
  ///
  /// - Parameter opened: the bytes of the run, where what is read now costs less.
  package func events(
    of task: TaskID, in opened: (any ByteSource)? = nil, zstd: Zstd
  ) throws(LedgerError) -> [Event] {
    var events: [Event] = []
    let keeps = isSearchedAgain()
    var known: (tables: RunTables, clocks: ClockTable)?
    for number in index.blocks(of: task) {
      let stored = try storedBlock(number, in: opened)
      guard mayHold(task, number, stored, zstd) else { continue }
      let bytes = try decompressed(number, stored, zstd)
      guard let (keys, place) = try find(task, inBlock: number, bytes) else { continue }
      let common = if let known { known } else { try readCommon(in: opened, zstd, keeps: keeps) }
      known = common
      var reader = try reader(ofBlock: number, bytes, common.tables, nil, common.clocks)
      try located(number) { () throws(LedgerError) in
        reader.move(to: keys, place: place)
        let count = try reader.nextTask()?.eventCount ?? 0
        events.reserveCapacity(events.count + count)
        for _ in 0..<count { events.append(try reader.nextEvent()) }
      }
    }
    return events
  }

  private func readCommon(
    in opened: (any ByteSource)?, _ zstd: Zstd, keeps: Bool
  ) throws(LedgerError) -> (tables: RunTables, clocks: ClockTable) {
    let tables = try tables(in: opened, zstd: zstd, keeps: keeps)
    return (tables, try clocks(for: tables, in: opened, zstd: zstd, keeps: keeps))
  }

  /// Whether a block can hold a task, as far as can be told without decompressing all of it.
  private func mayHold(
    _ task: TaskID, _ number: Int, _ stored: [UInt8], _ zstd: Zstd
  ) -> Bool {
    let entry = index.entries[number]
    guard layout == .version4, let wanted = task.uuid, entry.firstKey.id != task,
      var leads = KeyLeads(stored, of: entry, zstd: zstd)
    else { return true }
    return (try? leads.mayHold(wanted, among: entry.taskCount)) ?? true
  }

  /// The sequence number of the last event of a task; nil when the run has none.
  package func lastSequence(of task: TaskID, zstd: Zstd) throws(LedgerError) -> UInt64? {
    for number in index.blocks(of: task).reversed() {
      let bytes = try block(number, zstd: zstd)
      guard let (_, place) = try find(task, inBlock: number, bytes) else { continue }
      return try located(number) { () throws(LedgerError) in
        try lastSequence(ofTaskAt: place, bytes)
      }
    }
    return nil
  }

  private func lastSequence(
    ofTaskAt place: Int, _ bytes: [UInt8]
  ) throws(LedgerError) -> UInt64 {
    let ranges = try BlockReader.streamRanges(bytes, layout)
    var counts = ByteReader(bytes, ranges[BlockStream.counts.rawValue])
    var sequences = ByteReader(bytes, ranges[BlockStream.sequences.rawValue])
    var first: Int64 = 0
    var last: UInt64 = 0
    for task in 0...place {
      let count = try counts.varint()
      guard count >= 1, count <= UInt64(bytes.count) else {
        throw counts.fail("a task has \(count) events")
      }
      first &+= try sequences.zigzag()
      if task < place {
        try sequences.skipVarints(Int(count) - 1)
      } else {
        last = UInt64(bitPattern: first)
        for _ in 1..<count { last &+= try sequences.varint() }
      }
    }
    guard footer.firstSequence <= last, last <= footer.lastSequence else {
      throw sequences.fail("a sequence number is impossible")
    }
    return last
  }

  /// The keys of a block past that of a task, and how many tasks come before it; nil where it is not there.
  private func find(
    _ task: TaskID, inBlock number: Int, _ bytes: [UInt8]
  ) throws(LedgerError) -> (BlockKeys, place: Int)? {
    try located(number) { () throws(LedgerError) in
      var keys = try BlockKeys(bytes, layout, taskCount: index.entries[number].taskCount)
      guard let place = try keys.place(of: task) else { return nil }
      return (keys, place)
    }
  }

  /// The events of several tasks, each task's in order of sequence; every block is read once.
  ///
  /// - Parameter tasks: in ascending order, each once.
  package func events(
    of tasks: [TaskID], zstd: Zstd
  ) throws(LedgerError) -> [TaskID: [Event]] {
    var wanted: [Int: [TaskID]] = [:]
    for task in tasks {
      for number in index.blocks(of: task) { wanted[number, default: []].append(task) }
    }
    var found: [TaskID: [Event]] = [:]
    for (number, tasks) in wanted.sorted(by: { $0.key < $1.key }) {
      let tables = try tables(zstd: zstd)
      var reader = try reader(
        ofBlock: number, try block(number, zstd: zstd), tables, nil,
        clocks(for: tables, zstd: zstd))
      try located(number) { () throws(LedgerError) in
        for task in tasks {
          guard let count = try reader.seek(task) else { continue }
          for _ in 0..<count { found[task, default: []].append(try reader.nextEvent()) }
        }
      }
    }
    return found
  }

  private func located<R>(
    _ block: Int, _ body: () throws(LedgerError) -> R
  ) throws(LedgerError) -> R {
    do throws(LedgerError) {
      return try body()
    } catch {
      throw error.located(in: source.path, offset: index.entries[block].offset)
    }
  }
}
