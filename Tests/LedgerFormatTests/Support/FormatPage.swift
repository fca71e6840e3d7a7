import Foundation

/// The format page, taken apart: its dumps in hexadecimal and its tables.
struct FormatPage {
  var lines: [String]

  /// The page as it stands in the source tree.
  init() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let page = tests.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/LedgerFormat/LedgerFormat.docc/Format.md")
    lines = try String(contentsOf: page, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
  }

  /// The numbers of the lines of a dump that hold bytes: those after its title, `name: count bytes`.
  func linesOfDump(_ name: String) -> Range<Int> {
    guard let title = lines.firstIndex(where: { $0.hasPrefix("\(name): ") }) else { return 0..<0 }
    let end = lines[title...].firstIndex { $0.hasPrefix("```") } ?? lines.count
    return title + 1..<end
  }

  /// The bytes of a dump; nil unless its offsets and its length are what they say.
  func dump(_ name: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    let range = linesOfDump(name)
    for line in lines[range] {
      let parts = line.split(separator: " ")
      guard let offset = parts.first.flatMap({ Int($0, radix: 16) }), offset == bytes.count else {
        return nil
      }
      for part in parts.dropFirst() {
        guard part.count == 2, let byte = UInt8(part, radix: 16) else { return nil }
        bytes.append(byte)
      }
    }
    guard !range.isEmpty, lines[range.lowerBound - 1] == "\(name): \(bytes.count) bytes" else {
      return nil
    }
    return bytes
  }

  /// The rows of a number of columns of the first table that follows a line.
  func table(after heading: String) -> [[String]] {
    guard let start = lines.firstIndex(of: heading),
      let first = lines[start...].firstIndex(where: { $0.hasPrefix("|---") })
    else { return [] }
    let rows = lines[(first + 1)...].prefix { $0.hasPrefix("|") }
    return rows.map { row in
      row.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }
}
