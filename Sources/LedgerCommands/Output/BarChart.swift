/// A bar chart of rows that fits the width of a terminal.
///
/// ```
/// ann     412  ████████████████████████████
/// bob      31  ██▏
/// ```
struct BarChart {
  /// A row: what it is called, fit for a line, and its number.
  typealias Row = (label: String, number: UInt64)

  private let rows: [Row]
  private let columns: Int

  private static let gap = "  "
  /// A label takes no more than a third of the width; a date is whole in any case.
  private static let labelPart = 3
  private static let dateColumns = 10

  init(_ rows: [Row], columns: Int) {
    self.rows = rows
    self.columns = columns
  }

  /// The lines of the chart.
  var lines: [String] {
    let most = rows.map(\.number).max() ?? 0
    let widest = rows.map { TextColumns.count($0.label) }.max() ?? 0
    let labelColumns = min(widest, max(Self.dateColumns, columns / Self.labelPart))
    let numbers = rows.map { NumberText.grouped($0.number) }
    let numberColumns = numbers.map(\.utf8.count).max() ?? 0
    let room = columns - labelColumns - numberColumns - 2 * Self.gap.count
    return zip(rows, numbers).map { row, number in
      let label = TextColumns.pad(TextColumns.cut(row.label, to: labelColumns), to: labelColumns)
      let bar = Self.bar(row.number, of: most, columns: room)
      let line = label + Self.gap + TextColumns.padLeft(number, to: numberColumns)
      return bar.isEmpty ? line : line + Self.gap + bar
    }
  }

  /// A bar to an eighth of a column; what is not nothing is seen.
  private static func bar(_ number: UInt64, of most: UInt64, columns: Int) -> String {
    guard most > 0, number > 0, columns > 0 else { return "" }
    let eighths = max(1, Int(Double(number) / Double(most) * Double(8 * columns)))
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + rest
  }
}
