import LedgerCore

extension ObservedTasks {
  /// The same tasks, with the changes that lead here from what another observation showed, of whatever query and order.
  ///
  /// It looks at every task of both.
  package func following(_ old: ObservedTasks) -> ObservedTasks {
    var before: [TaskID: (index: Int, row: TaskRow)] = [:]
    for index in old.indices {
      let row = old.rows[index]
      before[row.item.id] = (index, row)
    }
    var touched: [TaskListChanges.Touched] = []
    var untouched: [TaskListChanges.Touched] = []
    var lastIndex = -1
    var isSameOrder = true
    for index in indices {
      let row = rows[index]
      let known = before.removeValue(forKey: row.item.id)
      if let known, known.row.item == row.item {
        untouched.append(.init(old: known.row, new: row))
        isSameOrder = isSameOrder && known.index > lastIndex
        lastIndex = known.index
      } else {
        touched.append(.init(old: known?.row, new: row))
      }
    }
    touched += before.values.map { .init(old: $0.row, new: nil) }
    // In another order any of them may have to move.
    if !isSameOrder { touched += untouched }
    let changes = TaskListChanges(
      from: .init(old.rows, old.count), to: .init(rows, count), touched: touched)
    return ObservedTasks(rows, limit: count, sequence: sequence, changes: changes)
  }
}
