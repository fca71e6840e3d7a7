import BenchSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What something takes on disk.
struct Size {
  let label: String
  let bytes: Int
}

/// The comparison as Markdown, and as lines to keep.
enum Report {
  static func printHeader(_ bench: Workbench, _ loaded: Workbench.Loaded, rounds: Int) {
    let events = Figure.grouped(bench.eventCount)
    print("Commit \(commit(of: bench)), seed \(bench.seed), \(events) events, ", terminator: "")
    print("\(Figure.grouped(loaded.taskCount)) tasks at the end; SQLite \(loaded.sqliteVersion).")
    print("Machine: \(Machine.description).")
    print("\(rounds) rounds in turn, a fresh process each; median [min, max].")
    print(
      "A ratio above 1 means that the ledger is faster, or takes less memory; it is taken round by round."
    )
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

  /// A row to keep; nil when there were no rounds.
  static func line(of result: RowResult, commit: String, date: String) -> ResultLine? {
    guard let ratio = Spread(result.ratios) else { return nil }
    return ResultLine(
      commit: commit, date: date, machine: Machine.description, row: result.row.name,
      count: result.row.count, rounds: result.ratios.count, ratio: ratio,
      ledger: cell(result.row.ledger, result.ledger, result.row.unit),
      other: cell(result.row.other, result.other, result.row.unit))
  }

  /// How many times as large the other side is.
  static func line(
    ofSizes row: String, ledger: Int, other: Int, _ bench: Workbench, commit: String, date: String
  ) -> ResultLine? {
    guard let ratio = Spread([Double(other) / Double(ledger)]) else { return nil }
    func perEvent(_ bytes: Int) -> String {
      Figure.threeFigures(Double(bytes) / Double(bench.eventCount)) + " bytes an event"
    }
    return ResultLine(
      commit: commit, date: date, machine: Machine.description, row: row, count: bench.eventCount,
      rounds: 1, ratio: ratio, ledger: "segments: \(perEvent(ledger))",
      other: "SQLite: \(perEvent(other))")
  }

  static func printSizes(_ sizes: [Size], events: Int) {
    print()
    print("| on disk | bytes an event | bytes |")
    print("|---|---|---|")
    for size in sizes {
      let perEvent = Figure.threeFigures(Double(size.bytes) / Double(events))
      print("| \(size.label) | \(perEvent) | \(Figure.grouped(size.bytes)) |")
    }
  }

  static func cell(_ side: Side, _ runs: [Measurement], _ unit: Row.Unit) -> String {
    let figures: Spread?
    let format: (Double) -> String
    switch unit {
    case .eventsPerSecond:
      figures = Spread(runs.map(\.rate))
      format = Figure.rate
    case .milliseconds:
      figures = Spread(runs.map(\.seconds))
      format = Figure.milliseconds
    case .peakBytes:
      figures = Spread(runs.map { Double($0.peakBytes) })
      format = Figure.mebibytes
    }
    let text = "\(side.label): \(figures?.text(format) ?? "no runs")"
    guard unit != .peakBytes else { return text }
    let peak = Figure.mebibytes(Double(runs.map(\.peakBytes).max() ?? 0))
    return "\(text), peak \(peak)"
  }

  /// The commit of the sources that the measured executable lies in, with a mark when they differ.
  static func commit(of bench: Workbench) -> String {
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
