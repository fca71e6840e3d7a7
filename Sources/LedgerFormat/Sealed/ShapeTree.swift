import LedgerCore

/// Finds the number of a shape part by part, without building it.
struct ShapeTree {
  private struct Node {
    /// The node of all parts but the last; a root's is itself.
    var parent: Int
    var part: RunTables.Shape.Part?
    /// The number of the shape that ends here, if one does.
    var number: Int?
    /// The node under this one that was asked for last: it mostly is again, and needs no hashing.
    var latest: Int?
  }

  private struct Edge: Hashable {
    var parent: Int
    var part: RunTables.Shape.Part
  }

  private var nodes: [Node]
  private var edges: [Edge: Int] = [:]

  init() {
    nodes = EventKind.allCases.indices.map { Node(parent: $0, part: nil, number: nil) }
  }

  /// Where the shapes of a kind start.
  func root(of kind: EventKind) -> Int { Int(kind.rawValue) }

  /// The node of a shape with one more part.
  mutating func node(under parent: Int, _ part: RunTables.Shape.Part) -> Int {
    if let latest = nodes[parent].latest, nodes[latest].part == part { return latest }
    let edge = Edge(parent: parent, part: part)
    let node = edges[edge] ?? nodes.count
    if node == nodes.count {
      nodes.append(Node(parent: parent, part: part, number: nil))
      edges[edge] = node
    }
    nodes[parent].latest = node
    return node
  }

  /// The number of the shape that ends at a node; nil when it has none yet.
  func number(of node: Int) -> Int? { nodes[node].number }

  /// Gives the shape that ends at a node its number.
  ///
  /// - Returns: the shape.
  mutating func setNumber(_ number: Int, of node: Int, kind: EventKind) -> RunTables.Shape {
    nodes[node].number = number
    var parts: [RunTables.Shape.Part] = []
    var place = node
    while let part = nodes[place].part {
      parts.append(part)
      place = nodes[place].parent
    }
    return RunTables.Shape(kind: kind, parts: parts.reversed())
  }
}
