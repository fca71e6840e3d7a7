#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A value that one thread at a time may use.
///
/// The lock is pthread's, which every tool that looks for races knows; `Synchronization.Mutex` is invisible to
/// ThreadSanitizer on Linux, which then takes each guarded value for a race.
package final class Guarded<Value: Sendable>: @unchecked Sendable {
  // Unchecked: `value` is used under `mutex` alone.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs something with the value, which nobody else uses meanwhile. Not to be called again from inside.
  package func withLock<R, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> R
  ) throws(Failure) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
