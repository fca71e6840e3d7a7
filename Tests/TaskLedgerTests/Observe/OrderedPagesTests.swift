import Testing

@testable import TaskLedger

/// Lists in pages, against a plain sorted array.
@Suite struct `A list in pages` {
  @Test(arguments: TestSettings.seeds(4))
  func `holds what a sorted array holds, and copies stay as they are`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var model = Array(Set((0..<random.below(2000)).map { _ in random.below(5000) })).sorted()
    var pages = OrderedPages(ascending: model.map { NumberRow($0) })
    var held: [(pages: OrderedPages<NumberRow>, numbers: [Int])] = []
    // Growing, shrinking until nothing is left, growing again.
    for (round, insertPercent) in [60, 15, 80].enumerated() {
      for step in 0..<1000 {
        let number = random.below(5000)
        if random.chance(insertPercent) {
          if !model.contains(number) {
            pages.insert(NumberRow(number))
            model.insert(number, at: model.firstIndex { $0 > number } ?? model.count)
          }
        } else if let number = random.chance(90) ? model.randomElement(using: &random) : number {
          let isThere = model.contains(number)
          #expect((pages.remove(NumberPlace(number)) != nil) == isThere, "seed \(seed)")
          if isThere { model.removeAll { $0 == number } }
        }
        if step % 250 == 0 {
          held.append((pages, model))
          check(pages, model, "seed \(seed), round \(round), step \(step)")
        }
      }
    }
    for (pages, numbers) in held { check(pages, numbers, "seed \(seed), held") }
  }

  @Test func `can be emptied and filled again`() {
    var pages = OrderedPages<NumberRow>()
    for number in 0..<20_000 { pages.insert(NumberRow(number)) }
    for number in 0..<20_000 { pages.remove(NumberPlace(number)) }
    check(pages, [], "emptied")
    for number in (0..<600).reversed() { pages.insert(NumberRow(number)) }
    check(pages, Array(0..<600), "filled again")
  }

  @Test(arguments: [100, 10_000, 1_000_000])
  func `changes at a cost that hardly grows with its length`(count: Int) {
    let work = Counter()
    var pages = OrderedPages(ascending: (0..<count).map { NumberRow(2 * $0, work) })
    let old = pages
    let logarithm = Int.bitWidth - count.leadingZeroBitCount
    for step in 1...6 {
      let number = 2 * (count * step / 7) + 1
      let before = (pages: pages, work: work.value)
      pages.insert(NumberRow(number, work))
      pages.remove(NumberPlace(2 * (count * step / 7), work))
      pages.replace(NumberRow(number, work))
      #expect(work.value - before.work <= 12 * logarithm, "\(count) rows, step \(step)")
      // Two pages at most, and the ways to them, halved ones included.
      #expect(pages.pagesNotIn(before.pages) <= 8, "\(count) rows, step \(step)")
    }
    // Changes anywhere leave most pages to be shared with a view that is still held.
    #expect(pages.pagesNotIn(old) <= 6 * 8)
    #expect(old.count == count && pages.count == count)
    let copied = pages.pagesNotIn(old)
    print("\(count) rows: \(work.value) comparisons, \(copied) new pages in 18 changes")
  }

  private func check(_ pages: OrderedPages<NumberRow>, _ numbers: [Int], _ label: String) {
    #expect(pages.brokenInvariants == [], "\(label)")
    var found: [Int] = []
    pages.forEachRow { found.append($0.place.number) }
    #expect(found == numbers, "\(label)")
    for rank in stride(from: 0, to: numbers.count, by: 97) {
      #expect(pages[rank].place.number == numbers[rank], "\(label)")
      let (at, row) = pages.find(NumberPlace(numbers[rank]))
      #expect(at == rank && row != nil, "\(label)")
    }
  }
}

/// Counts on one thread.
final class Counter: @unchecked Sendable {
  // Unchecked: each test uses its own, on one thread.
  var value = 0
}

struct NumberPlace: Comparable, Sendable {
  let number: Int
  private let comparisons: Counter?

  init(_ number: Int, _ comparisons: Counter? = nil) {
    self.number = number
    self.comparisons = comparisons
  }

  static func == (left: NumberPlace, right: NumberPlace) -> Bool {
    left.comparisons?.value += 1
    return left.number == right.number
  }

  static func < (left: NumberPlace, right: NumberPlace) -> Bool {
    left.comparisons?.value += 1
    return left.number < right.number
  }
}

struct NumberRow: PlacedRow {
  let place: NumberPlace
  init(_ number: Int, _ comparisons: Counter? = nil) { place = NumberPlace(number, comparisons) }
}

extension OrderedPages {
  /// The broken invariants in words.
  var brokenInvariants: [String] {
    var broken: [String] = []
    var depths: Set<Int> = []
    func visit(_ node: Node, _ depth: Int, isRoot: Bool) -> (count: Int, first: Place?) {
      switch node {
      case .page(let rows):
        depths.insert(depth)
        if rows.isEmpty, !isRoot { broken.append("an empty page") }
        if rows.count > Self.pageRowsMax { broken.append("a page of \(rows.count) rows") }
        for (row, next) in zip(rows, rows.dropFirst()) where !(row.place < next.place) {
          broken.append("rows out of order")
        }
        return (rows.count, rows.first?.place)
      case .branch(let children):
        if children.isEmpty || (isRoot && children.count == 1) {
          broken.append("a branch of \(children.count)")
        }
        if children.count > Self.branchesMax { broken.append("a branch of \(children.count)") }
        for child in children {
          let found = visit(child.node, depth + 1, isRoot: false)
          if found.count != child.count { broken.append("a count is wrong") }
          if found.first != child.first { broken.append("a first place is wrong") }
        }
        return (children.reduce(0) { $0 + $1.count }, children.first?.first)
      }
    }
    if visit(root, 0, isRoot: true).count != count { broken.append("the count is wrong") }
    if depths.count > 1 { broken.append("pages at depths \(depths.sorted())") }
    return broken
  }

  /// How many pages and branches are not shared with another list.
  func pagesNotIn(_ other: OrderedPages) -> Int {
    var known: Set<UnsafeRawPointer> = []
    other.forEachNode { known.insert($0) }
    var count = 0
    forEachNode { if !known.contains($0) { count += 1 } }
    return count
  }

  private func forEachNode(_ body: (UnsafeRawPointer) -> Void) {
    func visit(_ node: Node) {
      switch node {
      case .page(let rows):
        rows.withUnsafeBytes { bytes in if let start = bytes.baseAddress { body(start) } }
      case .branch(let children):
        children.withUnsafeBufferPointer { buffer in
          if let start = buffer.baseAddress { body(UnsafeRawPointer(start)) }
        }
        for child in children { visit(child.node) }
      }
    }
    visit(root)
  }
}
