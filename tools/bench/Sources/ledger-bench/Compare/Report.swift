import BenchSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The comparison as Markdown.
enum Report {
  static func printHeader(_ bench: Workbench, _ loaded: Workbench.Loaded, rounds: Int) {
    let events = Figure.grouped(bench.eventCount)
    print("Commit \(commit(of: bench)), seed \(bench.seed), \(events) events, ", terminator: "")
    print("\(Figure.grouped(loaded.taskCount)) tasks at the end; SQLite \(loaded.sqliteVersion).")
    print("Machine: \(Machine.description).")
    print("\(rounds) rounds in turn, a fresh process each; median [min, max].")
    print("A ratio above 1 means that the ledger is faster; ratios are taken round by round.")
    print()
    print("| row | ledger | beside it | ratio |")
    print("|---|---|---|---|")
  }

  static func printRow(_ result: RowResult) {
    guard let ratio = Spread(result.ratios) else { return }
    let cells = [
      result.row.name, cell(result.row.ledger, result.ledger, result.row.unit),
      cell(result.row.other, result.other, result.row.unit), ratio.text(Figure.ratio),
    ]
    print("| " + cells.joined(separator: " | ") + " |")
  }

  static func printSkipped(_ name: String, because reason: String) {
    print("| \(name) | not run: \(reason) | | |")
  }

  static func printSizes(_ sizes: [(label: String, bytes: Int)], events: Int) {
    print()
    print("| on disk | bytes an event | bytes |")
    print("|---|---|---|")
    for size in sizes {
      let perEvent = Figure.threeFigures(Double(size.bytes) / Double(events))
      print("| \(size.label) | \(perEvent) | \(Figure.grouped(size.bytes)) |")
    }
  }

  private static func cell(_ side: Side, _ runs: [Measurement], _ unit: Row.Unit) -> String {
    let figures: Spread?
    let format: (Double) -> String
    switch unit {
    case .eventsPerSecond:
      figures = Spread(runs.map(\.rate))
      format = Figure.rate
    case .milliseconds:
      figures = Spread(runs.map(\.seconds))
      format = Figure.milliseconds
    }
    let peak = Figure.mebibytes(Double(runs.map(\.peakBytes).max() ?? 0))
    return "\(side.label): \(figures?.text(format) ?? "no runs"), peak \(peak)"
  }

  /// The commit of the sources that the measured executable lies in, with a mark when they differ.
  private static func commit(of bench: Workbench) -> String {
    let folder = bench.ledger.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let git = ["git", "-C", folder.joined(separator: "/") + "/"]
    let path = bench.folder + "/commit"
    do {
      _ = try bench.process.run(
        git + ["describe", "--always", "--dirty", "--abbrev=12"], output: path)
      return try String(contentsOfFile: path, encoding: .utf8).filter { !$0.isNewline }
    } catch {
      return "unknown"
    }
  }
}
