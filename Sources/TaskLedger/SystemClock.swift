#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension LedgerTime {
  /// The machine's clock (clock_gettime(2), CLOCK_REALTIME), cut to milliseconds.
  public static func now() -> LedgerTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let milliseconds = Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    // A clock outside the years 0000 to 9999 is broken; its nearest usable moment keeps the order of stamps.
    return min(max(LedgerTime(unchecked: milliseconds), .earliest), .latest)
  }
}
