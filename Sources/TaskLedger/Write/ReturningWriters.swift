/// How many writers who were just acknowledged are worth waiting for.
///
/// A thread that appends one transaction after the other is back soon after each acknowledgment, and an append that begins before it
/// is leaves it to wait for the next one. How many come back is learned from append to append: where nobody does, as with a single
/// writer, nobody is waited for.
struct ReturningWriters {
  /// Of those that the last append but one acknowledged, this part came back in time.
  private var share = 0.0
  /// How many the last append acknowledged.
  private var acknowledged = 0
  /// How many came since then, in time.
  private var came = 0
  /// As many are to wait together.
  private var expected = 0
  /// Until then others are awaited.
  private(set) var awaitedUntil = -Double.infinity

  /// However long an append took, for no longer others are waited for, in seconds.
  static let secondsMax = 0.002

  /// Notes that a writer has queued transactions.
  mutating func noteArrival(at time: Double) {
    if time < awaitedUntil, came < acknowledged { came += 1 }
  }

  /// Notes that an append has ended.
  ///
  /// - Parameters:
  ///   - count: as many were in it.
  ///   - duration: how long it took, in seconds.
  ///   - end: when it ended.
  ///   - waiting: as many wait for the next one already.
  mutating func noteAppend(
    of count: Int, lasting duration: Double, until end: Double, waiting: Int
  ) {
    if acknowledged > 0 { share = Double(came) / Double(acknowledged) }
    acknowledged = count
    came = 0
    expected = waiting + Int((Double(count) * share).rounded())
    awaitedUntil = end + min(duration, Self.secondsMax)
  }

  /// Whether others are waited for where some wait already.
  func areAwaited(with waiting: Int, at time: Double) -> Bool {
    waiting < expected && time < awaitedUntil
  }
}
