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
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs something with the value, which nobody else uses meanwhile. Not to be called again from inside: that would wait for itself.
  package func withLock<R, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> R
  ) throws(Failure) -> R {
    let isFree = pthread_mutex_lock(mutex) == 0
    precondition(isFree, "what is guarded is used again from inside its own use")
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
