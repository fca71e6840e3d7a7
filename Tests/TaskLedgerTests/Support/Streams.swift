import LedgerFormat

@testable import TaskLedger

/// Lines for an applier.
enum Lines {
  static func split(_ bytes: [UInt8]) throws -> [LineSplitter.Line] {
    var splitter = LineSplitter()
    splitter.append(bytes[...])
    splitter.finish()
    var lines: [LineSplitter.Line] = []
    while let line = try splitter.next() { lines.append(line) }
    return lines
  }

  static func split(_ texts: [String]) throws -> [LineSplitter.Line] {
    try split(Array(texts.joined(separator: "\n").utf8))
  }
}

extension Ledger {
  /// Applies lines, all of them or up to the first bad one.
  @discardableResult
  func apply(
    _ lines: some Sequence<LineSplitter.Line>, continues: Bool = false
  ) throws -> Applier.Summary {
    // The summary keeps the first of very many errors only.
    var errors: [LedgerError] = []
    let applier = Applier(self, continues: continues) { errors.append($0) }
    for line in lines where try !applier.add(line) { break }
    var summary = try applier.finish()
    summary.errors = errors
    return summary
  }
}
