import LedgerCore
import LedgerFormat

/// What is done with segments that writers have closed: they are sealed, small ones are merged, and files that nobody needs are removed.
///
/// Invariants:
/// - at most one handle is at it, under the maintenance lock; who finds that taken goes on at once, and leaves its part to
///   whoever has it;
/// - whoever gives the lock back looks once more, and goes on where others have closed segments meanwhile, or left small ones. So
///   nothing stays undone because others were at it, however many they are: the last one to give the lock back finds nothing
///   left to do;
/// - one who is waited for stops after a few rounds: those who keep others busy come again.
package struct SegmentUpkeep {
  /// What could not be done, and why.
  package struct Failure {
    package enum Part { case sealing, merging }

    package var part: Part
    package var error: LedgerError
  }

  private let directory: any LedgerDirectory
  private let options: StoreOptions
  private let sealer: Sealer
  private let compactor: Compactor
  private let mergeEventsMax: UInt64?
  private let roundsMax: Int
  private let letGo: () throws -> Void

  /// - Parameters:
  ///   - mergeEventsMax: the most events of a merged segment; nil: nothing is merged or removed now.
  ///   - roundsMax: so often it goes on with what others left.
  ///   - letGo: called before files are removed: whoever holds them can let them go.
  package init(
    _ sealer: Sealer, _ compactor: Compactor, mergeEventsMax: UInt64?, roundsMax: Int = .max,
    letGo: @escaping () throws -> Void = {}
  ) {
    directory = compactor.directory
    options = compactor.options
    self.sealer = sealer
    self.compactor = compactor
    self.mergeEventsMax = mergeEventsMax
    self.roundsMax = roundsMax
    self.letGo = letGo
  }

  /// Does what there is to do, unless others are at it.
  ///
  /// - Returns: what could not be done; the events are as they were, and whoever comes next tries again.
  package func run() -> Failure? {
    for _ in 0..<roundsMax {
      let result: Failure??
      do throws(LedgerError) {
        result = try MaintenanceLock(directory).hold { () -> Failure? in round() }
      } catch {
        return Failure(part: .sealing, error: error)
      }
      guard let done = result else { return nil }
      if let failure = done { return failure }
      guard isAnythingLeft else { return nil }
    }
    return nil
  }

  /// One round under the lock.
  private func round() -> Failure? {
    do {
      _ = try sealer.sealAllUnderLock()
    } catch {
      return Failure(part: .sealing, error: LedgerError.wrapping(error))
    }
    guard let mergeEventsMax else { return nil }
    do {
      _ = try compactor.mergeTiersUnderLock(eventsMax: mergeEventsMax)
      try letGo()
      try FileCleaner(directory, options: options).removeUnneeded()
      return nil
    } catch {
      return Failure(part: .merging, error: LedgerError.wrapping(error))
    }
  }

  /// Whether others left something. What cannot be looked at is left to whoever comes next.
  private var isAnythingLeft: Bool {
    guard let manifest = try? HeldManifest.load(from: directory).manifest else { return false }
    if manifest.segments.contains(where: { $0.kind == .frozen }) { return true }
    guard let mergeEventsMax else { return false }
    return (try? compactor.isMergeDue(eventsMax: mergeEventsMax)) ?? false
  }
}
