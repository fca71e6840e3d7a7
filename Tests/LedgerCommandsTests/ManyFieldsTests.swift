import Foundation
import Testing

@testable import LedgerCommands

/// Tasks with more fields than anybody has. The program has a gigabyte of address space, of which it and its libraries take a part.
@Suite(.enabled(if: Executable.path != nil, "the program is not beside the tests"))
struct `Very many fields` {
  #if os(Linux)
    private static let limited = "ulimit -v 1048576; "

    /// A line that sets so many fields.
    private static func line(_ count: Int, task: String = "x", from first: Int = 0) -> String {
      "{\"kind\":\"upsert\",\"task\":\"\(task)\",\"set\":{"
        + (first..<first + count).map { "\"f\($0)\":1" }.joined(separator: ",") + "}}\n"
    }

    private func shell(input: String, _ line: String) throws -> Shell.Result {
      let shell = try Shell()
      try #require(try shell("ledger init").exit == 0)
      try input.write(toFile: "\(shell.folder)/lines", atomically: true, encoding: .utf8)
      return try shell(Self.limited + line)
    }

    @Test func `in one task, a million of them, are a bad line`() throws {
      let result = try shell(input: Self.line(1_000_000), "ledger apply lines")
      #expect(result.exit == 65)
      #expect(result.errors.contains("line 1"), "\(result.errors.prefix(300))")
    }

    @Test func `with names of their own over many tasks are kept`() throws {
      let lines = (0..<40).map { Self.line(500, task: "task-\($0)", from: 500 * $0) }
      let result = try shell(
        input: lines.joined(),
        "ledger apply lines && ledger snapshot && ledger verify && ledger get task-39 | wc -c")
      #expect(result.exit == 0, "\(result.errors.prefix(300))")
    }
  #endif
}
