import BenchSupport

/// Words as bytes, cut once when the program starts, the likely ones first.
struct WordList {
  private let words: [[UInt8]]

  /// - Parameter text: The words, one between two bars.
  init(_ text: String) {
    words = text.split(separator: "|").map { Array($0.utf8) }
  }

  var count: Int { words.count }

  subscript(index: Int) -> [UInt8] { words[index] }

  func pick(_ random: inout SplitMix64) -> [UInt8] {
    words[random.skewed(words.count)]
  }
}
