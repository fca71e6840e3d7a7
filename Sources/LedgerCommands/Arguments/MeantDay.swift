import LedgerCore

/// What is meant by a text that is no day as it stands, such as `2026-2-3`, `31.12.2026`, `+3` or `tomorow`.
///
/// Invariants:
/// - what is said is a day that exists;
/// - of two readings, as in `3/4/2026`, none is said.
enum MeantDay {
  /// A word for a day, a distance or a date; nil where nothing is close.
  ///
  /// - Parameter isPast: whether a distance without a sign leads back.
  static func word(_ text: String, isPast: Bool = false) -> String? {
    if let date = date(text) { return date }
    if let distance = distance(text, isPast) { return distance }
    let small = text.lowercased()
    if let word = wordAndDistance(small) { return word }
    let meant = Suggestion.closest(to: small.shortened, among: NamedDay.words + longWords)
    return meant.count == 1 && small.utf8.count > 2 ? meant[0] : nil
  }

  private static let longWords = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// A distance without its sign or its unit: `3d`, `1w`, `+3`.
  private static func distance(_ text: String, _ isPast: Bool) -> String? {
    let digits = text.utf8.drop { $0 == 0x2b || $0 == 0x2d }
    guard let first = digits.first, (0x30...0x39).contains(first), text.utf8.count <= 9,
      text.utf8.count - digits.count <= 1
    else { return nil }
    let number = digits.prefix { (0x30...0x39).contains($0) }
    let sign = text.utf8.first == 0x2d || (isPast && text.utf8.first != 0x2b) ? "-" : "+"
    let unit = number.count == digits.count ? "d" : ""
    // A number alone may be a year, a day of this month, or anything.
    guard unit.isEmpty || text.utf8.count > number.count else { return nil }
    let meant = "\(sign)\(String(Substring(digits)).lowercased())\(unit)"
    return NamedDay.date(meant, today: 0) == nil ? nil : meant
  }

  /// A word with a distance and no sign between them: `friday1w`.
  private static func wordAndDistance(_ text: String) -> String? {
    let name = text.utf8.prefix { (0x61...0x7a).contains($0) }
    let rest = text.utf8.dropFirst(name.count)
    guard !name.isEmpty, let first = rest.first, (0x30...0x39).contains(first) else { return nil }
    let meant = "\(String(Substring(name)))+\(String(Substring(rest)))"
    return NamedDay.date(meant, today: 0) == nil ? nil : meant
  }

  /// A date that is written with too few digits, other signs between them, the day first, or blanks around it.
  static func date(_ text: String) -> String? {
    let parts = text.split(whereSeparator: \.isWhitespace)
    guard parts.count == 1, let written = parts.first else { return nil }
    let numbers = written.split(
      omittingEmptySubsequences: false, whereSeparator: { "-/.".contains($0) })
    guard numbers.count == 3,
      numbers.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let first = Int64(numbers[0]), let second = Int64(numbers[1]), let third = Int64(numbers[2])
    else { return nil }
    if numbers[0].utf8.count == 4 { return date(first, second, third) }
    guard numbers[2].utf8.count == 4 else { return nil }
    let dayFirst = date(third, second, first)
    // With dots between them the day comes first.
    if written.utf8.contains(0x2e) { return dayFirst }
    let monthFirst = date(third, first, second)
    return dayFirst == nil || monthFirst == nil || first == second ? dayFirst ?? monthFirst : nil
  }

  private static func date(_ year: Int64, _ month: Int64, _ day: Int64) -> String? {
    guard let date = CivilDay(year: year, month: month, day: day) else { return nil }
    var bytes: [UInt8] = []
    date.append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
