import LedgerCore
import LedgerPlainModel
import LedgerStorage
import TaskLedger

/// A ledger on a simulated machine, with two handles as two processes would have them, the plain model beside it, and one seed from
/// which all follows.
///
/// After each crash, and now and then in between, it makes sure that
/// - what was acknowledged is there, what is there was asked for, and no transaction is there in part;
/// - replay, list, history and verify say what the plain model says of these events;
/// - nothing is called damaged that was not damaged on purpose;
/// - an operation fails only where a call failed, or another process was in the way.
package final class Simulation {
  let settings: SimulationSettings
  var random: SplitMix64
  var stream: RandomStream
  let numbers: SeededNumbers
  var machine: SimulatedMachine
  var handles: [Ledger?] = [nil, nil]
  /// Whether a call failed on a handle's behalf: only then may it refuse to go on.
  var isHurt = [false, false]
  var expected = ExpectedLog(replica: "")
  var isCreated = false
  /// Whether that was acknowledged, or anything after it.
  var isSurelyCreated = false
  /// After which events the history may begin.
  var horizons: Set<Int> = [0]
  /// What folds that have not been answered go for.
  var foldsUnderWay: Set<Int> = []
  /// The disk to which backups go, and how long its log is.
  var backup = MemoryDirectory(path: "backup")
  /// How far the clock was moved, in milliseconds.
  var clockShift: Int64 = 0
  var counts = SimulationCounts()
  var trace: [String] = []
  /// What broke while another operation was under way.
  var broken: BrokenPromise?
  let isCalm: Bool
  private let sizes: (sealEvents: UInt64, extensionBytes: UInt64, snapshotEvents: UInt64)

  private init(_ settings: SimulationSettings) {
    self.settings = settings
    random = SplitMix64(seed: settings.seed &* 0x2545_F491_4F6C_DD1D)
    stream = RandomStream(seed: settings.seed, refusedPercent: 2)
    numbers = SeededNumbers(seed: ~settings.seed)
    isCalm = random.chance(40)
    sizes = (
      UInt64(random.pick([2, 3, 5, 9, 30])), UInt64(random.pick([512, 1024, 4096])),
      UInt64(random.pick([5, 17, 1000]))
    )
    machine = SimulatedMachine(
      MemoryDirectory(path: "disk"), now: stream.clock, planted: settings.planted)
  }

  /// Runs one seed.
  package static func run(_ settings: SimulationSettings) -> SimulationOutcome {
    let simulation = Simulation(settings)
    let numbers = simulation.numbers
    let problem = UniqueNumbers.taken(from: numbers.next) { simulation.run() }
    return SimulationOutcome(
      seed: settings.seed, problem: problem, counts: simulation.counts, trace: simulation.trace)
  }

  private func run() -> String? {
    defer { collectCounts() }
    do {
      watchMachine()
      for number in 1...max(1, settings.steps) {
        tell("step \(number)")
        try step()
      }
      try finish()
      return nil
    } catch {
      tell("broken: \(error)")
      return "\(error)"
    }
  }

  private func step() throws {
    counts.count("steps")
    moveClock()
    if !isCreated { return try create() }
    if random.chance(6) {
      machine.crashNow(random.pick(SimulatedMachine.Crash.allCases), seed: random.next())
      return try afterCrash()
    }
    let index = random.below(2)
    if random.chance(25) { armFault() }
    if random.chance(20) { planCrash() }
    if random.chance(20) { planInterlude(of: 1 - index) }
    try attempt(random.pick(Operation.weighted), by: index)
    machine.endPlans()
    if let broken { throw broken }
    countFaults()
    if machine.remains != nil { return try afterCrash() }
    if random.chance(60) { machine.faults.disarm() }
    if random.chance(10) { try probe() }
  }

  /// The last check, of the disk as it is and after each kind of crash.
  private func finish() throws {
    machine.faults.disarm()
    guard isCreated else { return }
    for crash in SimulatedMachine.Crash.allCases { try probe(crash) }
    handles = [nil, nil]
    let ledger = try opened()
    for record in try ledger.statistics().maintenance { counts.count("record: \(record.kind)") }
    if settings.planted == nil, random.chance(40) { try damageAndRepair() }
  }

  private func moveClock() {
    guard random.chance(6) else { return }
    let minute: Int64 = 60_000
    clockShift += random.pick([-minute, minute, -1500 * minute, 1500 * minute, -600_000 * minute])
    counts.count("clock jumps")
    tell("the clock is off by \(clockShift) ms")
  }
}

