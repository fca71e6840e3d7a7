/// Drafts of tasks as an app declares them.
extension Draft {
  /// The task as it would be, as a value of a type.
  ///
  /// ```swift
  /// var chore = try draft.value(as: Chore.self)
  /// ```
  /// - Throws: ``LedgerError`` with code `invalid` that names the field where the draft does not fit the type; what the type throws by
  ///   itself.
  public func value<T: Decodable>(as type: T.Type) throws -> T { try task.decoded(as: type) }

  /// Changes the draft, as a value of a type; nothing else is done to it meanwhile.
  ///
  /// ```swift
  /// try draft.change(as: Chore.self) { $0.due = nil; $0.priority = .high }
  /// try draft.change(as: Chore.self) { $0 = edited }      // what a form made of it
  /// ```
  /// - Parameters:
  ///   - type: what the draft is read as. Fields that it does not know stay as they are.
  ///   - change: changes the value; the fields that then differ are set, those that are then nil, or gone from a dictionary, unset. It
  ///     must not use the draft itself.
  /// - Throws: ``LedgerError`` with code `invalid` where the draft does not fit the type, a field is refused, or `_id` was changed; what
  ///   `change` throws. The draft is as it was.
  public func change<T: Codable>(
    as type: T.Type, _ change: (inout T) throws -> Void
  ) throws {
    try changeItem { try $0.update(as: type, change) }
  }
}

extension Ledger {
  /// Begins a task that does not exist yet with the fields of a value; saving makes it.
  ///
  /// ```swift
  /// let draft = try ledger.draft(encoding: Chore(body: "Sweep"))
  /// draft["room"] = "kitchen"
  /// try draft.save()
  /// ```
  /// To edit a task that exists, begin with ``edit(_:)`` and use ``Draft/change(as:_:)``.
  ///
  /// - Parameter value: encodes named fields, `_id` among them, or the task has a new id.
  /// - Throws: ``LedgerError`` with code `invalid` that names the field for what no field can hold; what the value throws by itself.
  public func draft(encoding value: some Encodable) throws -> Draft {
    let item = try TaskItem(encoding: value)
    let draft = draft(item.id)
    draft.change { $0 = item }
    return draft
  }
}
