import LedgerStorage
import LedgerTestSupport
import TaskLedger
import TaskLedgerUI
import Testing

/// The nth call fails, for n = 1, 2, … until a run meets no fault. The person sees it, loses nothing, and the next attempt works.
@MainActor @Suite struct `When the nth call under a screen fails` {
  enum Fault: CaseIterable {
    case nothingDone, everythingDone, pagesLost, full

    /// Without the watch: where that fails the ledger looks once a second, which takes too long here.
    private static let kinds = Set(CallKind.allCases).subtracting([.watch])

    func plan(_ n: Int) -> FaultPlan {
      switch self {
      case .nothingDone: FaultPlan(fail: n, of: Self.kinds)
      case .everythingDone: FaultPlan(fail: n, of: Self.kinds, effect: .everything)
      case .pagesLost: FaultPlan(fail: n, of: [.sync], effect: .losesPages)
      case .full: .diskFull(from: n, written: 100)
      }
    }
  }

  @Test(arguments: Fault.allCases)
  func `a new task is made once, and what was typed stays until then`(_ fault: Fault) async throws {
    try await untilNoFault(fault) { screen, context, arm in
      await screen.list.editNew { $0["project"] = "home" }
      let sheet = try #require(screen.list.sheet, context)
      sheet.body = "Six eggs"
      arm()
      try await save(sheet, on: screen, failing: fault, context)
      #expect(try screen.bob.find("project == 'home'").map(\.body) == ["Six eggs"], context)
    }
  }

  @Test(arguments: Fault.allCases)
  func `a task is changed, and what was typed stays until then`(_ fault: Fault) async throws {
    try await untilNoFault(fault) { screen, context, arm in
      let sheet = try #require(await screen.edit("milk"), context)
      sheet.body = "Get oat milk"
      sheet["priority"] = 2
      arm()
      try await save(sheet, on: screen, failing: fault, context)
      #expect(try screen.bob.task("milk")?["priority"] == 2, context)
      #expect(try screen.bob.task("milk")?.body == "Get oat milk", context)
    }
  }

  @Test(arguments: [Fault.nothingDone, .everythingDone, .full])
  func `a list opens, or says why not and opens then`(_ fault: Fault) async throws {
    try await untilNoFault(fault) { screen, context, arm in
      try screen.bob.delete("bread")
      arm()
      screen.list.open()
      await until { screen.list.status == .live || screen.list.failure != nil }
      screen.disk.faults.disarm()
      await show(["Get milk"], on: screen)
      try screen.bob.upsert(TaskItem(id: "eggs", body: "Six"))
      await show(["Six", "Get milk"], on: screen)
    }
  }

  /// Waits for the tasks, and opens the list anew where it says that it failed, which can be after it was opened.
  private func show(_ bodies: [String], on screen: TestScreen) async {
    while true {
      await until { screen.bodies == bodies || screen.list.failure != nil }
      if screen.list.failure == nil { return }
      screen.list.open()
    }
  }

  /// Saves while calls fail, then again where that was to no avail.
  private func save(
    _ sheet: TaskEditModel, on screen: TestScreen, failing fault: Fault, _ context: Comment
  ) async throws {
    let typed = sheet.task
    if await sheet.save() == false {
      #expect(sheet.error?.deed == .save && sheet.conflicts.isEmpty, context)
      #expect(sheet.task == typed && screen.list.sheet === sheet, context)
      screen.disk.faults.disarm()
      #expect(await sheet.save(), context)
    }
    screen.disk.faults.disarm()
    #expect(sheet.step == .closed(.saved) && screen.list.sheet == nil, context)
  }

  /// Calls `run` with a screen, and with what lets the first call of its disk fail, the second, … until one meets no fault.
  private func untilNoFault(
    _ fault: Fault,
    _ run: @MainActor (TestScreen, Comment, _ arm: @Sendable () -> Void) async throws -> Void
  ) async throws {
    var n = 1
    while true {
      let screen = try TestScreen { try $0.upsert(TaskItem(id: "bread")) }
      _ = try await screen.ledger.ledger()
      let plan = fault.plan(n)
      try await run(screen, "\(fault), call \(n)") { [disk = screen.disk] in disk.faults.arm(plan) }
      guard screen.disk.faults.faultsMet > 0 else { break }
      n += 1
    }
    print("\(fault) at each of \(n - 1) calls")
    #expect(n > 1)
  }
}
