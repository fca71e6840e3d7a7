import LedgerTestSupport
import Testing

@testable import TaskLedger
@testable import TaskLedgerUI

/// What models leave behind: nothing.
@MainActor @Suite struct `A model that goes` {
  @Test func `ends its observation`() async throws {
    let ledger = try TestDisk().create()
    weak var gone: TaskListModel?
    func show() async throws {
      let list = TaskListModel(AppLedger(ledger))
      gone = list
      list.onChanges = { [weak list] _ in _ = list?.tasks }
      list.open()
      try ledger.upsert(TaskItem(id: "milk"))
      await until { list.tasks.count == 1 }
      #expect(ledger.observers.count == 1)
    }
    try await show()
    #expect(gone == nil)
    while ledger.observers.count > 0 || ledger.observers.isWatching { await Task.yield() }
  }

  @Test func `before it was opened, or while it opens, leaves nothing either`() async throws {
    let ledger = try TestDisk().create()
    for opens in [false, true] {
      weak var gone: TaskListModel?
      do {
        let list = TaskListModel(AppLedger(ledger))
        gone = list
        if opens { list.open() }
      }
      while gone != nil { await Task.yield() }
    }
    while ledger.observers.count > 0 || ledger.observers.isWatching { await Task.yield() }
  }

  @Test func `takes its sheet with it, and a sheet goes when it is closed`() async throws {
    let ledger = try TestDisk().create()
    try ledger.upsert(TaskItem(id: "milk"))
    weak var closed: TaskEditModel?
    weak var open: TaskEditModel?
    weak var gone: TaskListModel?
    func show() async throws {
      let list = TaskListModel(AppLedger(ledger))
      gone = list
      await list.edit("milk")
      closed = list.sheet
      closed?.body = "Get milk"
      #expect(await closed?.save() == true)
      await list.editNew()
      open = list.sheet
      #expect(open != nil)
    }
    try await show()
    #expect(closed == nil && open == nil && gone == nil)
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `among many that come and go while many write, leaves nothing`(seed: UInt64) async throws {
    let disk = TestDisk()
    let (mine, theirs) = (try disk.create(), try disk.open())
    let ledger = AppLedger(mine)
    var random = SeededNumbers(seed)
    let writing = Task.detached {
      for number in 0..<60 {
        try (number % 3 == 0 ? theirs : mine).upsert(
          TaskItem(id: TaskID("task \(number)"), isDeleted: number % 5 == 0))
      }
    }
    let last = TaskListModel(ledger, emptiesTrash: false)
    last.open()
    var models: [TaskListModel] = []
    var asked: [Task<Void, Never>] = []
    for round in 0..<80 {
      let list = TaskListModel(ledger, sortedBy: round % 2 == 0 ? .byID : "body:desc")
      models.append(list)
      list.open()
      let deed = Task {
        await list.editNew { $0.body = "typed" }
        if round % 3 == 0 { await list.sheet?.save() } else { list.sheet?.cancel() }
      }
      asked.append(deed)
      for _ in 0..<random.next(6) { await Task.yield() }
      if random.next(2) == 0 { deed.cancel() }
      switch random.next(4) {
      case 0: list.close()
      case 1: list.show(.everything, limit: 3)
      case 2: models.removeAll()
      default: break
      }
    }
    try await writing.value
    for deed in asked { await deed.value }
    let expected = try theirs.find("!isDeleted")
    await until { Array(last.tasks) == expected }
    #expect(models.allSatisfy { $0.error == nil && $0.failure == nil && $0.sheet == nil })
    models = []
    asked = []
    last.close()
    while mine.observers.count > 0 || mine.observers.isWatching { await Task.yield() }
    #expect(mine.shared.withLock { $0.feed == nil && $0.feedUsers == 0 })
  }
}
