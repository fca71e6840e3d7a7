import LedgerCore

extension JSONScanner {
  /// A text as a time. The form that this product writes itself, `2026-11-30T12:00:00.123Z`, is read in
  /// place.
  func time(_ text: JSONText) throws(LedgerError) -> LedgerTime {
    if let time = exactTime(text) { return time }
    return try LedgerTime(string(text))
  }

  private func exactTime(_ text: JSONText) -> LedgerTime? {
    let start = text.range.lowerBound
    guard text.range.count == 24, !text.hasEscapes,
      byte(at: start + 4) == 0x2d, byte(at: start + 7) == 0x2d, byte(at: start + 10) == 0x54,
      byte(at: start + 13) == 0x3a, byte(at: start + 16) == 0x3a, byte(at: start + 19) == 0x2e,
      byte(at: start + 23) == 0x5a,
      let year = digits(4, at: start), let month = digits(2, at: start + 5),
      let day = digits(2, at: start + 8), let hour = digits(2, at: start + 11), hour < 24,
      let minute = digits(2, at: start + 14), minute < 60,
      let second = digits(2, at: start + 17), second < 60,
      let fraction = digits(3, at: start + 20),
      let date = CivilDay(year: year, month: month, day: day)
    else { return nil }
    return LedgerTime(
      unchecked: date.number * 86_400_000 + (hour * 60 + minute) * 60_000 + second * 1000
        + fraction)
  }

  private func digits(_ count: Int, at index: Int) -> Int64? {
    var value: Int64 = 0
    for offset in 0..<count {
      let byte = byte(at: index + offset)
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - 0x30)
    }
    return value
  }
}
