import LedgerTestSupport
import TaskLedgerUI

/// The list of an app on a disk that can fail, and somebody else who changes the same tasks.
@MainActor
struct TestScreen {
  let disk = TestDisk()
  /// Somebody else.
  let bob: Ledger
  let ledger: AppLedger
  let list: TaskListModel
  let milk: TaskID = "milk"

  /// - Parameter prepare: what bob does first.
  init(
    sortedBy order: TaskSort = .byID, emptiesTrash: Bool = true,
    _ prepare: (Ledger) throws -> Void = { _ in }
  ) throws {
    bob = try disk.create(author: "bob")
    try bob.upsert(TaskItem(id: milk, body: "Get milk"))
    try prepare(bob)
    ledger = AppLedger { [disk] in try disk.open(author: "ann") }
    list = TaskListModel(ledger, sortedBy: order, emptiesTrash: emptiesTrash)
  }

  /// Opens the list, and waits for the tasks.
  func open() async {
    list.open()
    await until { list.status == .live }
  }

  /// Opens the sheet of a task.
  func edit(_ id: TaskID) async -> TaskEditModel? {
    await list.edit(id)
    return list.sheet
  }

  /// The texts on the list.
  var bodies: [String] { list.tasks.map(\.body) }
}

extension TaskListChanges {
  /// What a list view has after them.
  func applied(to old: [TaskItem], new: ObservedTasks) -> [TaskItem] {
    var rows = old
    for index in (deletions + moves.map(\.from)).sorted().reversed() { rows.remove(at: index) }
    for index in (insertions + moves.map(\.to)).sorted() { rows.insert(new[index], at: index) }
    for index in updates { rows[index] = new[index] }
    return rows
  }
}
