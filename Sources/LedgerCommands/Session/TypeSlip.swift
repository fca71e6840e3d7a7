import LedgerCore
import LedgerFormat
import TaskLedger

/// A comparison of a field with a value of a type that no task has there, such as `priority == "1"` where priorities are numbers: it
/// has an answer, but not the one that was meant, and with `!=` every task meets it.
///
/// Invariants:
/// - tasks have the field, and none of them holds anything there with which the value can be compared;
/// - `_id`, `body`, `isCompleted` and `isDeleted` have the type that the rules give them, whatever tasks there are;
/// - whether a field is null can be asked of any.
struct TypeSlip {
  let use: TypedQuery.FieldUse
  /// Where the field is named in the query.
  let column: Int
  /// What it is compared with.
  let value: Value
  /// What tasks hold there.
  let held: [ValueKind]
  /// A task that has one of these values.
  let holder: TaskItem?

  /// With many there is more to ask than to say.
  private static let countMax = 3

  /// The slips of a query.
  ///
  /// - Parameter found: the tasks that meet the query.
  static func find(
    in typed: TypedQuery, amongAll tasks: any TaskReading, found: [TaskItem] = []
  ) throws(LedgerError) -> [TypeSlip] {
    var slips: [TypeSlip] = []
    for use in typed.fieldUses {
      for (value, wanted) in comparisons(use) {
        // Looking at all tasks is needed only where those that were found do not have it.
        guard !wanted.contains(where: { kind in found.contains { $0.has(use.field, kind) } }),
          let held = try held(use.field, insteadOf: wanted, among: tasks)
        else { continue }
        let holders = try held.first.map { (kind) throws(LedgerError) in
          try tasks.find(kind.query(use.field), limit: 1)
        }
        slips.append(
          TypeSlip(
            use: use, column: typed.column(of: use), value: value, held: held,
            holder: holders?.first))
        if slips.count == countMax { return slips }
        break
      }
    }
    return slips
  }

  /// The values with which a field is compared, and what of them a task can hold.
  private static func comparisons(_ use: TypedQuery.FieldUse) -> [(Value, [ValueKind])] {
    switch use.test {
    case .comparison(_, _, .value(let value)): [(value, [ValueKind(value)])]
    case .contains(.value(.array(let values)), .field): values.map { ($0, [ValueKind($0)]) }
    case .contains(.field, .value(.text(let text))): [(.text(text), [.array, .text])]
    case .contains(.field, .value(let value)): [(value, [.array])]
    case .startsWith(.field, .value(let value)), .endsWith(.field, .value(let value)):
      [(value, [.text])]
    case .pattern(_, let pattern): [(.text(pattern.text), [.text])]
    default: []
    }
  }

  /// What tasks hold in a field; nil where some hold what is wanted, and where none has it.
  private static func held(
    _ name: FieldName, insteadOf wanted: [ValueKind], among tasks: any TaskReading
  ) throws(LedgerError) -> [ValueKind]? {
    if let fixed = ValueKind.fixed(name) { return wanted.contains(fixed) ? nil : [fixed] }
    var held: [ValueKind] = []
    for kind in wanted + ValueKind.allCases.filter({ !wanted.contains($0) }) {
      guard try !tasks.find(kind.query(name), limit: 1).isEmpty else { continue }
      if wanted.contains(kind) { return nil }
      held.append(kind)
    }
    return held.isEmpty ? nil : held
  }
}

// What is said of it.
extension TypeSlip {
  private var sentence: String {
    let holds = held.map(\.plural).joined(separator: " and ")
    let shown = value.description.shortened
    return switch use.test {
    case .contains(.field, _):
      "\(use.field) holds \(holds), and contains looks into texts and arrays"
    case .startsWith: "\(use.field) holds \(holds), and starts_with looks at texts"
    case .endsWith: "\(use.field) holds \(holds), and ends_with looks at texts"
    case .pattern: "\(use.field) holds \(holds), and regex looks at texts"
    default: "\(use.field) holds \(holds), and \(shown) is \(ValueKind(value).singular)"
    }
  }

