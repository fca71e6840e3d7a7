import LedgerCore

/// Numbers with a fixed count of decimals, as figures for people and programs have them.
package enum DecimalText {
  /// The number rounded to the nearest with so many decimals; "null" when it is not finite.
  package static func text(_ number: Double, decimals: Int) -> String {
    guard number.isFinite else { return "null" }
    let decimals = min(max(decimals, 0), 15)
    var scale: Int64 = 1
    for _ in 0..<decimals { scale *= 10 }
    guard let scaled = Int64(exactly: (number.magnitude * Double(scale)).rounded()) else {
      // Beyond this size a double has no decimals worth writing.
      return Value.double(number).description
    }
    let sign = number < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(scaled)" }
    let fraction = String(scaled % scale)
    let zeros = String(repeating: "0", count: decimals - fraction.utf8.count)
    return "\(sign)\(scaled / scale).\(zeros)\(fraction)"
  }
}
