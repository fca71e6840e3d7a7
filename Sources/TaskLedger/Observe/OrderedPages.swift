/// What stands in a list at a place of its own.
protocol PlacedRow: Sendable {
  associatedtype Place: Comparable & Sendable
  var place: Place { get }
}

/// Rows in order of their places, in pages that copies share.
///
/// A copy costs nothing; after it a change copies the page that it meets and the way to it, never the other pages. To find, insert
/// or remove a row takes a number of steps that grows with the logarithm of the count.
///
/// Invariants:
/// - places ascend, and each is there once;
/// - pages hold at most `pageRowsMax` rows and branches at most `branchesMax` children; none but the root is empty;
/// - all pages are equally deep; a child's `count` and `first` are those of the rows below it.
struct OrderedPages<Row: PlacedRow>: Sendable {
  typealias Place = Row.Place

  enum Node: Sendable {
    case page([Row])
    case branch([Child])
  }

  struct Child: Sendable {
    var node: Node
    var count: Int
    var first: Place
  }

  private(set) var root = Node.page([])
  private(set) var count = 0

  static var pageRowsMax: Int { 256 }
  static var branchesMax: Int { 64 }

  /// An empty list.
  init() {}

  /// The list of rows that are in order.
  init(ascending rows: [Row]) {
    count = rows.count
    guard rows.count > Self.pageRowsMax else {
      root = .page(rows)
      return
    }
    // Pages with some room: the first insertion into each would halve a full one.
    var level = Self.parts(rows, of: Self.pageRowsMax * 3 / 4).map { Child(.page(Array($0))) }
    while level.count > Self.branchesMax {
      level = Self.parts(level, of: Self.branchesMax * 3 / 4).map { Child(.branch(Array($0))) }
    }
    root = .branch(level)
  }

  /// Cuts into parts of about equal length, none longer than `most`.
  private static func parts<Item>(_ items: [Item], of most: Int) -> [ArraySlice<Item>] {
    let count = (items.count + most - 1) / most
    return (0..<count).map { part in
      items[items.count * part / count..<items.count * (part + 1) / count]
    }
  }
}

// Looking.
extension OrderedPages {
  /// How many rows come before a place, and the row at it, where there is one.
  func find(_ place: Place) -> (rank: Int, row: Row?) {
    var node = root
    var rank = 0
    while true {
      switch node {
      case .page(let rows):
        let index = rows.firstIndex(notBefore: place)
        let isThere = index < rows.count && rows[index].place == place
        return (rank + index, isThere ? rows[index] : nil)
      case .branch(let children):
        let index = children.index(leadingTo: place)
        for child in children[..<index] { rank += child.count }
        node = children[index].node
      }
    }
  }

  /// The rows of the page that holds the row with a rank, from that row on.
  ///
  /// - Precondition: the rank is less than `count`.
  func page(from rank: Int) -> ArraySlice<Row> {
    precondition(rank >= 0 && rank < count, "there is no row \(rank) of \(count)")
    var node = root
    var rest = rank
    while true {
      switch node {
      case .page(let rows): return rows[rest...]
      case .branch(let children):
        var index = 0
        while rest >= children[index].count {
          rest -= children[index].count
          index += 1
        }
        node = children[index].node
      }
    }
  }

  /// The row with a rank.
  subscript(rank: Int) -> Row {
    let page = page(from: rank)
    return page[page.startIndex]
  }

  /// Calls `body` with every row, in order.
  func forEachRow(_ body: (Row) -> Void) {
    var rank = 0
    while rank < count {
      let page = page(from: rank)
      for row in page { body(row) }
      rank += page.count
    }
  }
}

// Changing.
extension OrderedPages {
  /// Inserts a row at its place.
  ///
  /// - Precondition: no row is there.
  mutating func insert(_ row: Row) {
    count += 1
    guard let split = root.insert(row) else { return }
    let left = root
    root = .branch([Child(left), split])
  }

  /// Removes the row at a place; nil when there is none.
  @discardableResult
  mutating func remove(_ place: Place) -> Row? {
    guard find(place).row != nil else { return nil }
    count -= 1
    let removed = root.remove(place)
    if case .branch(let children) = root, children.count == 1 { root = children[0].node }
    return removed
  }

  /// Puts a row in the stead of the one at its place.
  ///
  /// - Precondition: a row is there.
  mutating func replace(_ row: Row) { root.replace(row) }
}

