import TaskLedger

/// Who waits for the tasks of a list to be shown.
///
/// Invariants:
/// - nobody waits while the list is not `opening`;
/// - each is called once: when that ends, or when the task that waits is cancelled.
@MainActor
final class OpeningWaiters {
  private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  private var next = 0

  /// Waits for the next call of ``wake()``, or until the task is cancelled.
  func wait() async {
    let number = next
    next += 1
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Whoever was cancelled before has no handler to wake him any more.
        if Task.isCancelled { continuation.resume() } else { waiting[number] = continuation }
      }
    } onCancel: {
      Task { @MainActor in self.waiting.removeValue(forKey: number)?.resume() }
    }
  }

  func wake() {
    let woken = waiting.values
    waiting = [:]
    for continuation in woken { continuation.resume() }
  }
}

extension TaskListModel {
  /// Opens the list as ``open()`` does, and returns when its tasks are shown: for a program without a screen, and for tests. The main actor
  /// goes on meanwhile.
  ///
  /// ```swift
  /// await list.opened()
  /// if let task = list.tasks.first { await list.toggle(task) }
  /// ```
  /// - Returns: whether the tasks are shown: false where the list could not be opened, and ``failure`` says why, where it was closed
  ///   meanwhile, and where the task that waits was cancelled.
  @discardableResult
  public func opened() async -> Bool {
    open()
    while status == .opening, !Task.isCancelled { await waiters.wait() }
    return status == .live
  }
}
