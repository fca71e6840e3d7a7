import TaskLedger

extension AppLedger {
  /// A ledger in memory, for previews and for tests of screens.
  ///
  /// ```swift
  /// #Preview { TaskListScreen(.preview()) }
  /// ```
  /// For the screen that shows a failure: `AppLedger { throw LedgerError(.io, "…") }`.
  ///
  /// - Parameter tasks: what is in it.
  public static func preview(_ tasks: [TaskItem] = sampleTasks) -> AppLedger {
    AppLedger { try Ledger.inMemory(tasks: tasks, author: "ann") }
  }

  /// Some tasks to look at: open and done, short and long.
  public static let sampleTasks: [TaskItem] = {
    var dentist = TaskItem(id: "sample-2", body: "Call the dentist")
    dentist["due"] = "2026-12-01"
    let long = "Ask the neighbours who can water the plants between Christmas and Easter"
    return [
      TaskItem(id: "sample-1", body: "Get oat milk", isCompleted: true),
      dentist,
      TaskItem(id: "sample-3", body: long),
      TaskItem(id: "sample-4", body: "Sweep the kitchen"),
    ]
  }()
}
