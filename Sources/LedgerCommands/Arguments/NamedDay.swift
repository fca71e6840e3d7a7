import LedgerCore

/// The day that a word means, such as `tomorrow` or `mon`: what stands behind `due:`, and behind `$` in a query.
///
/// It is a day where the person is; see `LocalDays`.
enum NamedDay {
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  static let words = ["today", "tomorrow", "yesterday"] + weekdays.map { String($0.prefix(3)) }

  /// What help and messages say of the words.
  static let expected =
    "today, tomorrow, yesterday, a weekday such as mon (the next one after today), 2026-12-24, +3d or +2w from today, or a time in "
    + "full such as 2026-12-24T18:00:00Z"

  /// The text that a field is given: a date, or a time in full as it stands; nil where the word means no day.
  ///
  /// - Parameter today: the number of the day that it is.
  static func read(_ word: String, today: Int64) -> String? {
    if (try? LedgerTime(word)) != nil { return word }
    return date(word, today: today)
  }

  /// The date that a word or a distance means; nil where it means none, as one that is written out.
  static func date(_ word: String, today: Int64) -> String? {
    guard let day = days(word.lowercased(), from: today), known.contains(day) else { return nil }
    var text: [UInt8] = []
    CivilDay(number: day).append(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private static let known =
    LedgerTime.earliest.milliseconds.flooredDays...LedgerTime.latest.milliseconds.flooredDays

  /// The number of the day.
  private static func days(_ word: String, from today: Int64) -> Int64? {
    switch word {
    case "today": return today
    case "tomorrow": return today + 1
    case "yesterday": return today - 1
    default: break
    }
    if let wanted = weekdays.firstIndex(where: { word == $0 || word == $0.prefix(3) }) {
      // Day 0 was a Thursday, which is number 3 here.
      let ahead = (Int64(wanted) - (today + 3) % 7 + 7) % 7
      return today + (ahead == 0 ? 7 : ahead)
    }
    return daysAhead(word).map { today + $0 }
  }

  /// How many days `+3d` or `+2w` are.
  private static func daysAhead(_ word: String) -> Int64? {
    let digits = word.utf8.dropFirst().dropLast()
    let digitsMax = 7
    guard word.utf8.first == 0x2b, (1...digitsMax).contains(digits.count),
      digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int64(String(decoding: digits, as: UTF8.self))
    else { return nil }
    switch word.utf8.last {
    case UInt8(ascii: "d"): return count
    case UInt8(ascii: "w"): return 7 * count
    default: return nil
    }
  }
}

extension Int64 {
  /// Milliseconds as whole days since 1970-01-01.
  var flooredDays: Int64 {
    let day: Int64 = 86_400_000
    return self >= 0 ? self / day : (self + 1) / day - 1
  }
}
