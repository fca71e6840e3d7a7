import LedgerCore
import TaskLedger

/// A comparison of dates with a text that is none, such as `due < "friday"`: it has an answer, but not the one that was meant.
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
    for comparison in typed.textComparisons where isOdd(comparison) {
      let some = try tasks.find(!Field(comparison.field).isNull, limit: tasksMax)
      let holdsDates = some.contains { task in
        if case .instant = task.compared(comparison.field) { true } else { false }
      }
      guard holdsDates else { continue }
      slips.append(
        DateSlip(
          field: comparison.field, text: comparison.text, column: typed.column(of: comparison)))
      if slips.count == countMax { break }
    }
    return slips
  }

  /// Whether an order by bytes is not the order of days; and whether a word for a day is asked for that no date equals.
  private static func isOdd(_ comparison: TypedQuery.TextComparison) -> Bool {
    guard !isBeginOfDate(comparison.text) else { return false }
    switch comparison.comparison {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return true
    case .equal, .notEqual: return NamedDay.date(comparison.text, today: 0) != nil
    }
  }

  /// Whether dates stand before and behind it as they should: `2026` and `2026-12`, as whole dates, begin what is compared.
  private static func isBeginOfDate(_ text: String) -> Bool {
    zip(text.utf8, "0000-00-00".utf8).allSatisfy { byte, form in
      form == 0x2d ? byte == 0x2d : (0x30...0x39).contains(byte)
    }
  }

  /// What is wrong.
  private var sentence: String {
    "\(field) holds dates, and \"\(text.shortened)\" is none"
  }

  /// What to write instead.
  private var hint: String {
    guard NamedDay.date(text, today: 0) != nil, text.utf8.first != 0x2b else {
      return "a date is written \"2026-12-24\"; $today, $tomorrow and $fri are days, too"
    }
    return "that day is $\(text)"
  }

  /// The refusal, where something would be changed.
  var error: LedgerError {
    LedgerError(
      .invalid, "the query is wrong at column \(column): \(sentence)", column: column, hint: hint)
  }

  /// What is said where something is only read.
  var note: String { "\(sentence), at column \(column) of the query; \(hint)" }
}

extension Session {
  /// Says of a query which of its comparisons are not what they seem.
  func noteDateSlips(_ typed: TypedQuery?, amongAll tasks: any TaskReading) throws(LedgerError) {
    guard let typed else { return }
    for slip in try DateSlip.find(in: typed, amongAll: tasks) { note(slip.note) }
  }
}
