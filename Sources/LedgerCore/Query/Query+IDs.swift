extension Query {
  /// The only tasks that can meet the query, where it names them by `_id` and nothing else lets others in; in order. To look at
  /// these few costs less than to look at all.
  package var onlyIDs: [TaskID]? {
    guard let last = nodes.last else { return nil }
    if nodes.count == 1, case .test(let test) = last { return test.onlyIDs }
    guard case .all = last else { return nil }
    let tree = QueryTree(self)
    for (index, node) in nodes.enumerated() where tree.parent[index] == nodes.count - 1 {
      if case .test(let test) = node, let ids = test.onlyIDs { return ids }
    }
    return nil
  }
}

extension QueryTest {
  /// With more ids than this, all tasks are looked at.
  private static let idsMax = 64

  fileprivate var onlyIDs: [TaskID]? {
    switch self {
    case .comparison(let name, .equal, .value(let value)) where name.isID: ids([value])
    case .contains(.value(.array(let values)), .field(let name))
    where name.isID && values.count <= Self.idsMax:
      ids(values)
    default: nil
    }
  }

  /// What is no id is that of no task.
  private func ids(_ values: [Value]) -> [TaskID] {
    Set(values.compactMap { value in value.text.flatMap { try? TaskID($0) } }).sorted()
  }
}
