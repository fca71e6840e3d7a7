import LedgerCore

extension FoldedState {
  /// Calls `body` for every task that is not the same in another state, in order of ids, with its place here and there; nil
  /// where it does not exist. Ends when `body` returns false.
  ///
  /// Two states that were folded with one table of fields are compared by their bytes: what is the same costs little.
  ///
  /// - Returns: how many tasks are the same.
  @discardableResult
  package func forEachDifference<Failure: Error>(
    to other: FoldedState, _ body: (_ here: Int?, _ there: Int?) throws(Failure) -> Bool
  ) throws(Failure) -> Int {
    var comparison = RowComparison(self, other)
    var (here, there, same) = (0, 0, 0)
    while here < count || there < other.count {
      if here < count, there < other.count, comparison.areSame(here, there) {
        (here, there, same) = (here + 1, there + 1, same + 1)
        continue
      }
      let order = comparison.order(here, there)
      guard try body(order <= 0 ? here : nil, order >= 0 ? there : nil) else { return same }
      if order <= 0 { here += 1 }
      if order >= 0 { there += 1 }
    }
    return same
  }
}

/// Compares rows of two states.
private struct RowComparison {
  private let here: FoldedState
  private let there: FoldedState
  private let haveSameFields: Bool
  private var left: [UInt8] = []
  private var right: [UInt8] = []

  init(_ here: FoldedState, _ there: FoldedState) {
    self.here = here
    self.there = there
    haveSameFields = here.fields === there.fields
  }

  /// Whether two rows are the same task with the same document.
  mutating func areSame(_ i: Int, _ j: Int) -> Bool {
    if haveSameFields, here.row(i).elementsEqual(there.row(j)) { return true }
    guard here.id(at: i) == there.id(at: j) else { return false }
    // A field that is set to its default, or the same text in another encoding, reads the same.
    left.removeAll(keepingCapacity: true)
    right.removeAll(keepingCapacity: true)
    RowJSONWriter(here.fields).append(here.row(i), to: &left)
    RowJSONWriter(there.fields).append(there.row(j), to: &right)
    return left == right
  }

  /// Below 0 when the task here comes first, above when that there does; a state that is at its end comes last.
  func order(_ i: Int, _ j: Int) -> Int {
    guard i < here.count else { return 1 }
    guard j < there.count else { return -1 }
    let (a, b) = (here.id(at: i), there.id(at: j))
    return a == b ? 0 : a < b ? -1 : 1
  }
}
