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

/// What became of a stream.
@dynamicMemberLookup struct Applied {
  var summary = Applier.Summary()
  /// The errors of its bad lines, as they were handed out.
  var errors: [LedgerError] = []

  subscript<T>(dynamicMember path: KeyPath<Applier.Summary, T>) -> T { summary[keyPath: path] }
}

extension Ledger {
  /// Applies lines, all of them or up to the first bad one.
  @discardableResult
  func apply(
    _ lines: some Sequence<LineSplitter.Line>, continues: Bool = false
  ) throws -> Applied {
    var applied = Applied()
    let applier = Applier(self, continues: continues) { applied.errors.append($0) }
    for line in lines where try !applier.add(line) { break }
    applied.summary = try applier.finish()
    return applied
  }
}
