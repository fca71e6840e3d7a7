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

  init(_ context: CommandContext) {
    now = context.configuration.clock()
    secondsEast = context.secondsEast
  }

  /// The number of today, in days since 1970-01-01.
  var today: Int64 { day(of: now) }

  /// The number of the day in which a moment lies.
  func day(of time: LedgerTime) -> Int64 {
    (time.milliseconds + 1000 * secondsEast(time)).flooredDays
  }
}
