/// The newest result of each row, and how it stands beside the one before: a Markdown page.
public struct ResultsPage {
  private struct Key: Hashable {
    var row: String
    var count: Int
    var machine: String
  }

  private struct Entry {
    var newest: ResultLine
    var before: ResultLine?
  }

  private var entries: [Key: Entry] = [:]
  private var order: [Key] = []

  /// - Parameter lines: in the order in which they were measured.
  public init(_ lines: [ResultLine]) {
    for line in lines {
      let key = Key(row: line.row, count: line.count, machine: line.machine)
      if entries[key] == nil { order.append(key) }
      // Results of different machines do not compare.
      entries[key] = Entry(newest: line, before: entries[key]?.newest)
    }
  }

  public var markdown: String {
    var text = """
      # Measured

      Made by `ledger-bench report` from `results.ndjson`, to which each run adds; README.md says what the rows are. A ratio is how
      many times as fast as the other side the ledger was, median [min, max] of the rounds; of a row that grows it is the
      exponent, where less is better. **Slip**: no round was as good as the worst of the run before, on the same machine.

      """
    for machine in machines {
      text += "\n## \(machine)\n\n"
      text += "| row | n | ratio | before | change | ledger | beside it | commit, date |\n"
      text += "|---|---|---|---|---|---|---|---|\n"
      for key in order where key.machine == machine {
        if let entry = entries[key] { text += Self.row(entry) + "\n" }
      }
    }
    return text
  }

  /// Rows whose newest run is worse in every round than the run before.
  public var slips: [String] {
    order.compactMap { key in
      entries[key].flatMap { Self.hasSlipped($0) ? "\(key.row), n = \(key.count)" : nil }
    }
  }

  private var machines: [String] {
    var seen: Set<String> = []
    return order.map(\.machine).filter { seen.insert($0).inserted }
  }

  private static func row(_ entry: Entry) -> String {
    let newest = entry.newest
    var cells = [
      newest.row, Figure.grouped(newest.count), newest.ratio.text(Figure.signed), "–", "–",
      newest.ledger, newest.other, "\(newest.commit), \(newest.date.prefix(10))",
    ]
    if let before = entry.before {
      cells[3] = "\(before.ratio.text(Figure.signed)), \(before.commit)"
      cells[4] = change(from: before.ratio.median, to: newest.ratio.median)
      if hasSlipped(entry) { cells[4] += " **slip**" }
    }
    return "| " + cells.joined(separator: " | ") + " |"
  }

  private static func change(from before: Double, to now: Double) -> String {
    guard before > 0 else { return "–" }
    let percent = Int(((now / before - 1) * 100).rounded())
    return percent < 0 ? "−\(-percent) %" : "+\(percent) %"
  }

  private static func hasSlipped(_ entry: Entry) -> Bool {
    guard let before = entry.before?.ratio else { return false }
    let now = entry.newest.ratio
    return entry.newest.isBetterLower
      ? now.minimum > before.maximum : now.maximum < before.minimum
  }
}
