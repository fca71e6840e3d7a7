import LedgerTestSupport
import Testing

@testable import TaskLedger
@testable import TaskLedgerUI

/// What a screen with the list sees.
@MainActor @Suite struct `A list model` {
  @Test func `shows the tasks and follows whoever changes them`() async throws {
    let screen = try TestScreen(sortedBy: "body")
    #expect(screen.list.status == .closed && screen.list.tasks.isEmpty)
    await screen.open()
    #expect(screen.bodies == ["Get milk"])
    try screen.bob.upsert(TaskItem(body: "Call the dentist"))
    await until { screen.bodies == ["Call the dentist", "Get milk"] }
    try screen.bob.update("milk") { $0.body = "Buy milk" }
    await until { screen.bodies == ["Buy milk", "Call the dentist"] }
    try screen.bob.delete("milk")
    await until { screen.bodies == ["Call the dentist"] }
    #expect(screen.list.error == nil)
  }

  /// As on the first page of the module.
  @Test func `has its tasks once it is opened, so that the first can be toggled`() async throws {
    let screen = try TestScreen()
    #expect(await screen.list.opened())
    let first = try #require(screen.list.tasks.first)
    #expect(await screen.list.toggle(first))
    #expect(try screen.bob.task("milk")?.isCompleted == true)
    // What is open already does not keep anybody waiting.
    #expect(await screen.list.opened())
  }

  @Test func `lets go of who waits for it where it fails, is closed, or nobody waits any more`()
    async throws
  {
    let failing = TaskListModel(AppLedger { throw LedgerError(.io, "no disk") })
    #expect(await !failing.opened())
    #expect(failing.failure?.code == .io)
    let screen = try TestScreen()
    let barrier = Barrier(screen.disk, at: .read)
    let waiting = Task { await screen.list.opened() }
    await barrier.arrival()
    let other = Task { await screen.list.opened() }
    other.cancel()
    #expect(await !other.value)
    #expect(screen.list.status == .opening)
    screen.list.close()
    #expect(await !waiting.value)
    barrier.open()
  }

  @Test func `completes a task and takes that back, as the person sees it`() async throws {
    let screen = try TestScreen()
    await screen.open()
    let seen = screen.list.tasks[0]
    #expect(await screen.list.toggle(seen))
    await until { screen.list.tasks.first?.isCompleted == true }
    #expect(try screen.bob.audit("milk").last?.author == "ann")
    // Whoever taps on what he saw before wants it done, not undone.
    #expect(await screen.list.toggle(seen))
    #expect(try screen.bob.task("milk")?.isCompleted == true)
    #expect(await screen.list.toggle(screen.list.tasks[0]))
    await until { screen.list.tasks.first?.isCompleted == false }
  }

  @Test func `deletes and restores`() async throws {
    let screen = try TestScreen()
    await screen.open()
    #expect(await screen.list.delete("milk"))
    await until { screen.list.tasks.isEmpty }
    #expect(try screen.bob.task("milk")?.isDeleted == true)
    #expect(await screen.list.restore("milk"))
    await until { screen.bodies == ["Get milk"] }
    try screen.bob.evict("milk")
    for (deed, isDone) in [
      (ShownError.Deed.delete, await screen.list.delete("milk")),
      (.restore, await screen.list.restore("milk")),
    ] {
      #expect(!isDone && screen.list.error?.code == .noSuchTask, "\(deed)")
    }
    #expect(screen.list.error?.deed == .restore)
    screen.list.isShowingError = false
    #expect(screen.list.error == nil)
  }

  @Test func `empties the trash when it opens`() async throws {
    for empties in [true, false] {
      let screen = try TestScreen(emptiesTrash: empties) { bob in
        try bob.upsert(TaskItem(id: "old", body: "Old"))
        try bob.delete("old")
      }
      await screen.open()
      #expect(screen.bodies == ["Get milk"])
      #expect(try (screen.bob.task("old") == nil) == empties)
      guard empties else { continue }
      #expect(try screen.bob.audit("old").last?.message == "emptied the trash")
      try await screen.ledger.perform { try $0.undo() }
      #expect(try screen.bob.task("old")?.body == "Old")
      // What is deleted later stays until it opens again.
      await screen.list.delete("milk")
      screen.list.open()
      #expect(try screen.bob.task("milk") != nil)
      screen.list.close()
      await screen.open()
      #expect(try screen.bob.task("milk") == nil)
    }
  }

  @Test func `writes nothing when there is no trash`() async throws {
    let screen = try TestScreen()
    screen.disk.fill()
    await screen.open()
    #expect(screen.list.error == nil && screen.bodies == ["Get milk"])
  }

  @Test func `is closed and opened again`() async throws {
    let screen = try TestScreen()
    await screen.open()
    screen.list.close()
    #expect(screen.list.status == .closed)
    try screen.bob.upsert(TaskItem(id: "eggs", body: "Six"))
    #expect(screen.bodies == ["Get milk"])
    await screen.open()
    #expect(screen.bodies == ["Six", "Get milk"])
    // Opened and closed before anything has come.
    screen.list.close()
    screen.list.open()
    screen.list.close()
    try screen.bob.evict("eggs")
    await screen.open()
    #expect(screen.bodies == ["Get milk"])
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `tells a list view of every change, whatever is shown`(seed: UInt64) async throws {
    let screen = try TestScreen()
    var shown: [TaskItem] = []
    let list = screen.list
    list.onChanges = { [unowned list] changes in
      shown = changes.applied(to: shown, new: list.tasks)
      #expect(shown == Array(list.tasks), "seed \(seed)")
    }
    list.open()
    let wishes: [(Query, TaskSort, Int?)] = [
      (.everything, "body:desc", nil), (!Field("isDeleted"), .byID, 4),
      (Field("isCompleted") == true, "n:desc,body", nil), (.everything, "n", 5),
    ]
    var random = SeededNumbers(seed)
    for step in 0..<60 {
      let id = TaskID(stringLiteral: "task \(random.next(12))")
      switch random.next(4) {
      case 0:
        let wish = wishes[random.next(wishes.count)]
        list.show(wish.0, sortedBy: wish.1, limit: wish.2)
      case 1 where try screen.bob.task(id) != nil: try screen.bob.toggle(id)
      case 2 where try screen.bob.task(id) != nil: try screen.bob.evict(id)
      default:
        var task = TaskItem(id: id, body: "\(random.next(9))")
        task["n"] = .int(Int64(random.next(3)))
        try screen.bob.upsert(task)
      }
      guard random.next(3) == 0 || step == 59 else { continue }
      let expected = try screen.bob.find(list.query, sortedBy: list.order, limit: list.limit)
      await until { list.status == .live && Array(list.tasks) == expected }
      #expect(shown == expected, "seed \(seed), step \(step)")
    }
  }
}

/// Numbers that follow from a seed.
struct SeededNumbers {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  /// A number below another.
  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }
}
