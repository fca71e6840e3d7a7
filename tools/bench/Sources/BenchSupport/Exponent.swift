#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The exponent with which something grows: the slope of the line that fits the logarithms best, by least squares.
///
/// 1 means in step with the count, 0 not at all.
///
/// - Returns: nil for fewer than two different counts, or for a value that has no logarithm.
public func growthExponent(of values: [(count: Int, value: Double)]) -> Double? {
  guard values.allSatisfy({ $0.count > 0 && $0.value > 0 }) else { return nil }
  let points = values.map { (x: log(Double($0.count)), y: log($0.value)) }
  let count = Double(points.count)
  let middle = (
    x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count
  )
  let spread = points.reduce(0) { $0 + ($1.x - middle.x) * ($1.x - middle.x) }
  guard spread > 0 else { return nil }
  return points.reduce(0) { $0 + ($1.x - middle.x) * ($1.y - middle.y) } / spread
}
