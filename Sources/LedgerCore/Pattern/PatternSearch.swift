/// Runs a program over a text: all ways to match advance together, character by character (Thompson's construction).
///
/// Invariants:
/// - an instruction is visited at most once at each place of the text, so that the work is bounded by the length of the text
///   times that of the program, whatever the pattern;
/// - memory is proportional to the program.
struct PatternSearch {
  private let program: PatternProgram
  /// The instructions that take the next character.
  private var waiting: [Int] = []
  /// The place of the text at which an instruction was visited last.
  private var visited: [Int]
  private var stack: [Int] = []
  /// How many instructions were visited.
  private(set) var steps = 0

  init(_ program: PatternProgram) {
    self.program = program
    visited = Array(repeating: -1, count: program.instructions.count)
  }

  /// Whether the pattern matches anywhere in a text.
  mutating func finds(in text: String) -> Bool {
    var previous: Unicode.Scalar?
    var place = 0
    var ahead = text.unicodeScalars.makeIterator()
    var current = ahead.next()
    var next: [Int] = []
    while true {
      waiting.removeAll(keepingCapacity: true)
      for start in next where visit(start, place, previous, current) { return true }
      if place == 0 || !program.isAnchored {
        if visit(0, place, previous, current) { return true }
      } else if waiting.isEmpty {
        return false
      }
      guard let scalar = current else { return false }
      next.removeAll(keepingCapacity: true)
      let folded = program.foldsCase ? scalar.inLowerCase : scalar
      for index in waiting where takes(index, scalar, folded) { next.append(index + 1) }
      previous = scalar
      current = ahead.next()
      place += 1
    }
  }

  private func takes(_ index: Int, _ scalar: Unicode.Scalar, _ folded: Unicode.Scalar) -> Bool {
    switch program.instructions[index] {
    case .scalar(let wanted): wanted == folded
    case .any: scalar != "\n"
    case .set(let set): set.contains(scalar, foldsCase: program.foldsCase)
    default: false
    }
  }

  /// Follows all ways from an instruction that take no character.
  ///
  /// - Returns: whether one of them is a match.
  private mutating func visit(
    _ start: Int, _ place: Int, _ previous: Unicode.Scalar?, _ next: Unicode.Scalar?
  ) -> Bool {
    stack.append(start)
    while let index = stack.popLast() {
      guard visited[index] != place else { continue }
      visited[index] = place
      steps += 1
      switch program.instructions[index] {
      case .scalar, .any, .set: waiting.append(index)
      case .jump(let target): stack.append(target)
      case .either(let first, let second):
        stack.append(second)
        stack.append(first)
      case .assertion(let assertion):
        if Self.holds(assertion, previous, next) { stack.append(index + 1) }
      case .match:
        stack.removeAll()
        return true
      }
    }
    return false
  }

  private static func holds(
    _ assertion: PatternNode.Assertion, _ previous: Unicode.Scalar?, _ next: Unicode.Scalar?
  ) -> Bool {
    let isBorder = (previous?.isInWords ?? false) != (next?.isInWords ?? false)
    return switch assertion {
    case .start: previous == nil
    case .end: next == nil
    case .wordBorder: isBorder
    case .noWordBorder: !isBorder
    }
  }
}
