/// Middle and ends of a few measurements.
struct Spread {
  let median: Double
  let minimum: Double
  let maximum: Double

  /// Nil when there is nothing to sum up.
  init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    minimum = first
    maximum = last
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// `median [minimum, maximum]`, each formatted the same way.
  func text(_ format: (Double) -> String) -> String {
    "\(format(median)) [\(format(minimum)), \(format(maximum))]"
  }
}

/// Numbers as a reader wants them: three figures, with a unit.
enum Figure {
  static func ratio(_ value: Double) -> String {
    threeFigures(value)
  }

  static func rate(_ perSecond: Double) -> String {
    if perSecond >= 1e6 { return threeFigures(perSecond / 1e6) + " M/s" }
    if perSecond >= 1e3 { return threeFigures(perSecond / 1e3) + " k/s" }
    return threeFigures(perSecond) + " /s"
  }

  static func milliseconds(_ seconds: Double) -> String {
    threeFigures(seconds * 1e3) + " ms"
  }

  static func mebibytes(_ bytes: Double) -> String {
    threeFigures(bytes / 1_048_576) + " MiB"
  }

  static func threeFigures(_ value: Double) -> String {
    let decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2
    let scale = [1.0, 10, 100][decimals]
    let rounded = Int((value * scale).rounded())
    guard decimals > 0 else { return grouped(rounded) }
    let fraction = String(rounded % Int(scale))
    let zeros = String(repeating: "0", count: decimals - fraction.utf8.count)
    return "\(rounded / Int(scale)).\(zeros)\(fraction)"
  }

  static func grouped(_ value: Int) -> String {
    var text = String(value)
    var position = text.count - 3
    while position > 0 {
      text.insert(",", at: text.index(text.startIndex, offsetBy: position))
      position -= 3
    }
    return text
  }
}
