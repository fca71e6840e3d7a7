import LedgerCore

extension TaskListChanges {
  /// What leads from the first `limit` rows of one list to those of another.
  ///
  /// The work follows the number of tasks that were touched, and the logarithm of the lists' length.
  ///
  /// - Parameter touched: every task that may differ between the two, with its row in the old list.
  init(from old: TaskRows, to new: TaskRows, touched: [Touched], limit: Int) {
    self.init(from: Window(old, limit), to: Window(new, limit), touched: touched)
  }

  /// What leads from the first rows of one list to those of another.
  ///
  /// The lists may be of different orders, as long as the tasks that were not touched stand in the same one.
  init(from old: Window, to new: Window, touched: [Touched]) {
    let lists = (old: old, new: new)
    var kept: [(from: Int, to: Int)] = []
    var fromsTouched: [Int] = []
    var tosTouched: [Int] = []
    for task in touched {
      let from = task.old.flatMap { lists.old.index(of: $0) }
      let to = task.new.flatMap { lists.new.index(of: $0) }
      if let from { fromsTouched.append(from) }
      if let to { tosTouched.append(to) }
      switch (from, to) {
      case (let from?, let to?):
        kept.append((from, to))
        if task.old?.item != task.new?.item { updates.append(to) }
      case (let from?, nil): deletions.append(from)
      case (nil, let to?): insertions.append(to)
      case (nil, nil): break
      }
    }
    fromsTouched.sort()
    tosTouched.sort()
    findMoves(kept, fromsTouched, tosTouched)
    // Rows that nobody touched can have come in at the end of the window, or gone out of it.
    let untouched = (
      old: lists.old.count - fromsTouched.count, new: lists.new.count - tosTouched.count
    )
    deletions += Self.last(untouched.old - untouched.new, of: lists.old.count, but: fromsTouched)
    insertions += Self.last(untouched.new - untouched.old, of: lists.new.count, but: tosTouched)
    deletions.sort()
    insertions.sort()
    updates.sort()
  }

  /// A task that may differ.
  struct Touched {
    var old: TaskRow?
    var new: TaskRow?
  }

  /// The first rows of a list.
  struct Window {
    private let rows: TaskRows
    let count: Int

    init(_ rows: TaskRows, _ limit: Int) {
      self.rows = rows
      count = min(limit, rows.count)
    }

    /// The index of a row that is in the list; nil when it lies behind the window.
    func index(of row: TaskRow) -> Int? {
      let rank = rows.find(row.place).rank
      return rank < count ? rank : nil
    }
  }

  /// Finds the fewest of the tasks that are in both lists that have to move: the others keep their order, among themselves and
  /// among those that nobody touched.
  private mutating func findMoves(
    _ kept: [(from: Int, to: Int)], _ fromsTouched: [Int], _ tosTouched: [Int]
  ) {
    var staying: [(from: Int, to: Int)] = []
    for (from, to) in kept {
      // So many that nobody touched stand before it.
      let before = from - fromsTouched.countBelow(from)
      let after = to - tosTouched.countBelow(to)
      if before == after {
        staying.append((from, to))
      } else {
        moves.append(Move(from: from, to: to))
      }
    }
    staying.sort { $0.from < $1.from }
    let order = Self.longestAscent(staying.map(\.to))
    for (index, task) in staying.enumerated() where !order.contains(index) {
      moves.append(.init(from: task.from, to: task.to))
    }
    moves.sort { $0.to < $1.to }
  }

  /// The indexes of a longest ascending selection of distinct numbers.
  private static func longestAscent(_ numbers: [Int]) -> Set<Int> {
    // The last index of the best selection of each length, and what stands before each in its selection.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      let length = ends.prefixCount { numbers[$0] < number }
      previous[index] = length > 0 ? ends[length - 1] : nil
      if length < ends.count { ends[length] = index } else { ends.append(index) }
    }
    var chosen: Set<Int> = []
    var next = ends.last
    while let index = next {
      chosen.insert(index)
      next = previous[index]
    }
    return chosen
  }

  /// The last `wanted` indexes below `count` that are not among others, which ascend.
  private static func last(_ wanted: Int, of count: Int, but others: [Int]) -> [Int] {
    guard wanted > 0 else { return [] }
    var found: [Int] = []
    var index = count - 1
    var other = others.count - 1
    while found.count < wanted, index >= 0 {
      if other >= 0, others[other] == index { other -= 1 } else { found.append(index) }
      index -= 1
    }
    return found
  }
}

extension [Int] {
  /// How many of these ascending numbers are below another.
  fileprivate func countBelow(_ number: Int) -> Int { prefixCount { $0 < number } }
}
