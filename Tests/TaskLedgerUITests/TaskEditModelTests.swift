import LedgerTestSupport
import TaskLedger
import TaskLedgerUI
import Testing

/// What the edit form sees.
@MainActor @Suite struct `An edit model` {
  @Test func `makes a new task when it is saved`() async throws {
    let screen = try TestScreen()
    await screen.open()
    await screen.list.editNew { $0["project"] = "home" }
    let sheet = try #require(screen.list.sheet)
    #expect(sheet.isNew && !sheet.canDelete && sheet["project"] == "home")
    sheet.body = "Sweep"
    sheet.isCompleted = true
    #expect(sheet.canSave && sheet.hasChanges)
    #expect(try screen.bob.task(sheet.id) == nil)
    #expect(await sheet.save(message: "it is dusty"))
    #expect(screen.list.sheet == nil && sheet.step == .closed(.saved))
    await until { screen.list.tasks.contains { $0.id == sheet.id && $0.isCompleted } }
    let made = try #require(try screen.bob.audit(sheet.id).last)
    #expect(made.author == "ann" && made.message == "it is dusty")
    #expect(try screen.bob.lastSequence == 2)
  }

  @Test func `saves what was typed and leaves the rest to others`() async throws {
    let screen = try TestScreen()
    let sheet = try #require(await screen.edit("milk"))
    #expect(!sheet.isNew && sheet.canDelete && !sheet.hasChanges && !sheet.canSave)
    sheet.body = "Get oat milk"
    try screen.bob.toggle("milk")
    #expect(await sheet.save())
    #expect(try screen.bob.task("milk")?.isCompleted == true)
    #expect(try screen.bob.task("milk")?.body == "Get oat milk")
    #expect(sheet.isCompleted)
    // After the end nothing happens any more.
    sheet.body = "late"
    #expect(sheet.body == "Get oat milk")
    #expect(await sheet.save() == false)
    #expect(await sheet.delete() == false)
    sheet.cancel()
    #expect(sheet.step == .closed(.saved))
  }

  @Test func `drops what was typed when it is cancelled or swiped away`() async throws {
    let screen = try TestScreen()
    let sheet = try #require(await screen.edit("milk"))
    sheet.body = "typed"
    sheet.cancel()
    #expect(screen.list.sheet == nil && sheet.step == .closed(.cancelled))
    #expect(sheet.body == "Get milk")
    let swiped = try #require(await screen.edit("milk"))
    swiped.body = "typed"
    screen.list.sheet = nil
    #expect(try #require(await screen.edit("milk")).body == "Get milk")
    #expect(try screen.bob.lastSequence == 1)
  }

  @Test func `saves nothing when nothing was typed`() async throws {
    let screen = try TestScreen()
    #expect(await screen.edit("milk")?.save() == true)
    await screen.list.editNew()
    let sheet = try #require(screen.list.sheet)
    sheet.body = ""
    #expect(await sheet.save())
    #expect(screen.list.sheet == nil)
    #expect(try screen.bob.lastSequence == 1)
  }

  @Test func `deletes a task, also one that is gone`() async throws {
    let screen = try TestScreen()
    let sheet = try #require(await screen.edit("milk"))
    sheet.body = "typed"
    #expect(await sheet.delete())
    #expect(screen.list.sheet == nil && sheet.step == .closed(.deleted))
    #expect(try screen.bob.task("milk")?.isDeleted == true)
    #expect(try screen.bob.task("milk")?.body == "Get milk")
    let again = try #require(await screen.edit("milk"))
    try screen.bob.evict("milk")
    #expect(await again.delete())
    #expect(again.error == nil && screen.list.sheet == nil)
  }

  @Test func `is one at a time, and there for a task that is there`() async throws {
    let screen = try TestScreen()
    let list = screen.list
    async let first: Void = list.edit("milk")
    async let second: Void = list.edit("milk")
    async let third: Void = list.editNew()
    _ = await (first, second, third)
    let sheet = try #require(list.sheet)
    await list.edit("milk")
    #expect(list.sheet === sheet)
    sheet.cancel()
    await list.edit("nobody")
    #expect(list.sheet == nil)
    #expect(list.error?.deed == .edit && list.error?.code == .noSuchTask)
  }

  @Test func `tells what shows it of each change`() async throws {
    let screen = try TestScreen()
    let sheet = try #require(await screen.edit("milk"))
    let typing = Task { sheet.body = "Get oat milk" }
    await until { sheet.body == "Get oat milk" && sheet.canSave }
    await typing.value
    let saving = Task { await sheet.save() }
    await until { sheet.isClosed }
    #expect(await saving.value)
  }

  @Test func `saves what is typed while it is being saved`() async throws {
    let screen = try TestScreen()
    let sheet = try #require(await screen.edit("milk"))
    sheet.body = "Get oat"
    let barrier = Barrier(screen.disk, at: .write)
    let saving = Task { await sheet.save() }
    await barrier.arrival()
    sheet.body = "Get oat milk"
    barrier.open()
    #expect(await saving.value)
    #expect(try screen.bob.task("milk")?.body == "Get oat milk")
    #expect(sheet.step == .closed(.saved))
  }
}
