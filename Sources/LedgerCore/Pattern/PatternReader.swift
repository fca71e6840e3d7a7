/// Reads a pattern.
///
/// Invariants:
/// - groups nest at most `nestingMax` deep, so recursion is bounded;
/// - what is not understood is refused with its place, never taken for something else.
struct PatternReader {
  /// How deep groups may nest.
  static let nestingMax = 50
  /// The largest number in `{m,n}`.
  static let countMax = 1000

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  /// Whether it starts with `(?i)`.
  private(set) var foldsCase = false

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The whole pattern.
  mutating func read() throws(PatternProblem) -> PatternNode {
    if scalars.starts(with: "(?i)".unicodeScalars) {
      foldsCase = true
      position = 4
    }
    let node = try alternatives()
    guard position == scalars.count else {
      throw problem("found a ) that closes nothing", hint: "a bracket as itself is \\)")
    }
    return node
  }

  private var current: Unicode.Scalar? {
    position < scalars.count ? scalars[position] : nil
  }

  private func problem(
    _ sentence: String, at place: Int? = nil, hint: String? = nil
  ) -> PatternProblem {
    PatternProblem(place: place ?? position, sentence: sentence, hint: hint)
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    position += 1
    return true
  }

  private mutating func alternatives() throws(PatternProblem) -> PatternNode {
    var nodes = [try sequence()]
    while take("|") { nodes.append(try sequence()) }
    return nodes.count == 1 ? nodes[0] : .alternatives(nodes)
  }

  private mutating func sequence() throws(PatternProblem) -> PatternNode {
    var nodes: [PatternNode] = []
    while let scalar = current, scalar != "|", scalar != ")" {
      nodes.append(try repeated())
    }
    return .sequence(nodes)
  }

  private mutating func repeated() throws(PatternProblem) -> PatternNode {
    let start = position
    let node = try single()
    let result: PatternNode
    switch current {
    case "*": result = .repetitionFrom(node, 0)
    case "+": result = .repetitionFrom(node, 1)
    case "?": result = .repetition(node, 0...1)
    case "{": result = try counted(node)
    default: return node
    }
    if case .assertion = node { throw problem("found nothing to repeat", at: start) }
    position += 1
    // Whether as much or as little as possible is taken makes no difference to whether there is a match.
    _ = take("?")
    if let scalar = current, "*+?{".unicodeScalars.contains(scalar) {
      throw problem(
        "found \(scalar) after a repetition", hint: "put what is to be repeated in (?:…)")
    }
    return result
  }

  /// `{m}`, `{m,}` or `{m,n}`, up to its last character.
  private mutating func counted(_ node: PatternNode) throws(PatternProblem) -> PatternNode {
    let start = position
    position += 1
    let least = try count()
    guard take(",") else {
      guard current == "}" else { throw problem("found no } after {") }
      return .repetition(node, least...least)
    }
    if current == "}" { return .repetitionFrom(node, least) }
    let most = try count()
    guard current == "}" else { throw problem("found no } after {") }
    guard least <= most else {
      throw problem("found {\(least),\(most)}, expected the smaller number first", at: start)
    }
    return .repetition(node, least...most)
  }

  private mutating func count() throws(PatternProblem) -> Int {
    let start = position
    var value = 0
    while let scalar = current, (0x30...0x39).contains(scalar.value) {
      value = min(value * 10 + Int(scalar.value - 0x30), Self.countMax + 1)
      position += 1
    }
    guard position > start else {
      throw problem("found no number after {", hint: "a brace as itself is \\{")
    }
    guard value <= Self.countMax else {
      throw problem("a repetition is counted to more than \(Self.countMax)", at: start)
    }
    return value
  }

  /// What a repetition repeats.
  private mutating func single() throws(PatternProblem) -> PatternNode {
    guard let scalar = current else { throw problem("found the end of the pattern") }
    switch scalar {
    case "(": return try group()
    case "[": return .set(try set())
    case ".":
      position += 1
      return .any
    case "^":
      position += 1
      return .assertion(.start)
    case "$":
      position += 1
      return .assertion(.end)
    case "*", "+", "?", "{":
      throw problem("found nothing to repeat", hint: "\(scalar) as itself is \\\(scalar)")
    case "\\": return try escape()
    default:
      position += 1
      return .scalar(scalar)
    }
  }

  private mutating func group() throws(PatternProblem) -> PatternNode {
    let start = position
    position += 1
    if take("?"), !take(":") {
      throw problem(
        "found (?\(current.map(String.init) ?? ""), which is not supported", at: start,
        hint: "groups are (…) or (?:…), and (?i) may stand at the beginning; there is no looking ahead or back")
    }
    depth += 1
    guard depth <= Self.nestingMax else {
      throw problem("groups nest more than \(Self.nestingMax) deep", at: start)
    }
    let node = try alternatives()
    depth -= 1
    guard take(")") else { throw problem("found no ) for this (", at: start) }
    return node
  }
}

extension PatternReader {
  /// What a backslash and the characters after it stand for.
  private enum Escaped {
    case scalar(Unicode.Scalar)
    case set(ScalarSet.Class, isNegated: Bool)
    case assertion(PatternNode.Assertion)
  }

  private mutating func escape() throws(PatternProblem) -> PatternNode {
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
            : "\\d \\w \\s \\D \\W \\S \\b \\B \\n \\r \\t \\f \\v \\xHH \\uHHHH and escaped punctuation are")
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
  private mutating func set() throws(PatternProblem) -> ScalarSet {
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
