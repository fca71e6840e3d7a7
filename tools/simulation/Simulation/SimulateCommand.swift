#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The command line of `tools/simulate`.
package enum SimulateCommand {
  static let usage = """
    usage: tools/simulate [--seeds N] [--first SEED] [--steps M] [--planted FAULT]
           tools/simulate --seed SEED [--steps M] [--planted FAULT] [--trace]

      --seeds N        how many seeds to run (1000)
      --first SEED     the first of them (1)
      --seed SEED      run one seed; with --trace every step and call is printed
      --steps M        the steps of each seed (\(SimulationSettings.usualSteps)); a seed means another run with other steps
      --planted FAULT  let the disk do something wrong: \(PlantedFault.allCases.map(\.rawValue).joined(separator: ", "))

    Prints each seed that fails and what was met; exits 1 when one failed, 64 for wrong usage.
    """

  package static func main(_ arguments: some Sequence<String>) -> Never {
    guard let options = Options(Array(arguments)) else {
      print(usage)
      exit(64)
    }
    var counts = SimulationCounts()
    var failed: [UInt64] = []
    for place in 0..<options.seeds {
      var settings = options.settings
      settings.seed = options.settings.seed &+ place
      let outcome = Simulation.run(settings)
      counts.add(outcome.counts)
      for line in outcome.trace { print(line) }
      guard let problem = outcome.problem else { continue }
      failed.append(outcome.seed)
      print("seed \(outcome.seed) fails: \(problem)")
      print("  replay it: tools/simulate \(settings.arguments)")
      fflush(nil)
    }
    for line in counts.lines { print(line) }
    print(
      "\(options.seeds) seeds from \(options.settings.seed), \(counts["steps"]) steps, \(counts["commits"]) commits, "
        + "\(counts.total("crash: ")) crashes, \(counts.total("fault: ")) faults: \(failed.count) failed"
    )
    exit(failed.isEmpty ? 0 : 1)
  }
}

/// What was asked for.
private struct Options {
  var settings = SimulationSettings(seed: 1)
  var seeds: UInt64 = 1000

  /// Nil for wrong usage.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    func number() -> UInt64? { rest.popFirst().flatMap { UInt64($0) } }
    while let option = rest.popFirst() {
      switch option {
      case "--trace": settings.traces = true
      case "--planted":
        guard let fault = rest.popFirst().flatMap(PlantedFault.init) else { return nil }
        settings.planted = fault
      case "--seeds", "--first", "--seed", "--steps":
        guard let number = number(), number <= UInt64(Int64.max) else { return nil }
        switch option {
        case "--seeds": seeds = number
        case "--steps": settings.steps = Int(number)
        case "--first": settings.seed = number
        default:
          settings.seed = number
          seeds = 1
        }
      default: return nil
      }
    }
  }
}

extension SimulationSettings {
  /// The arguments that run it again, with a trace.
  fileprivate var arguments: String {
    var arguments = "--seed \(seed)"
    if steps != Self.usualSteps { arguments += " --steps \(steps)" }
    if let planted { arguments += " --planted \(planted.rawValue)" }
    return arguments + " --trace"
  }
}
