import LedgerCore

/// The cursors, the one with the smallest key first; of equal keys that of the earlier run.
///
/// Invariant: the keys of the cursors in the heap do not change, but for that of the first one before `noteAdvanceOfFirst()`.
struct CursorHeap {
  /// What of a cursor's key tells most of them apart, so that the cursors themselves are seldom looked at.
  private struct Entry {
    var prefix: UInt64
    var isPacked: Bool
    var number: Int
  }

  private let cursors: [RunCursor]
  private var heap: [Entry] = []

  /// - Parameter cursors: those that stand at a task, in order of their runs.
  init(_ cursors: [RunCursor]) {
    self.cursors = cursors
    for number in cursors.indices { insert(number) }
  }

  var first: RunCursor? { firstNumber.map { cursors[$0] } }

  /// The place of the first among the cursors.
  var firstNumber: Int? { heap.first?.number }

  /// Whether no other cursor stands at the same task as the first.
  var isFirstAlone: Bool {
    guard heap.count > 1 else { return true }
    return !isSame(0, 1) && (heap.count == 2 || !isSame(0, 2))
  }

  mutating func insert(_ number: Int) {
    heap.append(entry(number))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard precedes(child, parent) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    sink()
  }

  /// Gives the first cursor its place, once it has moved to its next task.
  mutating func noteAdvanceOfFirst() {
    heap[0] = entry(heap[0].number)
    sink()
  }

  private func entry(_ number: Int) -> Entry {
    let key = cursors[number].key
    return Entry(prefix: key.prefix, isPacked: key.isPacked, number: number)
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var least = parent
      for child in 2 * parent + 1..<2 * parent + 3
      where child < heap.count && precedes(child, least) {
        least = child
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  private func isSame(_ left: Int, _ right: Int) -> Bool {
    let (a, b) = (heap[left], heap[right])
    return a.prefix == b.prefix && a.isPacked == b.isPacked
      && cursors[a.number].key.isSame(as: cursors[b.number].key)
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    let (a, b) = (heap[left], heap[right])
    if a.isPacked == b.isPacked, a.prefix != b.prefix { return a.prefix < b.prefix }
    if isSame(left, right) { return a.number < b.number }
    return cursors[a.number].key.precedes(cursors[b.number].key)
  }
}
