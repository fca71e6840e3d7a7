/// What a simulation runs: everything else follows from the seed.
package struct SimulationSettings: Sendable {
  package var seed: UInt64
  /// How many steps it takes; a step is an operation of one of the two handles, or a crash.
  package var steps: Int
  /// What the disk under the ledger does wrong on purpose, to see that it is noticed.
  package var planted: PlantedFault?
  /// Whether every step and every call to the disk is told.
  package var traces = false

  package init(
    seed: UInt64, steps: Int = Self.usualSteps, planted: PlantedFault? = nil, traces: Bool = false
  ) {
    self.seed = seed
    self.steps = steps
    self.planted = planted
    self.traces = traces
  }

  package static let usualSteps = 60
}

/// How a simulation came out.
package struct SimulationOutcome: Sendable {
  package let seed: UInt64
  /// The first promise that was broken; nil when all held.
  package let problem: String?
  package let counts: SimulationCounts
  /// What happened, a line each, where that was asked for.
  package let trace: [String]
}

/// A promise that was broken, in words.
struct BrokenPromise: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
