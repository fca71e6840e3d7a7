import LedgerCore

/// The day that a word means, such as `tomorrow`, `mon` or `fri+1w`: what stands behind `due:`, behind `$` in a query, and wherever an
/// option takes a time.
///
/// It is a day where the person is; see `LocalDays`.
enum NamedDay {
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  static let words = ["today", "tomorrow", "yesterday"] + weekdays.map { String($0.prefix(3)) }

  /// What help and messages say of the words.
  static let expected =
    "today, tomorrow, yesterday, a weekday such as mon (the next one after today), 2026-12-24, a distance from today such as +3d, "
    + "+2w, +1m, +1y or -1d, one from such a word, as in fri+1w, or a time in full such as 2026-12-24T18:00:00Z"

  /// The text that a field is given: a date, or a time in full as it stands; nil where the word means no day.
  ///
  /// - Parameter today: the number of the day that it is.
  static func read(_ word: String, today: Int64) -> String? {
    if (try? LedgerTime(word)) != nil { return word }
    return date(word, today: today)
  }

  /// The date that a word or a distance means; nil where it means none, as one that is written out.
  static func date(_ word: String, today: Int64) -> String? {
    guard let day = day(word, today: today) else { return nil }
    var text: [UInt8] = []
    day.append(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// The day that a word or a distance means; nil where it means none.
  static func day(_ word: String, today: Int64) -> CivilDay? {
    let (name, rest) = parts(of: word)
    let start = name.isEmpty ? today : number(of: name, today: today)
    guard let start else { return nil }
    let day = CivilDay(number: start)
    guard !rest.isEmpty else { return name.isEmpty || !(0...9999).contains(day.year) ? nil : day }
    guard let distance = DayDistance(rest.utf8), !name.isEmpty || distance.namesUnit else {
      return nil
    }
    return distance.day(from: day)
  }

  /// Whether a word is a weekday alone, which lies ahead.
  static func isWeekday(_ word: String) -> Bool { weekday(word.lowercased()) != nil }

  /// The distance behind the name in a word; nil where there is none.
  static func distance(in word: String) -> DayDistance? { DayDistance(parts(of: word).rest.utf8) }

  /// A word such as `fri+1w`, in small letters, in two.
  private static func parts(of word: String) -> (name: String, rest: String) {
    let word = word.lowercased()
    let sign = word.utf8.firstIndex { $0 == 0x2b || $0 == 0x2d } ?? word.endIndex
    return (String(word[..<sign]), String(word[sign...]))
  }

  /// The number of the day that a name means.
  private static func number(of name: String, today: Int64) -> Int64? {
    switch name {
    case "today": return today
    case "tomorrow": return today + 1
    case "yesterday": return today - 1
    default: break
    }
    return weekday(name).map { wanted in
      // Day 0 was a Thursday, which is number 3 here.
      let ahead = (wanted - (today + 3) % 7 + 7) % 7
      return today + (ahead == 0 ? 7 : ahead)
    }
  }

  private static func weekday(_ name: String) -> Int64? {
    weekdays.firstIndex { name == $0 || name == $0.prefix(3) }.map(Int64.init)
  }
}

extension Int64 {
  /// Milliseconds as whole days since 1970-01-01.
  var flooredDays: Int64 {
    let day: Int64 = 86_400_000
    return self >= 0 ? self / day : (self + 1) / day - 1
  }
}
