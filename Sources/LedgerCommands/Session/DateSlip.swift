import LedgerCore
import TaskLedger

/// A comparison of dates with a text that is none, such as `due < "friday"`: it has an answer, but not the one that was meant.
///
/// Invariants:
/// - what is compared by order is a date or time that exists, or the beginning of dates: a year, or a month that exists;
/// - what is compared by equality is a date or time that exists, or stands so in a task: `due == "someday"`;
/// - a field that holds dates in a few tasks only, as a text may be one by chance, is compared for equality with any text.
struct DateSlip {
  let field: FieldName
  let text: String
  /// Where the text stands in the query.
  let column: Int

  /// So many tasks show whether a field holds dates.
  private static let tasksMax = 100
  /// With many there is more to ask than to say.
  private static let countMax = 3

  /// The slips of a query: comparisons of fields that hold dates in some tasks.
  static func find(
    in typed: TypedQuery, amongAll tasks: any TaskReading
  ) throws(LedgerError) -> [DateSlip] {
    var slips: [DateSlip] = []
    for comparison in typed.textComparisons where !isInOrder(comparison) {
      guard try isOfDates(comparison, among: tasks), try !isHeld(comparison, by: tasks) else {
        continue
      }
      slips.append(
        DateSlip(
          field: comparison.field, text: comparison.text, column: typed.column(of: comparison)))
      if slips.count == countMax { break }
    }
    return slips
  }

  /// Whether the field holds dates in some tasks; where it is asked for a text, which other tasks may rightly have, in most.
  private static func isOfDates(
    _ comparison: TypedQuery.TextComparison, among tasks: any TaskReading
  ) throws(LedgerError) -> Bool {
    let some = try tasks.find(!Field(comparison.field).isNull, limit: tasksMax)
    let dates = some.count { task in
      if case .instant = task.compared(comparison.field) { true } else { false }
    }
    return comparison.isOfEquality ? dates * 2 > some.count : dates > 0
  }

  private static func isInOrder(_ comparison: TypedQuery.TextComparison) -> Bool {
    isDate(comparison.text) || (!comparison.isOfEquality && isBeginOfDates(comparison.text))
  }

  private static func isDate(_ text: String) -> Bool { (try? LedgerTime(text)) != nil }

  /// Whether dates stand before and behind it as they should, by their bytes: a year, or a month that exists, with a hyphen behind it
  /// or without.
  private static func isBeginOfDates(_ text: String) -> Bool {
    let begin = text.utf8.last == 0x2d ? String(text.dropLast()) : text
    switch begin.utf8.count {
    case 4: return isDate(begin + "-01-01")
    case 7: return isDate(begin + "-01")
    default: return false
    }
  }

  /// Whether it is asked for a text that some task has in this field beside the dates of others.
  private static func isHeld(
    _ comparison: TypedQuery.TextComparison, by tasks: any TaskReading
  ) throws(LedgerError) -> Bool {
    guard comparison.isOfEquality else { return false }
    return try !tasks.find(Field(comparison.field) == comparison.text, limit: 1).isEmpty
  }

  /// What is wrong.
  private var sentence: String {
    "\(field) holds dates, and \"\(text.shortened)\" is none"
  }

  /// What to write instead.
  private var hint: String {
    if NamedDay.date(text, today: 0) != nil {
      return
        "that day is $\(text.utf8.first == 0x2b || text.utf8.first == 0x2d ? "today" : "")\(text)"
    }
    if let day = quotedDay { return "a day stands without quotes: \(day)" }
    if let date = MeantDay.date(text) { return "did you mean \"\(date)\"?" }
    if let time = TypedTime.completed(text), Self.isDate(time) {
      return "a time has seconds and a zone, such as \"\(time)\" in UTC"
    }
    if Self.isBeginOfDates(text) {
      return "what lies in it is found by >= and <, such as due >= \"2026-12\" && due < \"2027\""
    }
    return "a date is written \"2026-12-24\"; $today, $tomorrow and $fri are days, too"
  }

  /// `$today+7`, which is only a text in quotes.
  private var quotedDay: String? {
    guard text.utf8.first == 0x24 else { return nil }
    return NamedDay.date(String(text.dropFirst()), today: 0) == nil ? nil : text.shortened
  }

  /// The refusal, where something would be changed.
  var error: LedgerError {
    LedgerError(
      .invalid, "the query is wrong at column \(column): \(sentence)", column: column, hint: hint)
  }

  /// What is said where something is only read.
  var note: String { "\(sentence), at column \(column) of the query; \(hint)" }
}

extension TypedQuery.TextComparison {
  fileprivate var isOfEquality: Bool { comparison == .equal || comparison == .notEqual }
}

extension Session {
  /// Says of a query which of its comparisons are not what they seem.
  func noteDateSlips(_ typed: TypedQuery?, amongAll tasks: any TaskReading) throws(LedgerError) {
    guard let typed else { return }
    for slip in try DateSlip.find(in: typed, amongAll: tasks) { note(slip.note) }
  }
}
