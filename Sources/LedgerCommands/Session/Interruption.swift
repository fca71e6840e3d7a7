import LedgerCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ends a command that goes on by itself: when it is asked to, or when nobody reads what it writes.
enum Interruption {
  /// Calls `stop`, on another thread, on SIGINT, SIGTERM or SIGHUP, and when the other end of standard output is closed: a command
  /// that waits for others would not notice before it writes the next time. A second signal ends the process at once.
  static func onInterruption(_ stop: @escaping @Sendable () -> Void) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    // Threads that start from here on inherit it: only the one below gets the signal.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let isWaiting = DetachedThread.start { [signals] in
      var signals = signals
      var number: Int32 = 0
      while sigwait(&signals, &number) != 0 {}
      stop()
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      while true { pause() }
    }
    if !isWaiting { pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
    _ = DetachedThread.start {
      // Without events that are asked for, only the end is reported.
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while poll(&output, 1, -1) == -1, errno == EINTR {}
      stop()
    }
  }
}
