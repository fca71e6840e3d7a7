import LedgerCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ends a command that goes on by itself: when it is asked to, or when nobody reads what it writes.
enum Interruption {
  /// Calls `stop`, on another thread, on SIGINT, SIGTERM or SIGHUP, and when the other end of standard output is closed: a command
  /// that waits for others would not notice before it writes the next time. A command that has not ended two
  /// seconds later ends there. A second signal ends the process at once. A signal that
  /// whoever started the process has it ignore, as nohup(1) does, stays ignored.
  static func onInterruption(_ stop: @escaping @Sendable () -> Void) {
    var signals = sigset_t()
    sigemptyset(&signals)
    let heeded = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }
    for number in heeded { sigaddset(&signals, number) }
    // Threads that start from here on inherit it: only the one below gets the signal.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let isWaiting =
      heeded.isEmpty
      || DetachedThread.start { [signals] in
        var signals = signals
        var number: Int32 = 0
        while sigwait(&signals, &number) != 0 {}
        stop()
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        // The command may wait for a reader of its output who takes nothing: whoever said that it should end waits for that no longer.
        sleep(graceSeconds)
        _exit(0)
      }
    if !isWaiting { pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
    _ = DetachedThread.start {
      // Without events that are asked for, only the end is reported.
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while poll(&output, 1, -1) == -1, errno == EINTR {}
      // Darwin's poll(2) answers POLLNVAL for terminals: that is no end.
      if output.revents & Int16(POLLERR | POLLHUP) != 0 { stop() }
    }
  }

  /// So long a command has to end by itself.
  private static let graceSeconds: UInt32 = 2

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Glibc)
      let handler = action.__sigaction_handler.sa_handler
    #else
      let handler = action.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
