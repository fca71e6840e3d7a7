import LedgerCore

@testable import LedgerFormat

/// Sealed runs of given events.
enum TestRun {
  static let ledger = ReplicaID(high: 0x1edd_e4a5_0f1e_4c00, low: 0x8a11_0000_0000_0001)

  /// The bytes of a run with the events, which are given in order of sequence.
  ///
  /// - Parameter target: what closes a block, in bytes before compression.
  static func bytes(
    _ events: [Event], target: Int = RunWriter.blockBytesTarget, digestBefore: Digest = .zero,
    hasFilter: Bool = false
  ) throws -> [UInt8] {
    var writer = RunWriter(
      ledger: ledger, digestBefore: digestBefore, common: CommonValues(of: events),
      zstd: try Zstd(), blockBytesTarget: target, hasFilter: hasFilter)
    var task: TaskID?
    for event in events.sorted(by: { ($0.task, $0.sequence) < ($1.task, $1.sequence) }) {
      if event.task != task { try writer.startTask(event.task) }
      task = event.task
      try writer.add(event)
    }
    let ascends = zip(events, events.dropFirst()).allSatisfy { $0.stamp < $1.stamp }
    _ = try writer.finish(
      digestAfter: digest(of: events, after: digestBefore), ascends: ascends)
    return writer.drain()
  }

  /// The log digest after the events.
  static func digest(of events: [Event], after before: Digest = .zero) -> Digest {
    var digest = LogDigest(value: before, sequence: (events.first?.sequence ?? 1) - 1)
    var scratch: [UInt8] = []
    for event in events { digest.append(event, scratch: &scratch) }
    return digest.value
  }

  static func open(_ bytes: [UInt8]) throws -> SealedRun {
    try SealedRun(MemorySource(bytes, path: "test.sealed"), zstd: try Zstd())
  }

  /// All events of a run in order of sequence; reading them checks all that there is.
  static func events(of run: SealedRun) throws -> [Event] {
    let zstd = try Zstd()
    var events: [Event] = []
    try run.forEachEvent(zstd: zstd) { (event) throws(LedgerError) in events.append(event) }
    return events.sorted { $0.sequence < $1.sequence }
  }

  static func events(ofBytes bytes: [UInt8]) throws -> [Event] {
    try events(of: open(bytes))
  }
}
