/// Which characters a place of a pattern takes: ranges of scalars and classes, or everything else.
struct ScalarSet: Sendable {
  /// What `\d`, `\w` and `\s` stand for; in capitals, everything else.
  enum Class: Sendable {
    case digit
    case word
    case space

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .digit: (0x30...0x39).contains(scalar.value)
      case .word: scalar.isInWords
      case .space: scalar.properties.isWhitespace
      }
    }
  }

  var ranges: [ClosedRange<UInt32>] = []
  var classes: [(kind: Class, isNegated: Bool)] = []
  var isNegated = false

  /// - Parameter foldsCase: whether a letter counts as its other case, too.
  func contains(_ scalar: Unicode.Scalar, foldsCase: Bool) -> Bool {
    var isIn = holds(scalar)
    if foldsCase, !isIn {
      isIn = holds(scalar.inLowerCase) || holds(scalar.inUpperCase)
    }
    return isIn != isNegated
  }

  private func holds(_ scalar: Unicode.Scalar) -> Bool {
    ranges.contains { $0.contains(scalar.value) }
      || classes.contains { $0.kind.contains(scalar) != $0.isNegated }
  }
}

extension Unicode.Scalar {
  /// Whether it is a letter, a mark, a number or an underscore.
  package var isInWords: Bool {
    if value < 0x80 {
      return (0x30...0x39).contains(value) || value == 0x5f
        || (0x61...0x7a).contains(value | 0x20)
    }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      return true
    default: return false
    }
  }

  /// The same letter in lower case, where that is one scalar.
  var inLowerCase: Unicode.Scalar {
    if value < 0x80 {
      return (0x41...0x5a).contains(value) ? Unicode.Scalar(UInt8(value) | 0x20) : self
    }
    let mapping = properties.lowercaseMapping.unicodeScalars
    return mapping.count == 1 ? mapping.first ?? self : self
  }

  /// The same letter in upper case, where that is one scalar.
  var inUpperCase: Unicode.Scalar {
    if value < 0x80 {
      return (0x61...0x7a).contains(value) ? Unicode.Scalar(UInt8(value) & 0xdf) : self
    }
    let mapping = properties.uppercaseMapping.unicodeScalars
    return mapping.count == 1 ? mapping.first ?? self : self
  }
}