extension OrderedPages.Child {
  init(_ node: OrderedPages.Node) {
    self.node = node
    switch node {
    case .page(let rows):
      count = rows.count
      first = rows[0].place
    case .branch(let children):
      count = children.reduce(0) { $0 + $1.count }
      first = children[0].first
    }
  }
}

extension OrderedPages.Node {
  typealias Child = OrderedPages.Child

  private var size: Int {
    switch self {
    case .page(let rows): rows.count
    case .branch(let children): children.count
    }
  }

  private var sizeMax: Int {
    switch self {
    case .page: OrderedPages.pageRowsMax
    case .branch: OrderedPages.branchesMax
    }
  }

  /// Inserts a row; what no longer fits is returned, to stand behind this.
  mutating func insert(_ row: Row) -> Child? {
    switch self {
    case .page(var rows):
      // With no other holder the array is changed in place.
      self = .page([])
      rows.insert(row, at: rows.firstIndex(notBefore: row.place))
      guard rows.count > sizeMax else {
        self = .page(rows)
        return nil
      }
      let half = rows.count / 2
      self = .page(Array(rows[..<half]))
      return Child(.page(Array(rows[half...])))
    case .branch(var children):
      self = .page([])
      let index = children.index(leadingTo: row.place)
      children[index].count += 1
      children[index].first = min(children[index].first, row.place)
      if let split = children[index].node.insert(row) {
        children[index].count -= split.count
        children.insert(split, at: index + 1)
      }
      guard children.count > OrderedPages.branchesMax else {
        self = .branch(children)
        return nil
      }
      let half = children.count / 2
      self = .branch(Array(children[..<half]))
      return Child(.branch(Array(children[half...])))
    }
  }

  /// Removes a row that is there.
  mutating func remove(_ place: Row.Place) -> Row? {
    switch self {
    case .page(var rows):
      self = .page([])
      defer { self = .page(rows) }
      return rows.remove(at: rows.firstIndex(notBefore: place))
    case .branch(var children):
      self = .page([])
      defer { self = .branch(children) }
      let index = children.index(leadingTo: place)
      children[index].count -= 1
      let removed = children[index].node.remove(place)
      children.tidy(index)
      return removed
    }
  }

  mutating func replace(_ row: Row) {
    switch self {
    case .page(var rows):
      self = .page([])
      rows[rows.firstIndex(notBefore: row.place)] = row
      self = .page(rows)
    case .branch(var children):
      self = .page([])
      children[children.index(leadingTo: row.place)].node.replace(row)
      self = .branch(children)
    }
  }

  /// Whether it is small enough to join a neighbour, and the two together leave room.
  fileprivate func joins(_ other: OrderedPages.Node) -> Bool {
    min(size, other.size) < sizeMax / 4 && size + other.size <= sizeMax * 3 / 4
  }

  fileprivate func joined(with next: OrderedPages.Node) -> OrderedPages.Node {
    switch (self, next) {
    case (.page(let left), .page(let right)): .page(left + right)
    case (.branch(let left), .branch(let right)): .branch(left + right)
    default: preconditionFailure("a page beside a branch")
    }
  }

  fileprivate var first: Row.Place? {
    switch self {
    case .page(let rows): rows.first?.place
    case .branch(let children): children.first?.first
    }
  }
}

extension Array where Element: PlacedRow {
  /// The index of the first row that is not before a place.
  fileprivate func firstIndex(notBefore place: Element.Place) -> Int {
    prefixCount { $0.place < place }
  }
}

extension Array {
  /// The index of the child in which a place is or belongs.
  fileprivate func index<Row>(leadingTo place: Row.Place) -> Int
  where Element == OrderedPages<Row>.Child {
    leadingCount(of: count - 1) { self[$0 + 1].first <= place }
  }

  /// Puts a child in order from which a row was removed.
  fileprivate mutating func tidy<Row>(_ index: Int) where Element == OrderedPages<Row>.Child {
    guard let first = self[index].node.first else {
      remove(at: index)
      return
    }
    self[index].first = first
    for left in [index - 1, index] where left >= 0 && left + 1 < count {
      guard self[left].node.joins(self[left + 1].node) else { continue }
      self[left].node = self[left].node.joined(with: self[left + 1].node)
      self[left].count += self[left + 1].count
      remove(at: left + 1)
      return
    }
  }
}
