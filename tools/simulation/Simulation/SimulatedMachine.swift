import LedgerPlainModel
import LedgerStorage
import TaskLedger

/// A machine with a disk, a clock, and bad luck. It runs one thing at a time.
///
/// - Its disk is a ``MemoryDirectory``: what was not synced can be lost, torn and reordered in a power cut.
/// - Its clock stands still until it is moved, in either direction.
/// - It can be told to crash at one of the next calls that change the disk. From then on every call fails, and what is left is in
///   ``remains``; the ledgers that were open on it are to be dropped.
/// - It can be told to do something else at one of the next calls: what another process does just then.
final class SimulatedMachine: @unchecked Sendable {
  // Unchecked: a simulation runs on one thread.

  /// How a machine, or the processes on it, stop.
  enum Crash: String, CaseIterable {
    /// The processes are killed: everything written is there, what was not synced is still not.
    case killed = "processes killed"
    /// What was not synced is lost.
    case powerCut = "power cut"
    /// Of what was not synced each sector, length and entry is lost, or there, or as it was in between.
    case tornPowerCut = "power cut, torn"
  }

  let memory: MemoryDirectory
  let faults: FaultDirectory
  /// What ledgers are opened on.
  let directory: any LedgerDirectory
  var now: Int64
  /// What the crash left; nil while the machine runs.
  private(set) var remains: MemoryDirectory?
  var counts = SimulationCounts()
  /// Told each call, where somebody wants to know.
  var onCall: ((Call) -> Void)?

  /// The plan that was armed last.
  var armed: FaultPlan?
  /// How many calls were looked at.
  var seenCalls = 0

  private var crash: (kind: Crash, seed: UInt64, countdown: Int)?
  private var interlude: (countdown: Int, body: () -> Void)?
  private(set) var isInInterlude = false
  /// Whether something was done in the middle of the operation that is under way.
  private(set) var hadInterlude = false

  init(_ memory: MemoryDirectory, now: Int64, planted: PlantedFault?) {
    self.memory = memory
    self.now = now
    faults = FaultDirectory(memory)
    directory = planted.map { [faults] in PlantedDirectory(faults, $0) } ?? faults
    faults.onCall { [unowned self] call in try met(call) }
  }

  /// Lets it crash at the nth call from now on that changes the disk.
  func planCrash(_ kind: Crash, at call: Int, seed: UInt64) { crash = (kind, seed, call) }

  /// Does something at the nth call from now on.
  func planInterlude(at call: Int, _ body: @escaping () -> Void) { interlude = (call, body) }

  /// Whether something is done, or was, in the middle of the operation that is under way.
  var hasInterlude: Bool { interlude != nil || isInInterlude || hadInterlude }

  /// Ends what is still planned.
  func endPlans() {
    crash = nil
    interlude = nil
    hadInterlude = false
  }

  /// Stops it now.
  func crashNow(_ kind: Crash, seed: UInt64) {
    guard remains == nil else { return }
    remains = Self.remains(of: memory, after: kind, seed: seed)
    counts.count("crash: \(kind.rawValue)")
  }

  static func remains(
    of memory: MemoryDirectory, after kind: Crash, seed: UInt64
  ) -> MemoryDirectory {
    switch kind {
    case .killed: memory.copy()
    case .powerCut: memory.powerCut()
    case .tornPowerCut: memory.powerCut(tearing: seed)
    }
  }

  private func met(_ call: Call) throws {
    if remains != nil { throw Self.stopped }
    onCall?(call)
    if let crash, CallKind.mutating.contains(call.kind) {
      self.crash?.countdown -= 1
      if crash.countdown <= 1 {
        crashNow(crash.kind, seed: crash.seed)
        throw Self.stopped
      }
    }
    count(call)
    if !isInInterlude, let interlude {
      self.interlude?.countdown -= 1
      if interlude.countdown <= 1 {
        self.interlude = nil
        isInInterlude = true
        hadInterlude = true
        interlude.body()
        isInInterlude = false
        if remains != nil { throw Self.stopped }
      }
    }
  }

  private func count(_ call: Call) {
    switch call.kind {
    case .create where call.name.hasSuffix(".sealed"): counts.count("file: sealed segment")
    case .create where call.name.contains(".snapshot"): counts.count("file: snapshot")
    case .create where call.name.hasSuffix(".baseline"): counts.count("file: baseline")
    case .rename where call.newName == LedgerNames.current: counts.count("manifest steps")
    default: break
    }
  }

  private static let stopped = LedgerError(.io, "the machine has stopped")
}
