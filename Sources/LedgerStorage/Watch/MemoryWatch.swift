import LedgerCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Rings whenever something was done to a folder in memory.
final class FolderBell: @unchecked Sendable {
  // Unchecked: `count` is guarded by `mutex`.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let rung = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var count = 0

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(rung, nil)
  }

  deinit {
    pthread_cond_destroy(rung)
    pthread_mutex_destroy(mutex)
    rung.deallocate()
    mutex.deallocate()
  }

  func ring() {
    pthread_mutex_lock(mutex)
    count += 1
    pthread_cond_broadcast(rung)
    pthread_mutex_unlock(mutex)
  }

  /// How often it has rung.
  var rings: Int {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return count
  }

  /// Waits until it has rung more often.
  func wait(after rings: Int) -> Int {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while count == rings { pthread_cond_wait(rung, mutex) }
    return count
  }
}

/// Is told by a folder in memory.
final class MemoryWatch: FolderWatch {
  private let bell: FolderBell
  private let seen: Guarded<Int>
  private let isWoken = Guarded(false)

  init(_ bell: FolderBell) {
    self.bell = bell
    seen = Guarded(bell.rings)
  }

  func wait() -> Bool {
    let rings = bell.wait(after: seen.withLock { $0 })
    seen.withLock { $0 = rings }
    return !isWoken.withLock { $0 }
  }

  func wake() {
    isWoken.withLock { $0 = true }
    bell.ring()
  }

  func close() {}
}
