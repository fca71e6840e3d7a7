#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs a body on threads of its own, once for each number below `count`, and waits for all.
///
/// Not on the concurrency pool: a test of blocking calls must not take the threads that it runs on.
package func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let threads = (0..<count).map { number in Thread { body(number) } }
  for thread in threads { thread.join() }
}

private final class Thread {
  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  #if canImport(Glibc)
    private var handle = pthread_t()
  #else
    private var handle: pthread_t?
  #endif

  init(_ run: @escaping () -> Void) {
    let body = Unmanaged.passRetained(Body(run)).toOpaque()
    let result = pthread_create(&handle, nil, threadMain, body)
    precondition(result == 0, "pthread_create: \(result)")
  }

  func join() {
    #if canImport(Glibc)
      pthread_join(handle, nil)
    #else
      if let handle { pthread_join(handle, nil) }
    #endif
  }

  #if canImport(Glibc)
    private let threadMain: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
      {
        if let argument = $0 {
          Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
      }
  #else
    private let threadMain: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
      Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run()
      return nil
    }
  #endif
}

/// Blocks this thread.
package func pause(milliseconds: Int) {
  var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
  nanosleep(&time, nil)
}
