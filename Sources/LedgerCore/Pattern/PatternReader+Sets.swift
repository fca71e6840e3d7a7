/// Reading sets of characters, and what a backslash begins.
extension PatternReader {
  /// What a backslash and the characters after it stand for.
  private enum Escaped {
    case scalar(Unicode.Scalar)
    case set(ScalarSet.Class, isNegated: Bool)
    case assertion(PatternNode.Assertion)
  }

  mutating func escape() throws(PatternProblem) -> PatternNode {
    switch try escaped() {
    case .scalar(let scalar): .scalar(scalar)
    case .set(let kind, let isNegated): .set(ScalarSet(classes: [(kind, isNegated)]))
    case .assertion(let assertion): .assertion(assertion)
    }
  }

  private mutating func escaped() throws(PatternProblem) -> Escaped {
    let start = position
    position += 1
    guard let scalar = current else {
      throw problem(
        "found a backslash at the end", at: start, hint: "a backslash as itself is \\\\")
    }
    position += 1
    switch scalar {
    case "d", "D": return .set(.digit, isNegated: scalar == "D")
    case "w", "W": return .set(.word, isNegated: scalar == "W")
    case "s", "S": return .set(.space, isNegated: scalar == "S")
    case "b": return .assertion(.wordBorder)
    case "B": return .assertion(.noWordBorder)
    case "n": return .scalar("\n")
    case "r": return .scalar("\r")
    case "t": return .scalar("\t")
    case "f": return .scalar("\u{0c}")
    case "v": return .scalar("\u{0b}")
    case "u": return .scalar(try hexadecimal(4, at: start))
    case "x": return .scalar(try hexadecimal(2, at: start))
    default:
      guard scalar.value < 0x80, !scalar.isInWords else {
        throw problem(
          "found \\\(scalar), which is not supported", at: start,
          hint: (0x30...0x39).contains(scalar.value)
            ? "there are no references back to a group"
            : "\\d \\w \\s \\D \\W \\S \\b \\B \\n \\r \\t \\f \\v \\xHH \\uHHHH and escaped punctuation are"
        )
      }
      return .scalar(scalar)
    }
  }

  private mutating func hexadecimal(
    _ digits: Int, at start: Int
  ) throws(PatternProblem) -> Unicode.Scalar {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let scalar = current, let digit = scalar.hexadecimalDigit else {
        throw problem("found no \(digits) hexadecimal digits after \\", at: start)
      }
      value = value * 16 + digit
      position += 1
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw problem("found half of a surrogate pair", at: start, hint: "write the character itself")
    }
    return scalar
  }

  /// `[…]` or `[^…]`.
  mutating func set() throws(PatternProblem) -> ScalarSet {
    let start = position
    position += 1
    var set = ScalarSet()
    set.isNegated = take("^")
    while let scalar = current, scalar != "]" {
      let place = position
      if scalar == "[" {
        throw problem("found [ inside of [ ]", hint: "a bracket as itself is \\[")
      }
      guard let low = try member(&set) else { continue }
      // A hyphen at the end is itself.
      guard current == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
        set.ranges.append(low.value...low.value)
        continue
      }
      position += 1
      guard let high = try member(&set), low.value <= high.value else {
        throw problem(
          "found no range from a smaller to a larger character", at: place,
          hint: "a hyphen as itself is \\-")
      }
      set.ranges.append(low.value...high.value)
    }
    guard take("]") else { throw problem("found no ] for this [", at: start) }
    guard !set.ranges.isEmpty || !set.classes.isEmpty else {
      throw problem("found [ ] with nothing in it", at: start)
    }
    return set
  }

  /// A character of a set; nil where it is a class, which is added to the set.
  private mutating func member(_ set: inout ScalarSet) throws(PatternProblem) -> Unicode.Scalar? {
    let start = position
    guard let scalar = current, scalar != "\\" else {
      switch try escaped() {
      case .scalar(let scalar): return scalar
      case .set(let kind, let isNegated):
        set.classes.append((kind, isNegated))
        return nil
      case .assertion: throw problem("found a border of words inside of [ ]", at: start)
      }
    }
    position += 1
    return scalar
  }
}

extension Unicode.Scalar {
  /// The value of a hexadecimal digit.
  var hexadecimalDigit: UInt32? {
    switch value {
    case 0x30...0x39: value - 0x30
    case 0x41...0x46, 0x61...0x66: (value | 0x20) - 0x57
    default: nil
    }
  }
}
