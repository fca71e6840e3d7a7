import TaskLedger

/// A change by someone else that is in the way of saving, as a person sees it who has to choose.
///
/// ```swift
/// Text(conflict.title)                                  // bob changed body
/// Text("\(conflict.ours) or \(conflict.theirs)?")       // Soy milk or Oat milk?
/// ```
/// To say it in other words or in another language, go by ``kind`` and ``conflict``.
public struct ShownConflict: Hashable, Sendable, Identifiable {
  /// What the other did.
  public enum Kind: Hashable, Sendable {
    /// Set or unset a field that was edited here, too.
    case changed(FieldName)
    /// Deleted the task.
    case deleted
    /// Removed the task for good.
    case evicted
    /// Made a task with the id of the new one.
    case made
  }

  /// What the other did.
  public let kind: Kind
  /// The same with the event that did it: who, when, why.
  public internal(set) var conflict: Conflict

  /// - Parameter isNew: whether the task was new to who edits it.
  init(_ conflict: Conflict, isNew: Bool) {
    self.conflict = conflict
    kind =
      switch conflict.field {
      case nil: isNew ? .made : .evicted
      case .isDeleted? where conflict.theirs == true: .deleted
      case let field?: .changed(field)
      }
  }

  public var id: Kind { kind }

  /// Who did it; nil where the history that tells it is gone.
  public var author: String? { conflict.event?.author }

  /// What the other did, as a headline without a full stop.
  public var title: String {
    let author = author ?? "Someone else"
    return switch kind {
    case .changed(let field): "\(author) changed \(field)"
    case .deleted: "\(author) deleted this task"
    case .evicted: "\(author) removed this task for good"
    case .made: "\(author) made the same task"
    }
  }

  /// What it will be when ours is kept.
  public var ours: String {
    switch kind {
    case .changed: Self.text(conflict.ours)
    case .deleted: "bring it back"
    case .evicted: "make it again"
    case .made: "put mine into it"
    }
  }

  /// What it will be when theirs is kept.
  public var theirs: String {
    switch kind {
    case .changed: Self.text(conflict.theirs)
    case .deleted: "leave it deleted"
    case .evicted: "leave it removed"
    case .made: "take theirs"
    }
  }

  private static func text(_ value: Value?) -> String {
    switch value {
    case nil: "nothing"
    case .text(let text)?: text
    case .bool(let flag)?: flag ? "yes" : "no"
    case let value?: value.description
    }
  }
}
