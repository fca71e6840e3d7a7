import LedgerCore
import LedgerFormat

/// What still counts of the events of some tasks, in order of their ids.
struct BaselinePortion: Sendable {
  private(set) var tasks: [(id: TaskID, events: [Event])] = []
  /// How many events were read by then.
  private(set) var seenCount: UInt64 = 0
  private var byteCount = 0

  /// As many bytes of values, or somewhat more, are in one portion.
  private static let bytesMin = 256 << 10
  /// What an event takes beside its values.
  private static let bytesPerEvent = 256
  /// So many portions wait to be written.
  private static let waitingMax = 4

  private mutating func add(_ id: TaskID, _ events: [Event]) {
    tasks.append((id, events))
    for event in events {
      byteCount += Self.bytesPerEvent
      for change in event.changes { byteCount += change.value?.roughSize ?? 0 }
    }
  }

  /// Calls the body with all portions of a walk, in order.
  ///
  /// - Parameters:
  ///   - runs: as those of ``BaselineWalk``, as are `base` and `last`.
  ///   - aside: whether to read on a thread of its own, while the body has what was read before.
  static func forEach(
    of runs: [SealedRun], onto base: SealedRun?, through last: UInt64, aside: Bool,
    _ body: (BaselinePortion) throws -> Void
  ) throws {
    let portions = Handover<Result<BaselinePortion, LedgerError>>(most: waitingMax)
    let isAside =
      aside
      && DetachedThread.start {
        do throws(LedgerError) {
          try walk(runs, onto: base, through: last) { portions.pass(.success($0)) }
        } catch {
          _ = portions.pass(.failure(error))
        }
        portions.end()
      }
    guard isAside else {
      var failure: (any Error)?
      try walk(runs, onto: base, through: last) { portion in
        do { try body(portion) } catch { failure = error }
        return failure == nil
      }
      if let failure { throw failure }
      return
    }
    defer { portions.abandon() }
    while let portion = portions.take() { try body(try portion.get()) }
  }

  /// - Parameter body: returns false where no more are wanted.
  private static func walk(
    _ runs: [SealedRun], onto base: SealedRun?, through last: UInt64,
    _ body: (BaselinePortion) -> Bool
  ) throws(LedgerError) {
    var walk = try BaselineWalk(runs, onto: base, through: last, zstd: try Zstd())
    var portion = BaselinePortion()
    while let (task, baseline) = try walk.next() {
      portion.add(task, baseline.events)
      guard portion.byteCount >= bytesMin else { continue }
      portion.seenCount = walk.seenCount
      guard body(portion) else { return }
      portion = BaselinePortion()
    }
    portion.seenCount = walk.seenCount
    _ = body(portion)
  }
}

extension Value {
  /// About as many bytes as it takes in memory.
  fileprivate var roughSize: Int {
    switch self {
    case .bool, .int, .double: 0
    case .text(let text): text.utf8.count
    case .array: canonicalSize
    }
  }
}
