import TaskLedger

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension ShownError {
  /// What a person in an app can do, who has no command line and need not know what a ledger is.
  static func advice(on error: LedgerError) -> String {
    switch error.code {
    case .io: advice(onSystemError: error.systemError)
    case .busy: "Another program is using the tasks. Try again in a moment."
    case .noSuchTask: "The task is no longer there."
    case .conflict: "Someone else has changed the task. Open it again to see how it is now."
    case .damaged:
      "Some of what is stored cannot be read. Restore a backup, or ask whoever looks after this app."
    case .unsupported:
      "The tasks were stored by a newer version of this app. Update it, then try again."
    case .notFound:
      "The tasks are not where they were stored. Bring them back there, then try again."
    case .alreadyExists:
      "Something else is stored where the tasks should be. Move it away, then try again."
    case .poisoned:
      "After an earlier failure nothing can be saved. Close this app, then open it again."
    case .invalid, .badLine, .nothingToUndo, .ambiguous, .beyondEnd, .usage:
      sentence(error.sentence)
    }
  }

  private static func advice(onSystemError number: Int32?) -> String {
    switch number {
    case ENOSPC, EDQUOT: "There is no room left on the disk. Make some, then try again."
    case EACCES, EPERM: "This app is not allowed to use the place where the tasks are stored."
    case EROFS: "The place where the tasks are stored cannot be written."
    case EMFILE, ENFILE: "Too many files are open. Close other programs, then try again."
    default: "The disk did not work as it should. Try again."
    }
  }

  /// A sentence with a capital letter and a full stop.
  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}
