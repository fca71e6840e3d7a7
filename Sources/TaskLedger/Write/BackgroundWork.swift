import LedgerCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs one piece of work at a time on a thread of its own.
final class BackgroundWork: @unchecked Sendable {
  // Unchecked: `isRunning` and `again` are guarded by `mutex`.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isRunning = false
  private var again: (@Sendable () -> Void)?

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Starts the work; where some is running, the newest that was asked for follows it.
  ///
  /// - Returns: false when no thread could be started; the work was not done then.
  func start(_ work: @escaping @Sendable () -> Void) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if isRunning {
      again = work
      return true
    }
    isRunning = DetachedThread.start { self.run(work) }
    return isRunning
  }

  private func run(_ first: @Sendable () -> Void) {
    first()
    while let next = takeNext() { next() }
  }

  private func takeNext() -> (@Sendable () -> Void)? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if let next = again {
      again = nil
      return next
    }
    isRunning = false
    pthread_cond_broadcast(changed)
    return nil
  }

  /// Waits until nothing is running.
  func wait() { wait { true } }

  /// Waits while something is running and the condition holds; it is looked at again after each ``signal()``.
  func wait(while condition: () -> Bool) {
    pthread_mutex_lock(mutex)
    while isRunning, condition() { pthread_cond_wait(changed, mutex) }
    pthread_mutex_unlock(mutex)
  }

  /// Tells those who wait that something has changed.
  func signal() {
    pthread_mutex_lock(mutex)
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }
}
