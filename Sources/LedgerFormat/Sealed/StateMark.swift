import LedgerCore

/// What a snapshot says of the state that its events add up to.
package struct StateMark: Hashable, Sendable {
  /// How many tasks exist.
  package var tasks: UInt64
  /// The state digest.
  package var digest: Digest
  /// The version of the folding rules by which it was made, as ``TaskState/rulesVersion``.
  package var rules: UInt64

  package init(tasks: UInt64, digest: Digest, rules: UInt64 = TaskState.rulesVersion) {
    self.tasks = tasks
    self.digest = digest
    self.rules = rules
  }
}

/// The events that a snapshot stands for, of which it holds only what still counts.
package struct StateSpan: Sendable {
  /// The last of them; the first is event 1.
  package var horizon: UInt64
  /// The oldest and newest stamps of all of them.
  package var oldest: Stamp
  package var newest: Stamp

  package init(horizon: UInt64, oldest: Stamp, newest: Stamp) {
    self.horizon = horizon
    self.oldest = oldest
    self.newest = newest
  }
}

extension [UInt8] {
  mutating func append(stateMark mark: StateMark) {
    append(varint: mark.tasks)
    append(digest: mark.digest)
    append(varint: mark.rules)
  }
}

extension ByteReader {
  mutating func stateMark() throws(LedgerError) -> StateMark {
    StateMark(tasks: try varint(), digest: try digest(), rules: try varint())
  }
}
