import Foundation
import Testing

/// The whole ledger on a simulated disk and clock: `tools/simulate` runs more of it.
///
/// For example: `LEDGER_SIMULATION_SEEDS=20000 swift test --filter Simulation`.
@Suite struct `A simulated ledger` {
  private static let seeds =
    ProcessInfo.processInfo.environment["LEDGER_SIMULATION_SEEDS"].flatMap { UInt64($0) } ?? 200

  /// In a few parts, which run side by side.
  @Test(arguments: 0..<4 as Range<UInt64>)
  func `keeps its promises, whatever fails and whenever it crashes`(_ part: UInt64) {
    var counts = SimulationCounts()
    for seed in 1...max(4, Self.seeds) where seed % 4 == part {
      let outcome = Simulation.run(SimulationSettings(seed: seed, steps: 25))
      #expect(outcome.problem == nil, "seed \(seed), 25 steps")
      counts.add(outcome.counts)
    }
    // A run that met nothing would prove nothing.
    for prefix in ["crash: ", "fault: ", "commits", "manifest steps", "step: ", "restorations"] {
      #expect(counts.total(prefix) > 0, "\(prefix)")
    }
    print(
      "simulated \(counts["steps"]) steps, \(counts["commits"]) commits, \(counts.total("crash: ")) crashes, "
        + "\(counts.total("fault: ")) faults")
  }

  @Test(arguments: PlantedFault.allCases)
  func `is caught when the storage does something wrong`(_ fault: PlantedFault) {
    let most: UInt64 = 60
    let caught = (1...most).first { seed in
      Simulation.run(SimulationSettings(seed: seed, steps: 40, planted: fault)).problem != nil
    }
    #expect(caught != nil, "\(fault.rawValue) within \(most) seeds")
    print("\(fault.rawValue): caught by seed \(caught ?? 0)")
  }

  @Test func `does the same again for the same seed`() {
    for seed in 1...4 as ClosedRange<UInt64> {
      let settings = SimulationSettings(seed: seed, traces: true)
      let (one, other) = (Simulation.run(settings), Simulation.run(settings))
      #expect(one.counts == other.counts)
      #expect(difference(one.trace, other.trace) == nil, "seed \(seed)")
    }
  }
}
