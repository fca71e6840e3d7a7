import Observation
import TaskLedger

/// What a form shows and does in which one task is edited, an existing or a new one.
///
/// ```swift
/// list.sheet?.body = "Get oat milk"
/// await list.sheet?.save()        // the sheet is gone, or says why not
/// ```
/// It is made by ``TaskListModel/edit(_:)`` and ``TaskListModel/editNew(_:)``. The ledger does not see what is typed until it is saved:
/// beneath is a `Draft`.
///
/// Invariants:
/// - `shown` is what the draft holds;
/// - in the step `conflict` there is at least one, and all of them are to be settled;
/// - nothing follows the step `closed`.
@MainActor @Observable
public final class TaskEditModel: Identifiable {
  /// How far the editing is.
  public enum Step: Hashable, Sendable {
    /// It can be typed, saved, cancelled.
    case editing
    /// It is being saved or deleted. What is typed now is saved, too.
    case working
    /// Someone else has changed the same; nothing is saved until each one is settled by
    /// ``TaskEditModel/resolve(_:keeping:)``.
    case conflict([ShownConflict])
    /// It is over, and the form is to go.
    case closed(Ending)
  }

  /// How the editing ended.
  public enum Ending: Hashable, Sendable {
    /// What was typed is in the ledger, or there was nothing to save.
    case saved
    /// The task is deleted.
    case deleted
    /// What was typed is dropped.
    case cancelled
  }

  /// What the draft holds.
  private struct Shown {
    var task: TaskItem
    var isNew: Bool
    var hasChanges: Bool

    init(_ draft: Draft) {
      task = draft.task
      isNew = draft.isNew
      hasChanges = draft.hasChanges
    }
  }

  /// The task's id.
  public nonisolated let id: TaskID
  /// How far the editing is.
  public internal(set) var step = Step.editing
  /// Why the task could not be saved or deleted; set it to nil once it was seen. What was typed is still there.
  public var error: ShownError?
  private var shown: Shown

  @ObservationIgnored let draft: Draft
  @ObservationIgnored let ledger: AppLedger
  @ObservationIgnored private weak var list: TaskListModel?
  /// Why it is saved, in the author's words.
  @ObservationIgnored var message: String?

  /// Makes a model of a draft, for a form without a list.
  public convenience init(_ draft: Draft, in ledger: AppLedger) {
    self.init(draft, in: ledger, of: nil)
  }

  init(_ draft: Draft, in ledger: AppLedger, of list: TaskListModel?) {
    id = draft.id
    self.draft = draft
    self.ledger = ledger
    self.list = list
    shown = Shown(draft)
  }

  /// The task as it would be.
  public var task: TaskItem { shown.task }

  /// The text.
  public var body: String {
    get { shown.task.body }
    set { change { $0.body = newValue } }
  }

  /// Whether it is done.
  public var isCompleted: Bool {
    get { shown.task.isCompleted }
    set { change { $0.isCompleted = newValue } }
  }

  /// The value of a field under its dotted name; nil where it is not set.
  public subscript(field: String) -> Value? {
    get { shown.task[field] }
    set { change { $0[field] = newValue } }
  }

  /// Changes several fields at once. What comes after the end is ignored.
  public func change(_ change: (inout TaskItem) -> Void) {
    if case .closed = step { return }
    draft.change(change)
    refresh()
  }

  /// Whether the task is not in the ledger yet.
  public var isNew: Bool { shown.isNew }

  /// Whether anything was typed that differs from the task as it was.
  public var hasChanges: Bool { shown.hasChanges }

  /// Whether there is something to save, and it can be saved now.
  public var canSave: Bool { step == .editing && hasChanges }

  /// Whether there is something to delete, and it can be deleted now.
  public var canDelete: Bool { !isNew && !isWorking && !isClosed }

  /// Whether it is being saved or deleted.
  public var isWorking: Bool { step == .working }

  /// Whether the form is to go.
  public var isClosed: Bool { if case .closed = step { true } else { false } }

  /// What is to be settled before it can be saved; empty without a conflict.
  public var conflicts: [ShownConflict] {
    if case .conflict(let conflicts) = step { conflicts } else { [] }
  }

  /// Whether there is an ``error`` to show; set it to false once it was seen.
  public var isShowingError: Bool {
    get { error != nil }
    set { if !newValue { error = nil } }
  }

  /// Shows what the draft holds by now.
  func refresh() {
    shown = Shown(draft)
    guard case .conflict(var open) = step else { return }
    for index in open.indices {
      guard case .changed(let field) = open[index].kind else { continue }
      open[index].conflict.ours = draft[field.text]
    }
    step = .conflict(open)
  }

  func close(_ ending: Ending) {
    step = .closed(ending)
    list?.dismiss(self)
  }

  /// Goes back to a form that can be worked with, and shows it again where it was closed meanwhile.
  func goOn(_ step: Step, after error: ShownError?) {
    self.step = step
    self.error = error
    guard let list, !list.bringBack(self) else { return }
    list.error = error ?? ShownError(.save, LedgerError(.conflict, "it was changed meanwhile"))
  }
}
