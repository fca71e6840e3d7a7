/// A moment in Unix milliseconds, from year 0000 to 9999.
///
/// ```swift
/// let noon = try LedgerTime("2026-11-30T12:00:00.123Z")
/// print(noon)                       // 2026-11-30T12:00:00.123Z
/// let day = try LedgerTime("2026-11-30")   // its first instant in UTC
///
/// let start = try LedgerTime(milliseconds: 1_796_000_000 * 1000)   // of Unix seconds
/// let seconds = start.milliseconds / 1000                          // and back
/// ```
/// A `Date` of Foundation is `LedgerTime(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded(.down)))`, and the way back
/// `Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)`.
public struct LedgerTime: Hashable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
  public let milliseconds: Int64

  /// The first instant of year 0000.
  public static let earliest = LedgerTime(unchecked: -62_167_219_200_000)
  /// The last millisecond of year 9999.
  public static let latest = LedgerTime(unchecked: 253_402_300_799_999)

  /// For numbers that were checked before.
  package init(unchecked milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Whether a number of Unix milliseconds lies in the years 0000 to 9999.
  package static func covers(_ milliseconds: Int64) -> Bool {
    milliseconds >= earliest.milliseconds && milliseconds <= latest.milliseconds
  }

  /// Makes a moment from Unix milliseconds.
  ///
  /// - Throws: ``LedgerError`` with code `invalid` outside the years 0000 to 9999.
  public init(milliseconds: Int64) throws(LedgerError) {
    guard Self.covers(milliseconds) else {
      throw LedgerError(
        .invalid, "the time \(milliseconds) ms lies outside the years 0000 to 9999")
    }
    self.milliseconds = milliseconds
  }

  /// Reads RFC 3339 text (section 5.6); a bare date is its first instant in UTC; what is finer than a
  /// millisecond is cut.
  ///
  /// - Throws: ``LedgerError`` with code `invalid` when the text is not such a time, or no such day exists.
  public init(_ text: String) throws(LedgerError) {
    var reader = TimeText(text)
    guard let milliseconds = reader.read(), Self.covers(milliseconds) else {
      let sentence = "\"\(text.shortened)\" is not a time"
      guard !reader.lacksZone else {
        throw LedgerError(
          .invalid, sentence + ": the zone is missing",
          hint: "add Z for UTC, or an offset such as +01:00")
      }
      throw LedgerError(
        .invalid, sentence,
        hint: "write RFC 3339, such as 2026-11-30T12:00:00.123Z or 2026-11-30")
    }
    self.milliseconds = milliseconds
  }
}

extension LedgerTime: Comparable {
  public static func < (left: LedgerTime, right: LedgerTime) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

extension LedgerTime: CustomStringConvertible {
  /// RFC 3339 in UTC with three decimals and Z.
  public var description: String {
    var text: [UInt8] = []
    text.reserveCapacity(24)
    append(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the same.
  package func append(to text: inout [UInt8]) {
    let number = milliseconds.flooredQuotient(by: 86_400_000)
    let inDay = milliseconds - number * 86_400_000
    let day = CivilDay(number: number)
    // Eight characters in each number, and all at once.
    var date: UInt64 = 0x2d00_002d_0000_0000  // "YYYY-MM-"
    date |= twoDigits(day.year / 100) | twoDigits(day.year % 100) << 16 | twoDigits(day.month) << 40
    var hour: UInt64 = 0x0000_3a00_0054_0000  // "DDThh:mm"
    hour |= twoDigits(day.day) | twoDigits(inDay / 3_600_000) << 24
    hour |= twoDigits(inDay / 60_000 % 60) << 48
    var second: UInt64 = 0x5a00_0030_2e00_003a  // ":ss.mmmZ"
    second |= twoDigits(inDay / 1000 % 60) << 8 | twoDigits(inDay % 100) << 40
    second += UInt64(truncatingIfNeeded: inDay % 1000 / 100) << 32
    let all = (date.littleEndian, hour.littleEndian, second.littleEndian)
    withUnsafeBytes(of: all) { text.append(contentsOf: $0) }
  }
}

/// The two digits of a number from 0 to 99, the first in the lowest byte.
private func twoDigits(_ number: Int64) -> UInt64 {
  0x3030 + UInt64(truncatingIfNeeded: number / 10 + (number % 10) << 8)
}

extension Int64 {
  /// The quotient rounded towards minus infinity, for a positive divisor.
  func flooredQuotient(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
