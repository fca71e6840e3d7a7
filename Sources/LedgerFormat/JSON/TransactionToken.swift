import LedgerCore

/// What consecutive lines of one transaction have in common: a text or an integer; 1 and "1" are two
/// tokens.
package enum TransactionToken: Sendable {
  case integer(Int64)
  case text(String)
}

extension TransactionToken: Hashable {
  package static func == (left: TransactionToken, right: TransactionToken) -> Bool {
    switch (left, right) {
    case (.integer(let a), .integer(let b)): a == b
    case (.text(let a), .text(let b)): a.hasSameBytes(as: b)
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .integer(let number): hasher.combine(number)
    case .text(let text): text.hashBytes(into: &hasher)
    }
  }
}

extension TransactionToken: CustomStringConvertible {
  /// The token as JSON.
  package var description: String {
    switch self {
    case .integer(let number): Value.int(number).description
    case .text(let text): Value.text(text).description
    }
  }
}

extension TransactionToken {
  /// What can be said about the transaction of a bad line.
  package enum Finding: Hashable, Sendable {
    /// It belongs to this one.
    case token(TransactionToken)
    /// It is one of its own.
    case none
    /// It cannot be read that far.
    case unreadable
  }

  /// Reads a token.
  static func read(_ scanner: inout JSONScanner) throws(JSONProblem) -> TransactionToken {
    let position = scanner.position
    switch scanner.current {
    case 0x22: return .text(scanner.string(try scanner.text()))
    case 0x2d, 0x30...0x39:
      let hint = "put it in quotes: any text names a transaction"
      let number: Value
      do throws(JSONProblem) {
        number = try scanner.number()
      } catch {
        var problem = error
        // A number is no more than a name here: what is said of doubles elsewhere would mislead.
        problem.hint = problem.hint == nil ? nil : hint
        throw problem
      }
      if case .int(let number) = number { return .integer(number) }
      throw JSONProblem(
        "found a number with a fraction, expected text or an integer for \"transaction\"",
        at: position, hint: hint)
    default: throw scanner.mismatch(expected: "text or an integer for \"transaction\"")
    }
  }

  /// Looks for the token of a line that is bad for another reason: a bad line takes its whole transaction
  /// with it.
  package static func find(in line: ArraySlice<UInt8>) -> Finding {
    // What was found before the line turns out to be broken counts, hence a variable outside.
    var finding = Finding.none
    do {
      try JSONScanner.scan(line) { (scanner) throws(JSONProblem) in
        guard try scanner.open(.object) else { return }
        repeat {
          let key = try scanner.key()
          if scanner.matches(key, "transaction"), finding == .none {
            finding = .token(try read(&scanner))
          } else {
            try scanner.skipValue()
          }
        } while try scanner.hasNext(in: .object)
      }
      return finding
    } catch {
      guard finding == .none else { return finding }
      var search = LenientTokenSearch(line)
      return search.token().map(Finding.token) ?? .unreadable
    }
  }
}