  private var hint: String {
    if let meant { return Suggestion.sentence([meant.shortened], else: "") }
    if case .bool = value, use.isBare {
      let field = Field(use.field).query
      return "whether it is set is asked by `\(field) \(use.isNegated ? "==" : "!=") null`"
    }
    if let value = holder?[use.field.text] {
      return "in a task it is \(value.description.shortened)"
    }
    if held == [.object], let below = holder?.fields.first(where: { isBelow($0.name) })?.name {
      return "a field below it is named in full, such as \(below.shortened)"
    }
    return "compare it with \(held[0].singular)"
  }

  private func isBelow(_ name: String) -> Bool {
    (try? FieldName(name)).map(use.field.isPrefix) ?? false
  }

  /// The test that was meant, as a query has it.
  private var meant: String? {
    if case .comparison(_, let comparison, _) = use.test, let other = otherTest {
      switch comparison {
      case .equal: return "\(other)"
      case .notEqual: return "\(!other)"
      default: return nil
      }
    }
    switch use.test {
    case .comparison, .contains(.value, _):
      return converted.map { use.text(with: $0, insteadOf: value) }
    case .contains: return otherTest.map { "\($0)" }
    default: return nil
    }
  }

  /// What asks for a value in an array, or for a field of that name below this one.
  private var otherTest: Query? {
    guard !use.isBare else { return nil }
    if held == [.array] { return Field(use.field).contains(value) }
    guard held == [.object], case .text(let text) = value,
      let below = try? FieldName("\(use.field).\(text)")
    else { return nil }
    return Field(below).query
  }

  /// The same value, of the type that tasks have.
  private var converted: Value? {
    for kind in held {
      switch (value, kind) {
      case (.text(let text), .number), (.text(let text), .boolean):
        guard let read = (try? DocumentReader.value(Array(text.utf8)[...])) ?? nil,
          ValueKind(read) == kind
        else { continue }
        return read
      case (.int(0), .boolean): return .bool(false)
      case (.int(1), .boolean): return .bool(true)
      case (.int, .text), (.double, .text): return .text(value.description)
      case (.bool, .text) where !use.isBare: return .text(value.description)
      default: continue
      }
    }
    return nil
  }

  /// The refusal, where something would be changed.
  var error: LedgerError {
    LedgerError(
      .invalid, "the query is wrong at column \(column): \(sentence)", column: column, hint: hint)
  }

  /// What is said where something is only read, or nothing can be changed for it.
  var note: String { "\(sentence), at column \(column) of the query; \(hint)" }

  /// Whether tasks meet the test because they hold something else: they would be changed, and are not meant.
  var isMetByOthers: Bool { use.isMetByMissing }
}

extension TypedQuery.FieldUse {
  /// Whether it may be a field alone, which asks whether it is true.
  fileprivate var isBare: Bool {
    if case .comparison(_, .equal, .value(.bool(true))) = test { true } else { false }
  }
}

extension TaskItem {
  fileprivate func has(_ name: FieldName, _ kind: ValueKind) -> Bool {
    ValueKind(compared(name)) == kind
  }
}

extension TypedQuery {
  /// Whether the query itself asks for tasks that have nothing in a field: `estimate == null || estimate != "unknown"` says that a
  /// comparison is not meant to find them.
  func allowsNull(_ field: FieldName) -> Bool {
    fieldUses.contains { use in
      guard use.field == field else { return false }
      switch use.test {
      case .comparison(_, .equal, .null): return !use.isNegated
      case .comparison(_, .notEqual, .null): return use.isNegated
      default: return false
      }
    }
  }
}

extension Session {
  /// Says of a query which of its comparisons are with what no task holds there.
  func noteTypeSlips(
    _ typed: TypedQuery?, amongAll tasks: any TaskReading, found: [TaskItem] = []
  ) throws(LedgerError) {
    guard let typed else { return }
    for slip in try TypeSlip.find(in: typed, amongAll: tasks, found: found) { note(slip.note) }
  }
}
