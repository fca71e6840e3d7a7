#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A value that one thread leaves for others, who wait for it. The first one left stays.
package final class Awaited<Value: Sendable>: @unchecked Sendable {
  // Unchecked: `value` is used under `mutex` alone.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let isThere = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value?

  package init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(isThere, nil)
  }

  deinit {
    pthread_cond_destroy(isThere)
    pthread_mutex_destroy(mutex)
    isThere.deallocate()
    mutex.deallocate()
  }

  /// Leaves the value; does nothing when there is one already.
  package func leave(_ value: Value) {
    pthread_mutex_lock(mutex)
    if self.value == nil { self.value = value }
    pthread_cond_broadcast(isThere)
    pthread_mutex_unlock(mutex)
  }

  /// Waits until the value is there.
  package func wait() -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let value { return value }
      pthread_cond_wait(isThere, mutex)
    }
  }
}
