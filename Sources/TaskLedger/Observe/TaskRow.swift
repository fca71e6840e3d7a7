import LedgerCore

/// A task at its place in an order.
struct TaskRow: PlacedRow {
  let place: TaskPlace
  let item: TaskItem

  init(_ item: TaskItem, in order: TaskSort) {
    place = TaskPlace(item, in: order)
    self.item = item
  }
}

typealias TaskRows = OrderedPages<TaskRow>
