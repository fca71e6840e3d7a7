/// The difference between two texts, line by line, for the eye.
enum TextDiff {
  /// The lines that differ with two lines around them; - is expected, + is found.
  static func text(expected: String, found: String) -> String {
    let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let new = found.split(separator: "\n", omittingEmptySubsequences: false)
    let changes = new.difference(from: old)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in changes {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines: [(mark: String, text: Substring)] = []
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      if i < old.count, removed.contains(i) {
        lines.append(("- ", old[i]))
        i += 1
      } else if j < new.count, inserted.contains(j) {
        lines.append(("+ ", new[j]))
        j += 1
      } else {
        lines.append(("  ", new[j]))
        i += 1
        j += 1
      }
    }
    return excerpt(lines)
  }

  private static func excerpt(_ lines: [(mark: String, text: Substring)]) -> String {
    let changed = lines.indices.filter { lines[$0].mark != "  " }
    let shown = Set(changed.flatMap { ($0 - 2)...($0 + 2) })
    var result = ""
    for index in lines.indices {
      if shown.contains(index) {
        result += lines[index].mark + lines[index].text + "\n"
      } else if shown.contains(index - 1) {
        result += "  …\n"
      }
    }
    return result
  }
}
