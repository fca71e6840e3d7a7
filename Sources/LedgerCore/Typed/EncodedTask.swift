/// What an encodable value says of a task.
struct EncodedTask {
  /// What it has under `_id`.
  var id: TaskID?
  /// The fields that it sets, and those to which it gives an explicit null: these are unset.
  var changes: [FieldChange]
  /// The fields that it has and that are nil.
  var skipped: [FieldName]
  /// The times among the fields.
  var times: [FieldName: LedgerTime]

  /// Encodes a value.
  ///
  /// - Throws: ``LedgerError`` with code `invalid` that names the field; what the value throws by itself.
  init(_ value: some Encodable) throws {
    let encoding = TaskEncoding()
    do {
      try encoding.encode(value, at: .field(""), [])
      self = try encoding.finish()
    } catch let error as EncodingError {
      throw LedgerError(error)
    }
  }

  init(
    id: TaskID?, changes: [FieldChange], skipped: [FieldName], times: [FieldName: LedgerTime]
  ) {
    self.id = id
    self.changes = changes
    self.skipped = skipped
    self.times = times
  }
}

/// What a typed value asks of a task, checked.
package struct TypedChange {
  /// The task; a new id where the value has none.
  package let id: TaskID
  private let encoded: EncodedTask

  /// - Throws: ``LedgerError`` with code `invalid` that names the field; what the value throws by itself.
  package init(_ value: some Encodable) throws {
    encoded = try EncodedTask(value)
    id = encoded.id ?? .random()
  }

  /// The changes for an upsert of a task that stands like this.
  ///
  /// A time that the task has in another form, such as a bare date, is left as it is.
  ///
  /// - Parameter unsettingNil: whether the fields are unset that the value has and that are nil.
  package func changes(
    to task: TaskItem?, unsettingNil: Bool
  ) throws(LedgerError) -> ChangeSet {
    var changes = encoded.changes
    if let task {
      changes.removeAll { change in
        guard let time = encoded.times[change.name], let held = task[change.name.text]?.text else {
          return false
        }
        return (try? LedgerTime(held)) == time
      }
    }
    if unsettingNil { changes += encoded.skipped.map { FieldChange($0, nil) } }
    return try ChangeSet(changes)
  }
}

extension TaskItem {
  /// Makes a task of a value as an app declares it.
  ///
  /// ```swift
  /// struct Chore: Codable {
  ///   var _id = TaskID.random()
  ///   var body: String
  ///   var isCompleted = false
  ///   var priority: Int?
  /// }
  /// let item = try TaskItem(encoding: Chore(body: "Sweep", priority: 2))
  /// ```
  /// - Parameter value: encodes named fields; `_id` among them, or the task has a new id. What is nil is left out.
  /// - Throws: ``LedgerError`` with code `invalid` that names the field for what no field can hold: objects and nil inside arrays,
  ///   numbers that are not finite or beyond 64 bits with a sign; what the value throws by itself.
  public init(encoding value: some Encodable) throws {
    let encoded = try EncodedTask(value)
    let fields = try ChangeSet(encoded.changes).changes.compactMap { change in
      change.value.map { (name: change.name.text, value: $0) }
    }
    self.init(id: encoded.id ?? .random(), sortedFields: fields)
  }

  /// Changes a task by changing a value that is read from it: what then differs is set, and what is then nil or gone is unset. Fields
  /// that the type does not know stay.
  ///
  /// - Throws: ``LedgerError`` with code `invalid` where the task does not fit the type or the value no task, or another `_id` was
  ///   given; what `change` throws.
  package mutating func update<T: Codable>(
    as type: T.Type, _ change: (inout T) throws -> Void
  ) throws {
    var value = try decoded(as: type)
    let before = try EncodedTask(value).setFields()
    try change(&value)
    let encoded = try EncodedTask(value)
    if let other = encoded.id, other != id {
      throw LedgerError(
        .invalid, "the field \"_id\" is \"\(other)\", expected \"\(id)\": a task keeps its id",
        hint: "make a new task with the other id")
    }
    let after = try encoded.setFields()
    for name in before.keys where after[name] == nil { self[name.text] = nil }
    for (name, value) in after where before[name] != value { self[name.text] = value }
  }
}

extension EncodedTask {
  fileprivate func setFields() throws(LedgerError) -> [FieldName: Value] {
    var fields: [FieldName: Value] = [:]
    for change in try ChangeSet(changes).changes { fields[change.name] = change.value }
    return fields
  }
}

extension LedgerError {
  /// What a value says that cannot encode itself.
  init(_ error: EncodingError) {
    guard case .invalidValue(let value, let context) = error else {
      self.init(.invalid, "a task cannot be encoded", cause: "\(error)")
      return
    }
    let place = context.codingPath.map(\.stringValue).joined(separator: ".")
    self.init(
      .invalid, "the field \"\(place)\" cannot be encoded: found \("\(value)".shortened)",
      cause: context.debugDescription)
  }
}
