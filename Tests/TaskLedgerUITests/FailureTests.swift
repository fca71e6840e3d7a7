import LedgerTestSupport
import TaskLedger
import Testing

@testable import TaskLedgerUI

/// What a person sees on a bad day, and how the app goes on.
@MainActor @Suite struct `A failure in an app` {
  @Test func `to open is shown, and the next attempt opens`() async throws {
    let disk = TestDisk()
    let ledger = AppLedger { try disk.open() }
    let list = TaskListModel(ledger)
    list.open()
    await until { list.failure != nil }
    #expect(list.failure?.deed == .open && list.failure?.code == .notFound)
    #expect(list.error == nil)
    // What is asked for meanwhile is refused, and says so.
    await list.editNew()
    #expect(list.sheet == nil && list.error?.deed == .edit)
    list.error = nil
    try disk.create().upsert(TaskItem(id: "milk"))
    list.open()
    await until { list.status == .live }
    #expect(list.tasks.map(\.id) == ["milk"])
  }

  @Test func `of the app's own making is shown, too`() async throws {
    struct NoKey: Error {}
    let list = TaskListModel(AppLedger { throw NoKey() })
    list.open()
    await until { list.failure != nil }
    #expect(list.failure?.details.contains("NoKey") == true)
  }

  @Test func `to read keeps what is shown, and the next attempt goes on`() async throws {
    let screen = try TestScreen()
    await screen.open()
    let current = try #require(screen.disk.files["CURRENT"])
    try screen.disk.remove("CURRENT")
    await until { screen.list.failure != nil }
    #expect(screen.list.failure?.deed == .load && screen.list.failure?.code == .damaged)
    #expect(screen.bodies == ["Get milk"])
    try screen.disk.overwrite("CURRENT", with: current)
    let eggs = try screen.disk.open()
    try eggs.upsert(TaskItem(id: "eggs", body: "Six"))
    await screen.open()
    #expect(screen.bodies == ["Six", "Get milk"])
  }

  @Test func `on a full disk is shown, and nothing else fails`() async throws {
    let screen = try TestScreen { try $0.upsert(TaskItem(id: "old", isDeleted: true)) }
    screen.disk.fill()
    await screen.open()
    #expect(screen.list.error?.deed == .emptyTrash && screen.list.status == .live)
    let milk = screen.list.tasks[0]
    let long = String(repeating: "long ", count: 1000)
    let sheet = try #require(await screen.edit("milk"))
    sheet.body = long
    #expect(await sheet.save() == false)
    #expect(sheet.error?.deed == .save && screen.list.sheet === sheet)
    #expect(sheet.error?.advice.contains("no room") == true)
    #expect(sheet.body == long && sheet.hasChanges && sheet.canSave)
    screen.disk.makeRoom()
    #expect(await sheet.save())
    #expect(sheet.error == nil && screen.list.sheet == nil)
    await until { screen.list.tasks[0].body == long }
    #expect(await screen.list.toggle(milk))
  }

  @Test func `of a sync ends the handle, and the app goes on with another`() async throws {
    let screen = try TestScreen()
    await screen.open()
    let before = try await screen.ledger.ledger()
    screen.disk.failNextSync()
    #expect(await screen.list.toggle(screen.list.tasks[0]) == false)
    #expect(screen.list.error?.deed == .toggle && screen.list.error?.code == .io)
    let sheet = try #require(await screen.edit("milk"))
    sheet.body = "Get oat milk"
    #expect(await sheet.save())
    #expect(try await screen.ledger.ledger() !== before)
    await until { screen.bodies == ["Get oat milk"] }
    #expect(await screen.list.delete("milk"))
    await until { screen.list.tasks.isEmpty }
  }

  @Test func `while the sheet is closed already brings it back`() async throws {
    let screen = try TestScreen()
    let sheet = try #require(await screen.edit("milk"))
    sheet.body = "Get oat milk"
    let barrier = Barrier(screen.disk, at: .write, thenFails: true)
    let saving = Task { await sheet.save() }
    await barrier.arrival()
    #expect(sheet.isWorking && !sheet.canSave && !sheet.canDelete)
    sheet.cancel()
    #expect(screen.list.sheet === sheet)
    screen.list.sheet = nil
    barrier.open()
    #expect(await saving.value == false)
    #expect(screen.list.sheet === sheet && sheet.error?.deed == .save)
    #expect(sheet.body == "Get oat milk" && sheet.hasChanges)
    sheet.error = nil
    #expect(await sheet.save())
    #expect(screen.list.sheet == nil)
  }

  @Test func `of which there is no room for the sheet is shown on the list`() async throws {
    let screen = try TestScreen()
    let sheet = try #require(await screen.edit("milk"))
    sheet.body = "Get oat milk"
    let barrier = Barrier(screen.disk, at: .write, thenFails: true)
    let saving = Task { await sheet.save() }
    await barrier.arrival()
    screen.list.sheet = nil
    screen.list.sheet = TaskEditModel(screen.bob.draft(), in: AppLedger(screen.bob))
    barrier.open()
    #expect(await saving.value == false)
    #expect(screen.list.sheet !== sheet && screen.list.error?.deed == .save)
  }
}
