/// Middle and ends of a few measurements.
public struct Spread: Equatable, Sendable {
  public let median: Double
  public let minimum: Double
  public let maximum: Double

  /// Nil when there is nothing to sum up.
  public init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    minimum = first
    maximum = last
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// A spread that was worked out before.
  public init(median: Double, minimum: Double, maximum: Double) {
    self.median = median
    self.minimum = minimum
    self.maximum = maximum
  }

  /// `median [minimum, maximum]`, each formatted the same way.
  public func text(_ format: (Double) -> String) -> String {
    "\(format(median)) [\(format(minimum)), \(format(maximum))]"
  }
}

/// Numbers as a reader wants them: three figures, with a unit.
public enum Figure {
  public static func ratio(_ value: Double) -> String {
    threeFigures(value)
  }

  /// Two decimals, and a sign where it is below zero.
  public static func signed(_ value: Double) -> String {
    (value < 0 ? "−" : "") + threeFigures(abs(value))
  }

  public static func rate(_ perSecond: Double) -> String {
    if perSecond >= 1e6 { return threeFigures(perSecond / 1e6) + " M/s" }
    if perSecond >= 1e3 { return threeFigures(perSecond / 1e3) + " k/s" }
    return threeFigures(perSecond) + " /s"
  }

  public static func milliseconds(_ seconds: Double) -> String {
    threeFigures(seconds * 1e3) + " ms"
  }

  public static func mebibytes(_ bytes: Double) -> String {
    threeFigures(bytes / 1_048_576) + " MiB"
  }

  public static func threeFigures(_ value: Double) -> String {
    let decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2
    let scale = [1.0, 10, 100][decimals]
    let rounded = Int((value * scale).rounded())
    guard decimals > 0 else { return grouped(rounded) }
    let fraction = String(rounded % Int(scale))
    let zeros = String(repeating: "0", count: decimals - fraction.utf8.count)
    return "\(rounded / Int(scale)).\(zeros)\(fraction)"
  }

  public static func grouped(_ value: Int) -> String {
    var text = String(value)
    var position = text.count - 3
    while position > 0 {
      text.insert(",", at: text.index(text.startIndex, offsetBy: position))
      position -= 3
    }
    return text
  }
}