// Handles and crashes.
extension Simulation {
  var configuration: LedgerConfiguration {
    var configuration = LedgerConfiguration()
    let machine = machine
    let numbers = numbers
    configuration.clock = { LedgerTime(unchecked: machine.now) }
    configuration.makeID = { TaskID(stringLiteral: "made-\(numbers.next())") }
    configuration.sealEvents = sizes.sealEvents
    configuration.extensionBytes = sizes.extensionBytes
    configuration.snapshotEvents = sizes.snapshotEvents
    configuration.sealsInBackground = false
    // There is one thread: whoever finds a lock taken would wait for itself.
    configuration.lockTimeoutMilliseconds = 0
    configuration.lockPatienceMilliseconds = 0
    return configuration
  }

  static let author = "simulation"

  func handle(_ index: Int) throws -> Ledger {
    if let handle = handles[index] { return handle }
    let handle = try Ledger(
      machine.directory, author: Self.author, configuration: configuration)
    handles[index] = handle
    isHurt[index] = false
    return handle
  }

  /// The ledger as a process finds it whose calls do not fail.
  func opened() throws -> Ledger {
    try Ledger(machine.memory, author: Self.author, configuration: configuration)
  }

  private func create() throws {
    if random.chance(30) { armFault() }
    if random.chance(30) { planCrash() }
    do {
      _ = try Ledger.create(
        in: machine.directory, author: Self.author, configuration: configuration)
      isCreated = machine.remains == nil
      isSurelyCreated = isCreated
    } catch {
      guard machine.remains != nil || machine.faults.faultsMet > 0 else {
        // The creation before may have done all but answer.
        guard LedgerError.wrapping(error).code == .alreadyExists, (try? opened()) != nil else {
          throw BrokenPromise("a ledger cannot be made: \(error)")
        }
        isCreated = true
        return try noteReplica()
      }
    }
    machine.endPlans()
    countFaults()
    if machine.remains != nil { return try afterCrash() }
    machine.faults.disarm()
    if isCreated { try noteReplica() }
  }

  private func noteReplica() throws {
    let replica = PlainText(try opened().statistics().replica)
    if expected.acknowledged.replica != replica { expected = ExpectedLog(replica: replica) }
  }

  /// Starts the machine again with what the crash left, and looks at it.
  func afterCrash() throws {
    guard let remains = machine.remains else { return }
    tell("crashed")
    collectCounts()
    handles = [nil, nil]
    machine.faults.onCall(nil)
    machine = SimulatedMachine(remains, now: machine.now, planted: settings.planted)
    watchMachine()
    expected.allStopped()
    if !isSurelyCreated { isCreated = false }
    if isCreated { try inspect(remains.copy()) }
  }

  /// Looks at what a crash just now would leave.
  func probe(_ crash: SimulatedMachine.Crash? = nil) throws {
    let crash = crash ?? random.pick(SimulatedMachine.Crash.allCases)
    counts.count("probes")
    tell("look at what would be left: \(crash.rawValue)")
    try inspect(
      SimulatedMachine.remains(of: machine.memory, after: crash, seed: random.next()))
  }

  private func inspect(_ remains: MemoryDirectory) throws {
    if !isSurelyCreated, try !remains.list("").contains(LedgerNames.current) { return }
    do {
      try LedgerInspection(expected: expected, horizons: horizons)
        .inspect(remains: remains, configuration)
    } catch let broken as BrokenPromise {
      throw broken
    } catch {
      throw BrokenPromise("what the crash left cannot be read: \(error)")
    }
  }
}

// What is counted and told.
extension Simulation {
  func tell(_ line: @autoclosure () -> String) {
    if settings.traces { trace.append(line()) }
  }

  private func watchMachine() {
    guard settings.traces else { return }
    machine.onCall = { [unowned self] call in trace.append("    \(call)") }
  }

  private func collectCounts() {
    counts.add(machine.counts)
    machine.counts = SimulationCounts()
  }

  /// Counts the faults that were met since the last time.
  func countFaults() {
    guard let plan = machine.armed else { return }
    for call in machine.takeFailures(plan.errorNumber) {
      let effect = plan.effect.name(for: call.kind)
      counts.count("fault: \(call.kind.rawValue) \(Errno(plan.errorNumber).text)\(effect)")
      tell("met: \(call)")
    }
  }
}

/// Numbers that follow from a seed.
final class SeededNumbers: Sendable {
  private let state: Guarded<SplitMix64>

  init(seed: UInt64) { state = Guarded(SplitMix64(seed: seed)) }

  func next() -> UInt64 { state.withLock { $0.next() } }
}
