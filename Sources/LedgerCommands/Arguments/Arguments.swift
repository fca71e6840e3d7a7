import LedgerCore

/// What was given on a command line, checked against what may be given.
package struct Arguments: Sendable {
  /// The values of options in the order in which they were given; "" for one that takes none.
  private var values: [(name: String, value: String)] = []
  /// What stands beside the options.
  package var operands: [String] = []
  /// The place of the first operand that stood behind `--`: from there on each is meant as it stands.
  package var literalStart: Int?

  package init() {}

  package mutating func add(_ name: String, _ value: String) { values.append((name, value)) }

  /// Whether an option was given.
  package func has(_ name: String) -> Bool { values.contains { $0.name == name } }

  /// Whether any of these options was given.
  package func hasAny(of names: [String]) -> Bool { names.contains(where: has) }

  /// The value of an option; nil when it was not given.
  package func value(_ name: String) -> String? { values.first { $0.name == name }?.value }

  /// All values of an option that may be repeated.
  package func all(_ name: String) -> [String] {
    values.compactMap { $0.name == name ? $0.value : nil }
  }

  /// The value of an option that takes a number.
  package func number(_ name: String) throws(LedgerError) -> UInt64? {
    guard let text = value(name) else { return nil }
    // Swift's own reading takes a plus sign, too.
    let isDigits = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard isDigits, let number = UInt64(text) else {
      let expected = isDigits ? "at most \(UInt64.max)" : "a number from 0 on"
      throw LedgerError(.usage, "--\(name) is \"\(text.shortened)\", expected \(expected)")
    }
    return number
  }

  /// The value of an option that takes a time.
  ///
  /// - Parameter days: what words such as yesterday mean.
  func time(_ name: String, _ days: LocalDays) throws(LedgerError) -> LedgerTime? {
    guard let text = value(name) else { return nil }
    do throws(LedgerError) {
      return try TypedTime.read(text, days)
    } catch {
      throw error.under("--\(name)")
    }
  }
}

extension LedgerError {
  /// The same error, said of a part of the command line.
  func under(_ place: String) -> LedgerError {
    var error = self
    error.sentence = "\(place): \(sentence)"
    return error
  }
}
