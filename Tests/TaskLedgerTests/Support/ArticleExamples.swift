import Foundation

/// The Swift of an article, to be compared with the test in which it is compiled and run.
enum ArticleExamples {
  /// The lines of an article's examples that a source file does not hold; indentation aside.
  static func linesMissing(
    of article: String, from module: String = "TaskLedger", in source: String = #filePath
  ) throws -> [String] {
    let root = source.range(of: "/Tests/").map { String(source[..<$0.lowerBound]) } ?? ""
    let path = "\(root)/Sources/\(module)/\(module).docc/\(article).md"
    let page = try String(contentsOfFile: path, encoding: .utf8)
    let test = try String(contentsOfFile: source, encoding: .utf8)
    let known = Set(test.split(separator: "\n").map { code($0) })
    var isExample = false
    var missing: [String] = []
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isExample = line == "```swift"
      } else if isExample, !known.contains(code(line)) {
        missing.append(String(line))
      }
    }
    return missing.filter { !code($0).isEmpty }
  }

  /// A line without its comment, and without the spaces around it.
  private static func code(_ line: some StringProtocol) -> String {
    let end = line.range(of: "//")?.lowerBound ?? line.endIndex
    return line[..<end].trimmingCharacters(in: .whitespaces)
  }
}
