#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Seconds that only ever grow, for measuring (clock_gettime(2), CLOCK_MONOTONIC).
package func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Blocks this thread.
package func sleep(milliseconds: UInt64) {
  var time = timespec(
    tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
  nanosleep(&time, nil)
}
