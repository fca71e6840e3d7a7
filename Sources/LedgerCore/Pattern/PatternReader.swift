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

  let scalars: [Unicode.Scalar]
  var position = 0
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

  var current: Unicode.Scalar? {
    position < scalars.count ? scalars[position] : nil
  }

  func problem(
    _ sentence: String, at place: Int? = nil, hint: String? = nil
  ) -> PatternProblem {
    PatternProblem(place: place ?? position, sentence: sentence, hint: hint)
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
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
        hint:
          "groups are (…) or (?:…), and (?i) may stand at the beginning; there is no looking ahead or back"
      )
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
