#if canImport(CSched)
  import CSched
#endif
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Threads of this process.
///
/// A Swift task would wait for files on a thread of the shared pool, of which there are as few as cores.
package enum DetachedThread {
  /// Starts work on a thread of its own (pthread_create(3)), which ends with it.
  ///
  /// - Returns: false when no thread could be started; the work was not done then.
  package static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(Box(work))
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

  /// Runs two pieces of work at once where there is another core and a thread for it, else one after the other.
  ///
  /// - Parameter isWorthIt: false where they are done before a thread has got going.
  /// - Returns: what both returned, once both have.
  package static func both<First, Second: Sendable>(
    if isWorthIt: Bool, _ first: () -> First, _ second: @escaping @Sendable () -> Second
  ) -> (First, Second) {
    let awaited = Awaited<Second>()
    guard isWorthIt, coreCount > 1, start({ awaited.leave(second()) }) else {
      return (first(), second())
    }
    let result = first()
    return (result, awaited.wait())
  }

  /// On how many cores this thread may run (sched_getaffinity(2)); where that cannot be told, how many the machine has (sysconf(3)).
  package static var coreCount: Int {
    #if canImport(CSched)
      let allowed = Int(ledger_count_cores())
      if allowed > 0 { return allowed }
    #endif
    return Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  }

  private final class Box {
    let work: () -> Void
    init(_ work: @escaping () -> Void) { self.work = work }
  }
}
