import LedgerFormat

/// What a draft holds: the task that it started from, and the task as it would be.
///
/// Invariants:
/// - `base` is what the ledger had when that was looked at last, or what was agreed on since;
/// - one thread saves at a time;
/// - what is to be saved is where `item` differs from `base`.
struct DraftContent: Sendable {
  /// Nil for a task that is to be made.
  private(set) var base: TaskItem?
  private(set) var revision: UInt64
  var item: TaskItem
  /// The task that the last conflict was met with; nil where it does not exist.
  var met: TaskItem?
  var isSaving = false

  init(id: TaskID, base: TaskItem?, revision: UInt64) {
    self.base = base
    self.revision = revision
    item = base ?? TaskItem(id: id)
  }

  /// Whether anything reads differently than in `base`.
  var hasChanges: Bool {
    let base = base ?? TaskItem(id: item.id)
    // A name that the rules refuse is a change that cannot be saved.
    guard let changes = try? changes else { return true }
    return changes.contains { !Self.isSame(item, base, $0.name) }
  }

  /// What is to be saved.
  var changes: [FieldChange] {
    get throws(LedgerError) { try item.changes(from: base ?? TaskItem(id: item.id)) }
  }

  mutating func discard() { item = base ?? TaskItem(id: item.id) }

  /// What is to be saved from here on; nil where nothing is.
  ///
  /// - Throws: `LedgerError` with code `busy`: who saves at the same time would meet the changes of the other as somebody else's.
  mutating func begin() throws(LedgerError) -> DraftContent? {
    guard !isSaving else {
      throw LedgerError(
        .busy, "the draft of task \"\(item.id)\" is being saved", hint: "save it again after that")
    }
    guard hasChanges || base == nil else { return nil }
    isSaving = true
    return self
  }

  /// Goes on from what was saved, with what was changed while it was being saved.
  mutating func rebase(onto saved: TaskItem?, _ revision: UInt64, saving: TaskItem) {
    guard let saved else { return }
    let since = (try? item.changes(from: saving)) ?? []
    base = saved
    item = saved
    for change in since { item[change.name.text] = change.value }
    self.revision = revision
  }
}

extension DraftContent {
  /// What speaks against saving onto the task as it is now.
  ///
  /// - Parameter history: all events of the task; called only where there is a conflict.
  func conflicts(
    with now: TaskItem?, history: () throws(LedgerError) -> [Event]
  ) throws(LedgerError) -> [Conflict] {
    guard let base, let now else {
      guard base != nil || now != nil, !isMade(in: now) else { return [] }
      let isEvicted = now == nil
      let kind = isEvicted ? EventKind.evict : .upsert
      return [Conflict(item.id, by: try history().last { $0.kind == kind })]
    }
    var found: [Conflict] = []
    for change in try changes {
      for name in Self.names(touching: change.name, in: [base, now])
      where !Self.isSame(base, now, name) && !(name == change.name && Self.isSame(item, now, name))
      {
        found.append(Conflict(item.id, name, ours: change.value, theirs: now[name.text], by: nil))
      }
    }
    if now.isDeleted, !base.isDeleted, !item.isDeleted {
      found.append(Conflict(item.id, .isDeleted, ours: false, theirs: true, by: nil))
    }
    guard !found.isEmpty else { return [] }
    let events = try history().sorted { $0.stamp < $1.stamp }
    for place in found.indices {
      found[place].event = events.last { event in
        event.changes.contains { $0.name == found[place].field }
      }
    }
    return found
  }

  /// Whether a new task is there already as the draft would make it, as after a save of which nobody knew how it ended.
  private func isMade(in now: TaskItem?) -> Bool {
    guard base == nil, let now, !now.isDeleted || item.isDeleted else { return false }
    return item.fields.allSatisfy { now[$0.name] == $0.value }
  }

  /// A field, and the fields of tasks that exclude it.
  private static func names(touching name: FieldName, in tasks: [TaskItem]) -> [FieldName] {
    var names = [name]
    for field in tasks.flatMap(\.fields) {
      let other = FieldName(unchecked: field.name)
      if other.collides(with: name), !names.contains(other) { names.append(other) }
    }
    return names
  }

  private static func isSame(_ left: TaskItem, _ right: TaskItem, _ name: FieldName) -> Bool {
    (left[name.text] ?? name.defaultValue) == (right[name.text] ?? name.defaultValue)
  }

  mutating func resolve(_ conflict: Conflict, keeping side: Draft.Side) {
    guard let field = conflict.field else { return resolveTask(side) }
    base?[field.text] = conflict.theirs
    switch side {
    case .theirs: item[field.text] = conflict.theirs
    // What nobody had to set while nobody else had deleted the task must be set now.
    case .ours: if field == .isDeleted { item[field.text] = conflict.ours }
    }
  }

  /// Settles that the task was evicted, or made, meanwhile.
  private mutating func resolveTask(_ side: Draft.Side) {
    var merged = met ?? TaskItem(id: item.id)
    if side == .ours { for field in item.fields { merged[field.name] = field.value } }
    base = met
    item = merged
  }
}
