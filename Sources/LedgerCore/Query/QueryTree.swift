/// How the nodes of a query hang together: found in one pass, so that whoever prints or compiles it needs no recursion.
struct QueryTree {
  /// The first node of what each node combines; itself for a test.
  private(set) var first: [Int]
  /// The node that combines each node with others; nil for the last one, which is the whole.
  private(set) var parent: [Int?]
  /// Whether another condition follows under the same parent.
  private(set) var isFollowed: [Bool]

  init(_ query: Query) {
    let nodes = query.nodes
    first = Array(nodes.indices)
    parent = Array(repeating: nil, count: nodes.count)
    isFollowed = Array(repeating: false, count: nodes.count)
    var open: [Int] = []
    for (index, node) in nodes.enumerated() {
      let count =
        switch node {
        case .test: 0
        case .not: 1
        case .all(let count), .any(let count): count
        }
      let children = open.suffix(count)
      for child in children {
        parent[child] = index
        isFollowed[child] = child != children.last
      }
      if let child = children.first { first[index] = first[child] }
      open.removeLast(count)
      open.append(index)
    }
  }
}
