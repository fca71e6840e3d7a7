/// A pattern as a program for `PatternSearch`: each instruction takes a character, or leads on without one.
///
/// Invariants:
/// - it has at most `instructionsMax` instructions, the last of which is `match`;
/// - every place that an instruction leads to is in the program.
struct PatternProgram: Sendable {
  enum Instruction: Sendable {
    case scalar(Unicode.Scalar)
    case any
    case set(ScalarSet)
    case assertion(PatternNode.Assertion)
    case either(Int, Int)
    case jump(Int)
    case match
  }

  /// How many instructions there may be; the work for a text is at most proportional to them for each character.
  static let instructionsMax = 2000

  private(set) var instructions: [Instruction] = []
  /// Whether letters count as their other case, too.
  let foldsCase: Bool

  init(_ text: String) throws(PatternProblem) {
    var reader = PatternReader(text)
    let node = try reader.read()
    foldsCase = reader.foldsCase
    try emit(node)
    try append(.match)
  }

  /// Whether a match can only begin where the text begins.
  var isAnchored: Bool {
    if case .assertion(.start) = instructions[0] { true } else { false }
  }

  private mutating func append(_ instruction: Instruction) throws(PatternProblem) {
    guard instructions.count < Self.instructionsMax else {
      throw PatternProblem(
        place: nil,
        sentence:
          "it needs more than \(Self.instructionsMax) steps when its repetitions are written out",
        hint: "count to smaller numbers")
    }
    instructions.append(instruction)
  }

  private mutating func emit(_ node: PatternNode) throws(PatternProblem) {
    switch node {
    case .scalar(let scalar): try append(.scalar(foldsCase ? scalar.inLowerCase : scalar))
    case .any: try append(.any)
    case .set(let set): try append(.set(set))
    case .assertion(let assertion): try append(.assertion(assertion))
    case .sequence(let nodes): for node in nodes { try emit(node) }
    case .alternatives(let nodes): try emit(alternatives: nodes)
    case .repetition(let node, let count):
      guard try emit(node, times: count.lowerBound) else { return }
      var exits: [Int] = []
      for _ in count.lowerBound..<count.upperBound {
        exits.append(instructions.count)
        try append(.jump(0))
        let start = instructions.count
        try emit(node)
        guard instructions.count > start else { break }
      }
      for exit in exits { instructions[exit] = .either(exit + 1, instructions.count) }
    case .repetitionFrom(let node, let least):
      guard try emit(node, times: least) else { return }
      let start = instructions.count
      try append(.jump(0))
      try emit(node)
      try append(.jump(start))
      instructions[start] = .either(start + 1, instructions.count)
    }
  }

  /// - Returns: whether there is anything to it: what is empty needs no repeating, however often.
  private mutating func emit(
    _ node: PatternNode, times: Int
  ) throws(PatternProblem) -> Bool {
    for _ in 0..<times {
      let start = instructions.count
      try emit(node)
      if instructions.count == start { return false }
    }
    return true
  }

  private mutating func emit(alternatives nodes: [PatternNode]) throws(PatternProblem) {
    var exits: [Int] = []
    for node in nodes.dropLast() {
      let start = instructions.count
      try append(.jump(0))
      try emit(node)
      exits.append(instructions.count)
      try append(.jump(0))
      instructions[start] = .either(start + 1, instructions.count)
    }
    if let last = nodes.last { try emit(last) }
    for exit in exits { instructions[exit] = .jump(instructions.count) }
  }
}
