/// A pattern as it was read.
indirect enum PatternNode: Sendable {
  /// A condition on a place between two characters.
  enum Assertion: Sendable {
    case start
    case end
    case wordBorder
    case noWordBorder
  }

  case scalar(Unicode.Scalar)
  /// Any character but a line feed.
  case any
  case set(ScalarSet)
  case assertion(Assertion)
  case sequence([PatternNode])
  case alternatives([PatternNode])
  case repetition(PatternNode, ClosedRange<Int>)
  /// So many times or more.
  case repetitionFrom(PatternNode, Int)
}

/// Why a text is no pattern.
struct PatternProblem: Error {
  /// The place in the pattern, in Unicode scalars from 0; nil where the whole is to blame.
  var place: Int?
  var sentence: String
  var hint: String?
}
