import BenchSupport

/// `ledger-bench growth`: how the cost of a job grows with the ledger, as the exponent of the number of events.
enum GrowthCommand {
  static let usage =
    "growth [--ledger PATH] [-s SEED] [--smallest EVENTS] [--largest EVENTS] [--rounds N] [--jobs NAME,…]"
    + " [--work FOLDER] [--results FILE | --unrecorded]"

  static func run(_ words: [String]) throws {
    let options: Set = [
      "--ledger", "-s", "--smallest", "--largest", "--rounds", "--jobs", "--work", "--results",
    ]
    let arguments = try Arguments(words, options: options, flags: ["--unrecorded"])
    guard arguments.positional.isEmpty else {
      throw BenchError.usage("usage: ledger-bench \(usage)")
    }
    let counts = try sizes(arguments)
    let jobs = try GrowingJob.named(arguments.text("--jobs"))
    let rounds = try arguments.number("--rounds", default: 3)
    let results = try Results(arguments)
    let bench = try Workbench(arguments, eventCount: counts[counts.count - 1])
    try bench.removingFolder { try measure(jobs, counts, rounds, bench, results) }
  }

  /// Ten times as many at each step.
  private static func sizes(_ arguments: Arguments) throws -> [Int] {
    let smallest = try arguments.number("--smallest", minimum: 1000, default: 10_000)
    let largest = try arguments.number("--largest", minimum: 1000, default: 1_000_000)
    var counts = [smallest]
    while let last = counts.last, last <= largest / 10 { counts.append(last * 10) }
    guard counts.count > 1 else {
      throw BenchError.usage("--largest must be ten times --smallest at least")
    }
    return counts
  }

  private static func measure(
    _ jobs: [GrowingJob], _ counts: [Int], _ rounds: Int, _ bench: Workbench, _ results: Results?
  ) throws {
    let (commit, date) = (Report.commit(of: bench), Results.now())
    let stores = try counts.map { count in
      note("loading \(Figure.grouped(count)) events")
      return try GrowthStore(count, bench)
    }
    printHeader(counts, rounds, bench, commit: commit)
    for job in jobs {
      note("job \(job.rawValue)")
      // One size after the other in each round, so that a machine that changes changes all of them.
      var runs = counts.map { _ in [Double]() }
      for _ in 0..<rounds {
        for (index, store) in stores.enumerated() { runs[index].append(try job.run(store, bench)) }
      }
      let exponents = (0..<rounds).compactMap { round in
        growthExponent(of: counts.indices.map { (counts[$0], runs[$0][round]) })
      }
      guard let exponent = Spread(exponents) else { continue }
      let medians = runs.map { Spread($0)?.median ?? 0 }.map(job.figure)
      printRow(job, medians, exponent)
      try results?.add(
        ResultLine(
          commit: commit, date: date, machine: Machine.description,
          row: "growth-\(job.rawValue)", count: counts[counts.count - 1], rounds: rounds,
          ratio: exponent,
          ledger: zip(counts, medians).map { "\(Figure.grouped($0)): \($1)" }
            .joined(separator: ", "),
          other: job.meaning, isBetterLower: true))
    }
  }

  private static func printHeader(
    _ counts: [Int], _ rounds: Int, _ bench: Workbench, commit: String
  ) {
    print("Commit \(commit), seed \(bench.seed). Machine: \(Machine.description).")
    print("\(rounds) rounds, a fresh process each; medians, and the exponent as median [min, max].")
    print("An exponent of 1 means in step with the events, 0 not at all.")
    print()
    let heads = counts.map(Figure.grouped).joined(separator: " | ")
    print("| job | \(heads) | exponent | what |")
    print("|---|" + String(repeating: "---|", count: counts.count + 2))
  }

  private static func printRow(_ job: GrowingJob, _ medians: [String], _ exponent: Spread) {
    let cells = [job.rawValue] + medians + [exponent.text(Figure.signed), job.meaning]
    print("| " + cells.joined(separator: " | ") + " |")
  }
}
