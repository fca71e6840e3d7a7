#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Seconds since some fixed moment, from a clock that never goes back.
public func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// The one JSON line that a timed program prints about its run.
public struct RunResult {
  public var what: String
  public var events: Int
  public var seconds: Double
  /// Further members: the key, and the value as JSON text.
  public var details: [(key: String, json: String)] = []

  public init(what: String, events: Int, seconds: Double) {
    self.what = what
    self.events = events
    self.seconds = seconds
  }

  public var line: String {
    let rate = seconds > 0 ? Int(Double(events) / seconds) : 0
    var text = "{\"what\":\"\(what)\",\"events\":\(events),\"seconds\":\(seconds)"
    text += ",\"events_per_s\":\(rate)"
    for detail in details { text += ",\"\(detail.key)\":\(detail.json)" }
    return text + "}"
  }
}
