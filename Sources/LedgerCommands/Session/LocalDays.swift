import LedgerCore

/// Days as the person's calendar has them.
///
/// One rule holds everywhere: a word such as `today`, and what is due today, means a day of the local time zone; what is written
/// in digits, and every time that is printed, is UTC.
struct LocalDays {
  /// The moment that it is.
  let now: LedgerTime
  private let secondsEast: (LedgerTime) -> Int64

  /// What help says of it.
  static let rule =
    "Words such as today mean days where you are (TZ, or the zone of the system); dates and times in digits without a zone, "
    + "and all that is printed, are UTC."

  /// - Parameter secondsEast: how many seconds the local time is ahead of UTC at a moment.
  init(now: LedgerTime, secondsEast: @escaping (LedgerTime) -> Int64) {
    self.now = now
    self.secondsEast = secondsEast
  }

  init(_ context: CommandContext) {
    self.init(now: context.configuration.clock(), secondsEast: context.secondsEast)
  }

  /// The number of today, in days since 1970-01-01.
  var today: Int64 { day(of: now) }

  /// The first instant of a day.
  ///
  /// - Throws: `LedgerError` with code `invalid` where that is before the year 0000 or after 9999.
  func start(of day: Int64) throws(LedgerError) -> LedgerTime {
    let midnight = day * 86_400_000
    // How far ahead it is then is known only once it is known when that is.
    let near = try LedgerTime(
      milliseconds: midnight - 1000 * secondsEast(try LedgerTime(milliseconds: midnight)))
    return try LedgerTime(milliseconds: midnight - 1000 * secondsEast(near))
  }

  /// The number of the day in which a moment lies.
  func day(of time: LedgerTime) -> Int64 {
    (time.milliseconds + 1000 * secondsEast(time)).flooredDays
  }
}
