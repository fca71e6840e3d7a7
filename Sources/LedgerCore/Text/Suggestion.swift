/// What somebody may have meant.
package enum Suggestion {
  /// The known words closest to a mistyped one, at most three, the closest first; empty when none is close.
  package static func closest(to word: String, among known: [String]) -> [String] {
    let word = Array(word.utf8)
    // One slip in a short word, two in a longer one: more would suggest what has nothing to do with it.
    let limit = word.count < 6 ? 1 : 2
    let ranked = known.compactMap { candidate -> (word: String, slips: Int)? in
      let bytes = Array(candidate.utf8)
      if word.count >= 3, bytes.starts(with: word) { return (candidate, 0) }
      let slips = distance(word, bytes)
      return slips <= limit ? (candidate, slips) : nil
    }
    let best = ranked.map(\.slips).min()
    return ranked.filter { $0.slips == best }.prefix(3).map(\.word)
  }

  /// A hint that asks whether one of these was meant.
  package static func sentence(_ meant: [String], else other: String) -> String {
    guard !meant.isEmpty else { return other }
    return "did you mean \(meant.map { "`\($0)`" }.joined(separator: " or "))?"
  }

  /// How many letters must be added, removed, changed or swapped with their neighbour to make one word of the other
  /// (optimal string alignment).
  package static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for i in 0..<left.count {
      var row = [i + 1]
      for j in 0..<right.count {
        let change = last[j] + (left[i] == right[j] ? 0 : 1)
        var best = min(change, last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          best = min(best, beforeLast[j - 1] + 1)
        }
        row.append(best)
      }
      (beforeLast, last) = (last, row)
    }
    return last[right.count]
  }
}
