import LedgerCore
import TaskLedger

/// A field of a query that no task has: most likely its name is misspelt.
struct UnknownField {
  let name: FieldName
  /// The fields of tasks whose names are close.
  let meant: [String]

  /// With many fields there is more to ask than to say.
  private static let countMax = 3
  /// So many tasks show which fields there are.
  private static let tasksMax = 100

  /// The fields of a query that no task has; none where there are no tasks at all. What everyday commands set is asked for before the
  /// first task has it: a tag counts only where its name is close to one that there is.
  ///
  /// - Parameter found: the tasks that meet the query.
  static func find(
    in query: Query, amongAll tasks: any TaskReading, found: [TaskItem]
  ) throws(LedgerError) -> [UnknownField] {
    let fields = query.fields.filter {
      !ShortForms.sets($0) || ShortForms.tagsField.isPrefix(of: $0)
    }
    return try find(fields, amongAll: tasks, found: found).filter { field in
      !ShortForms.sets(field.name) || !field.meant.isEmpty
    }
  }

  /// The fields that no task has, of some; none where there are no tasks at all.
  static func find(
    _ fields: [FieldName], amongAll tasks: any TaskReading, found: [TaskItem] = []
  ) throws(LedgerError) -> [UnknownField] {
    var unknown: [UnknownField] = []
    var known: [String]?
    var asked: Set<FieldName> = []
    for name in fields where name.defaultValue == nil && asked.insert(name).inserted {
      // Looking at all tasks is needed only where those that were found do not have it.
      if found.contains(where: { $0.has(name) }) { continue }
      guard try tasks.hasNone(with: name) else { continue }
      let names: [String]
      if let known { names = known } else { names = try fieldNames(of: tasks) }
      known = names
      guard !names.isEmpty else { return [] }
      unknown.append(UnknownField(name: name, meant: try meant(by: name, names, tasks)))
      if unknown.count == countMax { break }
    }
    return unknown
  }

  /// The fields that may be meant: a tag of that name, or names that are close.
  private static func meant(
    by name: FieldName, _ known: [String], _ tasks: any TaskReading
  ) throws(LedgerError) -> [String] {
    let below = ShortForms.tagsField.text + "."
    if name.text.utf8.starts(with: below.utf8) {
      // What the names of all tags begin with makes none of them close.
      let tags = known.filter { $0.utf8.starts(with: below.utf8) }.map { $0.dropping(below) }
      let tag = name.text.dropping(below).shortened
      return tag.utf8.count < 3 ? [] : Suggestion.closest(to: tag, among: tags).map { below + $0 }
    }
    if let tag = try? FieldName(below + name.text),
      try !tasks.hasNone(with: tag)
    {
      return [tag.text]
    }
    return Suggestion.closest(to: name.text.shortened, among: known)
  }

  /// The names of the fields of some tasks; empty where there are no tasks.
  private static func fieldNames(of tasks: any TaskReading) throws(LedgerError) -> [String] {
    let some = try tasks.find(.everything, limit: tasksMax)
    guard !some.isEmpty else { return [] }
    let further = Set(some.flatMap { $0.fields.map { ByteText($0.name) } }).map(\.text)
    let standard = [FieldName.body, .isCompleted, .isDeleted].map(\.text)
    return standard + further.filter { !standard.contains($0) }.sorted { $0.bytesPrecede($1) }
  }
}

extension TaskReading {
  /// Whether no task has a field.
  func hasNone(with name: FieldName) throws(LedgerError) -> Bool {
    try find(!Field(name).isNull, limit: 1).isEmpty
  }
}

extension FieldName {
  /// Whether it is a word for a day: `due <= today` compares with a field of that name.
  fileprivate var isNamedDay: Bool { NamedDay.date(text, today: 0) != nil }
}

extension String {
  /// What stands behind a beginning.
  func dropping(_ start: String) -> String {
    String(decoding: utf8.dropFirst(start.utf8.count), as: UTF8.self)
  }
}

extension TaskItem {
  fileprivate func has(_ name: FieldName) -> Bool {
    switch compared(name) {
    case .missing: false
    default: true
    }
  }
}

extension Session {
  /// Says which fields of a query no task has.
  ///
  /// - Parameter hint: what to say where no other field has a name that is close.
  func noteUnknown(_ fields: [UnknownField], else hint: String? = nil) {
    for field in fields {
      let meant =
        field.name.isNamedDay
        ? "the day is $\(field.name)" : Suggestion.sentence(field.meant, else: hint ?? "")
      note("no task has the field \"\(field.name)\"\(meant.isEmpty ? "" : "; \(meant)")")
    }
  }
}
