/// A change that somebody else made meanwhile, and that is in the way of another.
///
/// ```swift
/// do {
///   try draft.save()
/// } catch let error as LedgerError where error.code == .conflict {
///   for conflict in error.conflicts { print(conflict) }
///   // milk: bob set body to "Get oat milk" at 2026-11-30T12:05:00.000Z (event 14)
/// }
/// ```
public struct Conflict: Hashable, Sendable {
  /// The task.
  public var task: TaskID
  /// The field; nil where the task as a whole is concerned: it was evicted, or made, meanwhile.
  public var field: FieldName?
  /// What the field would be set to; nil for an unset, and where no field is concerned.
  public var ours: Value?
  /// What it is since the other change; nil where it is not set.
  public var theirs: Value?
  /// The other change: who made it, when, why; nil where its history was folded.
  public var event: Event?

  package init(
    _ task: TaskID, _ field: FieldName? = nil, ours: Value? = nil, theirs: Value? = nil,
    by event: Event?
  ) {
    self.task = task
    self.field = field
    self.ours = ours
    self.theirs = theirs
    self.event = event
  }
}

extension Conflict {
  /// What the other did, when and why, in words: `bob set body to "Get oat milk" at 2026-11-30T12:05:00.000Z (event 14)`.
  public var reason: String {
    guard let event else { return "\(deed) by a change that was folded" }
    let why = event.message.map { " “\($0.shortened)”" } ?? ""
    return "\(event.author) \(deed) at \(event.time) (event \(event.sequence))\(why)"
  }

  private var deed: String {
    guard let field else {
      return event.map {
        $0.kind == .evict ? "evicted it" : $0.kind == .upsert ? "made it" : "changed it"
      }
        ?? "changed"
    }
    guard let theirs else { return "unset \(field)" }
    if field == .isDeleted { return theirs == .bool(true) ? "deleted it" : "restored it" }
    return "set \(field) to \(theirs.description.shortened)"
  }
}

extension Conflict: CustomStringConvertible {
  /// The task and what the other did to it.
  public var description: String { "\(task): \(reason)" }
}
