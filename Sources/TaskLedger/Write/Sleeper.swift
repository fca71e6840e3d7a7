import LedgerStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A mutex under which threads sleep until others wake them, each by itself.
///
/// Who wakes one sleeper wakes no other: with a condition that all share, each change would wake everybody, to find out that
/// it was not meant.
final class SleepMutex: @unchecked Sendable {
  // Unchecked: it is nothing but the mutex.
  fileprivate let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() {
    #if canImport(Glibc)
      // It is held for moments alone: who finds it taken is served sooner by trying again than by sleeping.
      var attributes = pthread_mutexattr_t()
      pthread_mutexattr_init(&attributes)
      pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
      pthread_mutex_init(mutex, &attributes)
      pthread_mutexattr_destroy(&attributes)
    #else
      pthread_mutex_init(mutex, nil)
    #endif
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func lock() { pthread_mutex_lock(mutex) }

  func unlock() { pthread_mutex_unlock(mutex) }

  func locked<R>(_ body: () throws -> R) rethrows -> R {
    lock()
    defer { unlock() }
    return try body()
  }
}

/// Where a thread sleeps under a mutex; it is held again when the thread goes on.
///
/// Who sleeps looks again for what it waits for whenever it wakes: that can happen without a reason.
final class Sleeper: @unchecked Sendable {
  // Unchecked: a condition is used by many threads at once.
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    #if canImport(Glibc)
      // By the clock of ``monotonicSeconds()``: one that is set back would lengthen a sleep.
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    #else
      pthread_cond_init(condition, nil)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
  }

  /// Sleeps until somebody wakes it.
  func sleep(under mutex: SleepMutex) { pthread_cond_wait(condition, mutex.mutex) }

  /// Sleeps until somebody wakes it, or until a moment of ``monotonicSeconds()``, a few seconds from now at most.
  func sleep(under mutex: SleepMutex, until moment: Double) {
    #if canImport(Glibc)
      var time = Self.time(moment)
      pthread_cond_timedwait(condition, mutex.mutex, &time)
    #else
      var time = Self.time(max(0, moment - monotonicSeconds()))
      pthread_cond_timedwait_relative_np(condition, mutex.mutex, &time)
    #endif
  }

  private static func time(_ seconds: Double) -> timespec {
    let whole = Int(seconds)
    let nanoseconds = Int((seconds - Double(whole)) * 1e9)
    return timespec(tv_sec: whole, tv_nsec: min(nanoseconds, 999_999_999))
  }

  /// Wakes whoever sleeps here; best once the mutex is free, so that it does not wait for that next.
  func wake() { pthread_cond_signal(condition) }

  /// Wakes all who sleep here.
  func wakeAll() { pthread_cond_broadcast(condition) }
}
