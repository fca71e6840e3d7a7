#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs one piece of work at a time on a thread of its own.
///
/// A Swift task would do its file calls on a thread of the shared pool, of which there are as few as cores.
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
    isRunning = spawn(work)
    return isRunning
  }

  private func spawn(_ work: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(Box { self.run(work) })
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let failed = pthread_create(
      &thread, nil,
      { argument in
        #if canImport(Glibc)
          guard let argument else { return nil }
        #endif
        Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().work()
        return nil
      }, box.toOpaque())
    guard failed == 0 else {
      box.release()
      return false
    }
    #if canImport(Glibc)
      pthread_detach(thread)
    #else
      if let thread { pthread_detach(thread) }
    #endif
    return true
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

  private final class Box {
    let work: () -> Void
    init(_ work: @escaping () -> Void) { self.work = work }
  }
}
