#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Passes values from one thread to another, in order; where a few are waiting to be taken, whoever passes another one waits, too.
package final class Handover<Value: Sendable>: @unchecked Sendable {
  // Unchecked: all that changes is used under `mutex` alone.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let most: Int
  private var waiting: [Value] = []
  private var isEnded = false
  private var isAbandoned = false

  /// - Parameter most: as many values can wait, at least one.
  package init(most: Int) {
    self.most = max(1, most)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Passes a value on.
  ///
  /// - Returns: false when nobody takes any more.
  package func pass(_ value: Value) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while waiting.count >= most, !isAbandoned { pthread_cond_wait(changed, mutex) }
    guard !isAbandoned else { return false }
    waiting.append(value)
    pthread_cond_broadcast(changed)
    return true
  }

  /// Takes the next value, once it is there; nil behind the last.
  package func take() -> Value? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while waiting.isEmpty, !isEnded { pthread_cond_wait(changed, mutex) }
    guard !waiting.isEmpty else { return nil }
    pthread_cond_broadcast(changed)
    return waiting.removeFirst()
  }

  /// Says that no more values come.
  package func end() { note { isEnded = true } }

  /// Says that nobody takes any more.
  package func abandon() {
    note {
      isAbandoned = true
      waiting = []
    }
  }

  private func note(_ change: () -> Void) {
    pthread_mutex_lock(mutex)
    change()
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }
}
