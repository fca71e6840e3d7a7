/// What a command needs to know of its task: how it stands, or how it stood at a time.
struct TaskNeed: Sendable {
  var task: TaskID
  /// When the command happened; nil for now.
  var time: LedgerTime?

  init(_ command: Command) {
    task = command.task
    time = command.time
  }
}
