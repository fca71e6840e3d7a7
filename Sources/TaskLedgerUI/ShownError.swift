import TaskLedger

/// A failure as a person in an app sees it: what did not work, and what can be done about it.
///
/// A ``LedgerError`` is for the developer and for who keeps a ledger; its hints name commands. This one is made of the same parts,
/// without those.
///
/// ```swift
/// Text(error.title)     // The task could not be saved
/// Text(error.advice)    // There is no room left on the disk. Make some, then try again.
/// ```
/// To say it in other words or in another language, go by ``deed`` and ``code``.
public struct ShownError: Error, Hashable, Sendable, Identifiable {
  /// What did not work.
  public enum Deed: String, Sendable, CaseIterable {
    /// Opening the ledger.
    case open
    /// Reading the tasks to show.
    case load
    /// Completing a task, or taking that back.
    case toggle
    /// Deleting a task.
    case delete
    /// Taking a deletion back.
    case restore
    /// Opening a task for editing.
    case edit
    /// Saving what was edited.
    case save
    /// Removing deleted tasks for good.
    case emptyTrash
  }

  /// What did not work.
  public let deed: Deed
  /// The class of what went wrong.
  public let code: LedgerError.Code
  /// What to do about it: one or two sentences.
  public let advice: String
  /// What exactly went wrong, where, what was found and expected: for a report to whoever looks after the app, not for everybody.
  public let details: String

  /// Makes what is shown of an error.
  public init(_ deed: Deed, _ error: LedgerError) {
    self.deed = deed
    code = error.code
    advice = Self.advice(on: error)
    details = error.message
  }

  public var id: Self { self }

  /// What did not work, as a headline without a full stop.
  public var title: String {
    switch deed {
    case .open: "The tasks could not be opened"
    case .load: "The tasks could not be loaded"
    case .toggle: "The task could not be changed"
    case .delete: "The task could not be deleted"
    case .restore: "The task could not be brought back"
    case .edit: "The task could not be opened"
    case .save: "The task could not be saved"
    case .emptyTrash: "Deleted tasks could not be removed"
    }
  }
}

extension ShownError: CustomStringConvertible {
  /// Headline and advice.
  public var description: String { "\(title). \(advice)" }
}
