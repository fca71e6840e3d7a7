import LedgerCore

/// Blocks as they would be written now.
extension SealedRun {
  /// The bytes of a block, before compression, in the layout that is written now: how small they become tells what a run of an
  /// earlier version becomes when it is written anew.
  package func recodedBlock(_ number: Int, zstd: Zstd) throws(LedgerError) -> [UInt8] {
    let bytes = try block(number, zstd: zstd)
    guard layout != .version4 else { return bytes }
    let tables = try tables(zstd: zstd)
    let reader = try reader(
      ofBlock: number, bytes, tables, nil, clocks(for: tables, zstd: zstd))
    do throws(LedgerError) {
      return try recoded(bytes, reader, taskCount: index.entries[number].taskCount)
    } catch {
      throw error.located(in: source.path, offset: index.entries[number].offset)
    }
  }

  private func recoded(
    _ bytes: [UInt8], _ given: BlockReader, taskCount: Int
  ) throws(LedgerError) -> [UInt8] {
    var reader = given
    var anchors = TimeAnchorBuilder()
    for _ in 0..<taskCount {
      for _ in 0..<(try reader.nextTask()?.eventCount ?? 0) {
        let (sequence, time) = try reader.readPosition()
        anchors.note(sequence, time)
      }
    }
    reader = given
    var writer = BlockWriter(anchors: anchors.anchors)
    for _ in 0..<taskCount {
      guard let task = try reader.nextTask() else { break }
      writer.startTask(TaskKey(task.id))
      for _ in 0..<task.eventCount {
        let (sequence, time) = try reader.readPosition()
        let (shape, context) = try reader.readNumbers()
        writer.startEvent(sequence, time, shape: shape, context: context)
      }
    }
    for (number, range) in try BlockReader.streamRanges(bytes, layout).enumerated() {
      if let stream = BlockStream(rawValue: number), stream.isCopied {
        writer.copy(bytes[range], to: stream)
      }
    }
    return writer.finish()
  }
}

extension BlockStream {
  /// Whether it is the same in all layouts, and not written with tasks and positions.
  fileprivate var isCopied: Bool {
    switch self {
    case .keys, .counts, .shapes, .sequences, .times, .contexts, .marks, .tails, .moments: false
    default: true
    }
  }
}
