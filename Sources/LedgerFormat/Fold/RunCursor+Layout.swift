import LedgerCore

/// What stands otherwise in the blocks of version 4 than in those before.
extension RunCursor {
  /// Takes the next key; false when it cannot be one or does not come after the one before.
  ///
  /// - Parameter head: what stands for it in the stream `keys` first.
  func replaceKey(_ head: UInt64) -> Bool {
    guard head & 1 == 1, run.layout == .version4 else { return replaceWholeKey(head) }
    return key.replace(
      step: head >> 1, mark: marks.byte(), tail: tails.take(UInt64(KeyParts.tailByteCount)))
  }

  private func replaceWholeKey(_ head: UInt64) -> Bool {
    let shared = Int(keys.byte())
    let length = Int(clamping: head >> 1)
    return length <= Limits.idBytesMax && shared <= length
      && key.replace(
        keeping: shared, with: keys.take(UInt64(length - shared)), isPacked: head & 1 == 1)
  }

  /// - Parameter base: the time to which that of the event relates, where it does to that of another.
  func nextTime(_ sequence: Int64, after base: Int64) -> Int64 {
    guard let anchors else { return base &+ times.zigzag() }
    let zigzag = times.varint() << 8 | UInt64(moments.byte())
    let off = Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
    return anchors.guess(UInt64(bitPattern: sequence)) &+ off
  }

  /// Passes over the times of the events of the current task.
  func passTimes() {
    if run.layout == .version1 {
      firstOfTask.time &+= times.zigzag()
      times.skipVarints(eventsOfTask - 1)
    } else {
      times.skipVarints(eventsOfTask)
      _ = moments.take(UInt64(eventsOfTask))
    }
  }
}
