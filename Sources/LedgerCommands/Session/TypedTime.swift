import LedgerCore

/// Times as people type them behind options: RFC 3339, of which seconds and zone may be left out, or a word for a day.
///
/// What is left out is 0 seconds and UTC: `2026-11-30T10:00` is `2026-11-30T10:00:00Z`. A word is the first instant of its day where the
/// person is. In streams and fields a time is RFC 3339 in full, or a date alone.
enum TypedTime {
  static func read(_ text: String, _ days: LocalDays) throws(LedgerError) -> LedgerTime {
    do throws(LedgerError) {
      return try LedgerTime(text)
    } catch {
      if let whole = completed(text), let time = try? LedgerTime(whole) { return time }
      if let day = NamedDay.day(text, today: days.today) {
        guard !NamedDay.isWeekday(text) else { throw liesAhead(text) }
        return try days.start(of: day.number)
      }
      var error = error
      if let meant = MeantDay.word(text, isPast: true), !NamedDay.isWeekday(meant) {
        error.hint = Suggestion.sentence([meant], else: "")
        throw error
      }
      error.hint =
        "write 2026-11-30, 2026-11-30T12:00 or 2026-11-30T12:00:00+01:00, without a zone in UTC; or a day such as yesterday, -3d, mon-1w"
      throw error
    }
  }

  /// What happened is asked for, and a weekday means the next one, as everywhere.
  private static func liesAhead(_ weekday: String) -> LedgerError {
    LedgerError(
      .invalid, "\(weekday) is the next one after today, and nothing has happened by then",
      hint: "the last one is \(weekday)-1w")
  }

  /// The same with the seconds and the zone that are missing; nil where something else is wrong.
  static func completed(_ text: String) -> String? {
    let dateAndMinutes = 16
    guard text.utf8.allSatisfy({ $0 < 0x80 }), text.utf8.count >= dateAndMinutes else { return nil }
    var start = String(decoding: text.utf8.prefix(dateAndMinutes), as: UTF8.self)
    var rest = text.utf8.dropFirst(dateAndMinutes)
    if rest.first == 0x3a {
      let seconds = rest.prefix { $0 == 0x3a || $0 == 0x2e || (0x30...0x39).contains($0) }
      start += String(decoding: seconds, as: UTF8.self)
      rest = rest.dropFirst(seconds.count)
    } else {
      start += ":00"
    }
    return start + (rest.isEmpty ? "Z" : String(decoding: rest, as: UTF8.self))
  }
}
