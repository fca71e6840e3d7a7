import LedgerCore
import TaskLedger

/// What a misspelt field would do behind `--where`: a field that no task has equals every other one that is missing, and is
/// unequal to all else, so that tasks would be changed that were not meant. Where no task can meet the query for want of it, nothing
/// is changed, and a note says why.
///
/// Invariants:
/// - a word for a day that is no field of any task is refused wherever it is compared with anything but null;
/// - another field that no task has is refused where tasks can meet the query for want of it;
/// - it is not where the query itself asks whether that field is null: then it is known that it may be missing.
enum UnknownFieldRefusal {
  /// The fields that everyday commands set: a query may ask for them before the first task has one.
  private static let everyday = [ShortForms.dueField, ShortForms.priorityField]

  /// Why a query is not to choose what is changed; nil where nothing speaks against it.
  static func find(
    in typed: TypedQuery, amongAll tasks: any TaskReading
  ) throws(LedgerError) -> LedgerError? {
    let mayBeNull = Set(typed.fieldUses.filter(\.asksForNull).map(\.field))
    let risky = typed.fieldUses.filter { use in
      guard !use.asksForNull, !everyday.contains(use.field) else { return false }
      if NamedDay.date(use.field.text, today: 0) != nil { return true }
      return use.isMetByMissing && !mayBeNull.contains(use.field)
    }
    guard let unknown = try UnknownField.find(risky.map(\.field), amongAll: tasks).first,
      let use = risky.first(where: { $0.field == unknown.name })
    else { return nil }
    let column = typed.column(of: use)
    return LedgerError(
      .invalid,
      "the query is wrong at column \(column): no task has the field \"\(unknown.name)\"",
      column: column, hint: hint(unknown))
  }

  private static func hint(_ unknown: UnknownField) -> String {
    guard NamedDay.date(unknown.name.text, today: 0) == nil else {
      return "the day is $\(unknown.name)"
    }
    let meant = Suggestion.sentence(unknown.meant, else: "")
    let onPurpose = "tasks without the field are found by `\(Field(unknown.name).isNull)`"
    return meant.isEmpty ? onPurpose : "\(meant) \(onPurpose)"
  }
}

extension TypedQuery.FieldUse {
  /// Whether it is asked if the field is set.
  fileprivate var asksForNull: Bool {
    switch test {
    case .comparison(_, .equal, .null), .comparison(_, .notEqual, .null): true
    default: false
    }
  }

  /// Whether a task can have what is wanted because it lacks the field. What equals a value, is less or greater, or contains something,
  /// is there; two fields that are missing are equal.
  var isMetByMissing: Bool {
    switch test {
    case .comparison(_, .equal, .field), .comparison(_, .notEqual, .field): true
    case .comparison(_, .notEqual, _): !isNegated
    default: isNegated
    }
  }
}
