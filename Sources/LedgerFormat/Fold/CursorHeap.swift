import LedgerCore

/// The cursors, the one with the smallest key first; of equal keys that of the earlier run.
struct CursorHeap {
  private var heap: [RunCursor] = []

  init(_ cursors: [RunCursor]) { for cursor in cursors { insert(cursor) } }

  var first: RunCursor? { heap.first }

  mutating func insert(_ cursor: RunCursor) {
    heap.append(cursor)
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
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && precedes(child, least) {
        least = child
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    let a = heap[left]
    let b = heap[right]
    if a.key.isSame(as: b.key) { return a.order < b.order }
    return a.key.precedes(b.key)
  }
}
