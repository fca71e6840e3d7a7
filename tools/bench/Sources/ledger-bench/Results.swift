import BenchSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where results are kept: one line a row and run, added at the end and never changed.
struct Results {
  let path: String

  /// - Parameter arguments: `--results FILE`, else `results.ndjson` in this package; nil under `--unrecorded`.
  init?(_ arguments: Arguments) throws {
    if arguments.has("--unrecorded") { return nil }
    path = try arguments.text("--results") ?? Self.usualPath()
  }

  /// In the package that this program was built in.
  static func usualPath() throws -> String {
    guard let package = Programs.ancestor(with: "Sources/ledger-bench") else {
      throw BenchError.usage(
        "this program lies outside of its package: name a file with --results, or say --unrecorded")
    }
    return package + "/results.ndjson"
  }

  func add(_ line: ResultLine) throws {
    guard let file = fopen(path, "a") else { throw BenchError.system("open", path) }
    defer { fclose(file) }
    guard fputs(line.json + "\n", file) >= 0 else { throw BenchError.system("write to", path) }
  }

  static func now() -> String { Date().formatted(.iso8601) }
}

/// `ledger-bench report`: the newest result of each row, and how it stands beside the one before.
enum ReportCommand {
  static let usage = "report [FILE]"

  static func run(_ words: [String]) throws {
    let positional = try Arguments(words, options: []).positional
    guard positional.count < 2 else { throw BenchError.usage("usage: ledger-bench \(usage)") }
    let path = try positional.first ?? Results.usualPath()
    var lines: [ResultLine] = []
    try MappedFile(path: path).forEachLine { line in
      if !line.isEmpty { lines.append(try ResultLine(line)) }
    }
    let page = ResultsPage(lines)
    print(page.markdown, terminator: "")
    for slip in page.slips { note("slower in every round than the run before: \(slip)") }
  }
}
