import Foundation
import LedgerTestSupport
import TaskLedger
import Testing

/// What the articles on queries, undo, drafts, observations and events show, compiled and run.
@Suite struct `The articles on finding and changing tasks` {
  private let milk: TaskID = "milk"

  @Test func `show queries that find the same`() throws {
    let ledger = try Ledger.inMemory(author: "ann")
    let name = "ann"
    var item = TaskItem(id: milk, body: "Get milk")
    item["owner"] = .text(name)
    item["priority"] = 2
    try ledger.upsert(item)
    try ledger.upsert(TaskItem(id: "bread", body: "Get bread"))

    let open = try ledger.find("!isDeleted && !isCompleted", sortedBy: "due", limit: 20)
    let mine = try ledger.find("owner == $me && priority >= 2", ["me": .text(name)])
    let same = try ledger.find(Field("owner") == name && Field("priority") >= 2)
    #expect(open.map(\.id) == ["bread", milk])
    #expect(mine == [item] && same == [item])
    #expect(try ArticleExamples.linesMissing(of: "Queries") == [])
  }

  @Test func `show how to take back and do again`() throws {
    let bench = try TestLedger()
    bench.setClock(try LedgerTime("2026-12-01").milliseconds)
    let ledger = try bench.open(author: "ann")
    try ledger.transaction(author: "bob") { transaction in
      try transaction.upsert(TaskItem(id: "count"))
      for number in 1...1201 { try transaction.update("count") { $0["n"] = .int(Int64(number)) } }
    }
    try ledger.upsert(TaskItem(id: milk, body: "Get milk"))
    try ledger.update(milk) { $0.body = "Get oat milk" }
    try ledger.update(milk) { $0["priority"] = 1 }
    try ledger.toggle(milk)

    try ledger.undo()  // what this author did last
    #expect(try ledger.task(milk)?.isCompleted == false)
    try ledger.undo()  // and what came before that
    #expect(try ledger.task(milk)?["priority"] == nil)
    try ledger.redo()  // comes forward again
    #expect(try ledger.task(milk)?["priority"] == 1)
    try ledger.undo(.transaction(1204))  // what anybody did
    #expect(try ledger.task(milk)?.body == "Get milk")
    try ledger.undo(.task(milk))  // the last change of one task
    #expect(try ledger.task(milk) == TaskItem(id: milk, body: "Get milk"))
    let monday = try LedgerTime("2026-11-30")
    let plan = try ledger.undo(.moment(.time(monday)), isDryRun: true)
    for task in plan.tasks { print(task.id, task.changes) }
    #expect(Set(plan.tasks.map(\.id)) == ["count", milk])
    #expect(plan.transaction == nil)
    #expect(try ArticleExamples.linesMissing(of: "Undo") == [])
  }

  @Test func `show edit sessions, and who wins`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("tasks.ledger")
    let ledger = try Ledger.open(at: path, author: "ann")
    try ledger.upsert(TaskItem(id: milk, body: "Get milk"))
    do {
      let draft = try ledger.edit(milk)  // ledger.draft() for a task that is not there yet
      draft.body = "Soy milk"
      if draft.hasChanges { try draft.save(message: "she asked for it") }
      #expect(try ledger.task(milk)?.body == "Soy milk")
    }
    do {
      let draft = try ledger.draft(encoding: Chore(body: "Sweep"))
      var form = try draft.value(as: Chore.self)
      form.priority = .high
      try draft.change(as: Chore.self) { $0 = form }
      try draft.save()
      #expect(try ledger.task(draft.id, as: Chore.self)?.priority == .high)
    }
    let draft = try ledger.edit(milk)
    draft.change { $0.body += ", and bread" }
    draft.body = "Rice milk"
    try ledger.update(milk) { $0.body = "Oat milk" }
    do {
      try draft.save()
      Issue.record("it is a conflict")
    } catch let error as LedgerError where error.code == .conflict {
      for conflict in error.conflicts {
        print(conflict.reason)  // bob set body to "Oat milk" at …
        draft.resolve([conflict], keeping: .ours)
      }
      try draft.save()  // meets only what changed after that
    }
    #expect(try ledger.task(milk)?.body == "Rice milk")
    draft["due"] = "2026-12-01"
    do {
      let again = try Ledger.open(at: path, author: "ann")
      draft.use(again)
      try draft.save()
      #expect(try again.task(milk)?["due"] == "2026-12-01")
    }
    let plants = try ledger.upsert(TaskItem(id: "plants"))
    let (task, revision) = try ledger.taskAndRevision(plants)
    if task?["owner"] == nil {
      try ledger.update(plants, expecting: revision) { $0["owner"] = "ann" }
    }
    #expect(try ledger.task(plants)?["owner"] == "ann")
    #expect(try ArticleExamples.linesMissing(of: "Drafts") == [])
  }

  @Test func `show a list that is followed`() async throws {
    let ledger = try Ledger.inMemory()
    try ledger.upsert(TaskItem(id: milk, body: "Get milk"))
    var shown: [[TaskID]] = []
    func show(_ tasks: ObservedTasks, _ changes: TaskListChanges) {
      shown.append(tasks.map(\.id))
      #expect(changes.insertions == [0])
    }
    for try await tasks in try ledger.observe(
      "!isDeleted && !isCompleted", sortedBy: "due", limit: 50)
    {
      show(tasks, tasks.changes)
      break
    }
    #expect(shown == [[milk]])
    #expect(try ArticleExamples.linesMissing(of: "Observing") == [])
  }

  @Test func `show a consumer that goes on where it was`() async throws {
    let ledger = try TestLedger().open()
    try ledger.upsert(TaskItem(id: milk, body: "Get milk"))
    struct Enough: Error {}
    var sent: [UInt64] = []
    func send(_ event: Event) throws {
      guard sent.count < 1 else { throw Enough() }
      sent.append(event.sequence)
    }
    func follow() async throws {
      let mailer = try ledger.checkpoint("mailer")
      for try await event in ledger.events(after: mailer) {
        try send(event)
        try mailer.advance(to: event)
      }
    }
    try ledger.toggle(milk)
    await #expect(throws: Enough.self) { try await follow() }
    #expect(sent == [1])
    sent = []
    await #expect(throws: Enough.self) {
      try ledger.toggle(milk)
      try await follow()
    }
    #expect(sent == [2])
    #expect(try ArticleExamples.linesMissing(of: "Events") == [])
  }
}
