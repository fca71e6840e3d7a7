import LedgerCore
import LedgerFormat
import TaskLedger

extension Session {
  /// The moment that `--at` names: digits are a sequence number, anything else is a time.
  func moment(_ option: String = "at") throws(LedgerError) -> Moment? {
    guard let text = arguments.value(option) else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      guard let number = UInt64(text) else {
        throw LedgerError(
          .usage, "--\(option) \(text.shortened) is beyond any sequence number",
          hint: "digits alone are a sequence number; a date has hyphens: 2026-11-30")
      }
      return .sequence(number)
    }
    return try arguments.time(option, LocalDays(context)).map(Moment.time)
  }

  /// Reads at the moment that was given. Where there is no such event, the digits may have been meant for a date.
  func reading<R>(_ body: () throws(LedgerError) -> R) throws(LedgerError) -> R {
    do throws(LedgerError) {
      return try body()
    } catch {
      guard error.code == .beyondEnd, let date = arguments.value("at").flatMap(Self.date) else {
        throw error
      }
      var error = error
      error.hint = "digits alone are a sequence number; if the day is meant, write --at \(date)"
      throw error
    }
  }

  /// Eight digits as the date that they are without its hyphens; nil where there is no such day.
  private static func date(_ digits: String) -> String? {
    guard digits.utf8.count == 8 else { return nil }
    let text = "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
    return (try? LedgerTime(text)).map { _ in text }
  }
}

extension JSONObjectWriter {
  /// Adds a moment: a sequence number as a number, a time as text.
  mutating func add(_ key: String, _ moment: Moment) {
    switch moment {
    case .sequence(let number): add(key, number)
    case .time(let time): add(key, time.description)
    }
  }
}
