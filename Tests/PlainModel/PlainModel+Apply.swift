/// `ledger apply`: lines become transactions.
extension PlainModel {
  package struct Applied: Equatable, Sendable {
    /// The number of events that were appended.
    package var events = 0
    /// The number of good lines whose transaction changed nothing or was appended.
    package var linesIn = 0
    /// The good lines among them that changed nothing.
    package var linesWithoutChange = 0
    /// The numbers of the bad lines that were met, one per transaction.
    package var badLines: [Int] = []

    package init(
      events: Int = 0, linesIn: Int = 0, linesWithoutChange: Int = 0, badLines: [Int] = []
    ) {
      self.events = events
      self.linesIn = linesIn
      self.linesWithoutChange = linesWithoutChange
      self.badLines = badLines
    }
  }

  /// Applies lines until the first bad one; with `continuing` drops its transaction and goes on.
  ///
  /// Consecutive lines with the same transaction token are one transaction, a line without one is
  /// its own. A bad line whose token cannot be read stands alone, unless lines of one transaction
  /// stand on both sides of it; where the run stops at it, nobody looks at what follows, and a
  /// transaction just before it may go on behind it, so it stays out.
  @discardableResult
  package mutating func apply(_ lines: [PlainLines.Line], now: Int64, continuing: Bool = false)
    -> Applied
  {
    var applied = Applied()
    var rest = lines[...]
    var followsUnreadable = false
    while let first = rest.first {
      var group = rest.prefix(1)
      if let token = first.transaction {
        group = rest.prefix { $0.transaction == token || $0.isUnreadable }
      }
      let mayBeCut = followsUnreadable && first.transaction != nil
      followsUnreadable = group.last?.isUnreadable == true
      rest = rest.dropFirst(group.count)
      if mayBeCut {
        applied.badLines.append(first.number)
      } else if let bad = run(group, now: now, &applied) {
        applied.badLines.append(bad)
        if !continuing { break }
      }
    }
    return applied
  }

  /// Runs the lines of one transaction. Returns the number of its first bad line.
  private mutating func run(
    _ group: ArraySlice<PlainLines.Line>, now: Int64, _ applied: inout Applied
  ) -> Int? {
    let commands = group.prefix { $0.command != nil }.map { $0.command! }
    guard commands.count == group.count else {
      // One of the commands before the bad line may be refused, and is the first bad line then.
      var copy = self
      if case .refused(let index, _) = copy.run(transaction: commands, now: now) {
        return group[group.startIndex + index].number
      }
      return group[group.startIndex + commands.count].number
    }
    switch run(transaction: commands, now: now) {
    case .refused(let index, _): return group[group.startIndex + index].number
    case .done(let outcomes):
      applied.linesIn += outcomes.count
      applied.linesWithoutChange += outcomes.count { $0 == .nothing }
      applied.events += outcomes.count { $0 != .nothing }
      return nil
    }
  }
}
