import LedgerTestSupport
import TaskLedger
import TaskLedgerUI
import Testing

/// What the edit form sees when somebody else has changed the same.
@MainActor @Suite struct `A conflict in a form` {
  let screen: TestScreen

  init() throws { screen = try TestScreen() }

  /// A form in which ann has typed, and could not save for what bob did.
  private func conflict(
    over id: TaskID = "milk", typing: (inout TaskItem) -> Void = { $0.body = "Soy milk" },
    meanwhile change: (Ledger) throws -> Void
  ) async throws -> TaskEditModel {
    let sheet = try #require(await screen.edit(id))
    sheet.change(typing)
    try change(screen.bob)
    #expect(await sheet.save(message: "the cat") == false)
    #expect(screen.list.sheet === sheet && sheet.error == nil)
    // A choice comes first.
    #expect(await sheet.save() == false)
    return sheet
  }

  @Test func `shows both values and who it was`() async throws {
    let sheet = try await conflict { try $0.update("milk") { $0.body = "Oat milk" } }
    let found = try #require(sheet.conflicts.first)
    #expect(found.kind == .changed(.body) && found.author == "bob")
    #expect(found.title == "bob changed body")
    #expect(found.ours == "Soy milk" && found.theirs == "Oat milk")
    #expect(sheet.body == "Soy milk" && sheet.hasChanges && !sheet.canSave)
    // What is typed on is ours.
    sheet.body = "Rice milk"
    #expect(sheet.conflicts.map(\.ours) == ["Rice milk"])
    sheet.cancel()
    #expect(try screen.bob.task("milk")?.body == "Oat milk")
  }

  @Test func `is settled by ours or theirs`() async throws {
    for side in Draft.Side.allCases {
      let sheet = try await conflict {
        $0.body = "Soy milk for \(side)"
      } meanwhile: {
        try $0.update("milk") { $0.body = "Oat milk for \(side)" }
      }
      #expect(await sheet.resolveAll(keeping: side))
      #expect(screen.list.sheet == nil && sheet.step == .closed(.saved))
      let body = try screen.bob.task("milk")?.body
      #expect(body == (side == .ours ? "Soy milk for ours" : "Oat milk for theirs"))
      let last = try screen.bob.audit("milk").last
      #expect(last?.message == (side == .ours ? "the cat" : nil))
    }
  }

  @Test func `is settled field by field`() async throws {
    let sheet = try await conflict {
      $0.body = "Soy milk"
      $0["due"] = "2026-12-01"
      $0["priority"] = 1
    } meanwhile: { bob in
      try bob.update("milk") {
        $0.body = "Oat milk"
        $0["due"] = "2026-12-02"
      }
    }
    #expect(sheet.conflicts.map(\.title) == ["bob changed body", "bob changed due"])
    #expect(await sheet.resolve(sheet.conflicts[1], keeping: .theirs) == false)
    #expect(sheet["due"] == "2026-12-02" && sheet.conflicts.count == 1)
    #expect(await sheet.resolve(sheet.conflicts[0], keeping: .ours))
    let milk = try screen.bob.task("milk")
    #expect(milk?.body == "Soy milk" && milk?["due"] == "2026-12-02" && milk?["priority"] == 1)
  }

  @Test func `meets what is changed after it was settled`() async throws {
    let sheet = try await conflict { try $0.update("milk") { $0.body = "Oat milk" } }
    try screen.bob.update("milk") { $0.body = "Goat milk" }
    #expect(await sheet.resolveAll(keeping: .ours) == false)
    #expect(sheet.conflicts.map(\.theirs) == ["Goat milk"])
    #expect(await sheet.resolveAll(keeping: .ours))
    #expect(try screen.bob.task("milk")?.body == "Soy milk")
  }

  @Test func `over a deleted task brings it back or leaves it`() async throws {
    for side in Draft.Side.allCases {
      try screen.bob.restore("milk")
      let sheet = try await conflict {
        $0.body = "Milk for \(side)"
      } meanwhile: {
        try $0.delete("milk")
      }
      #expect(sheet.conflicts.map(\.kind) == [.deleted])
      #expect(await sheet.resolveAll(keeping: side))
      #expect(try screen.bob.task("milk")?.isDeleted == (side == .theirs))
    }
  }

  @Test func `over an evicted task makes it again or gives it up`() async throws {
    for side in Draft.Side.allCases {
      let id = TaskID(stringLiteral: "eggs for \(side)")
      try screen.bob.upsert(TaskItem(id: id, body: "Six"))
      let sheet = try await conflict(over: id) {
        $0["priority"] = 2
      } meanwhile: {
        try $0.evict(id)
      }
      #expect(sheet.conflicts.map(\.title) == ["bob removed this task for good"])
      #expect(await sheet.resolveAll(keeping: side))
      #expect(screen.list.sheet == nil)
      #expect(sheet.step == .closed(side == .ours ? .saved : .deleted))
      #expect(try screen.bob.task(id)?.body == (side == .ours ? "Six" : nil))
    }
  }

  @Test func `over a task that was made meanwhile puts ours into it or takes it`() async throws {
    for side in Draft.Side.allCases {
      await screen.list.editNew()
      let sheet = try #require(screen.list.sheet)
      sheet.body = "ours"
      try screen.bob.upsert(TaskItem(id: sheet.id, body: "theirs"))
      #expect(await sheet.save() == false)
      #expect(sheet.conflicts.map(\.kind) == [.made])
      #expect(await sheet.resolveAll(keeping: side))
      #expect(try screen.bob.task(sheet.id)?.body == "\(side)")
    }
  }

  @Test func `can be ended by deleting the task`() async throws {
    let sheet = try await conflict { try $0.update("milk") { $0.body = "Oat milk" } }
    #expect(await sheet.delete())
    #expect(try screen.bob.task("milk")?.isDeleted == true)
  }
}
