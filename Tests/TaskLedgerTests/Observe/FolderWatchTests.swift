import Foundation
import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// Changes by other processes, on a real folder.
@Suite struct `A watched folder` {
  @Test func `tells of what others append, across sealed segments`() async throws {
    try await withFolder { path in
      let mine = try Ledger.open(at: path, configuration: .forTests(sealEvents: 4))
      let theirs = try Ledger.open(at: path, configuration: .forTests(sealEvents: 4))
      var values = try mine.observe("true").makeAsyncIterator()
      _ = try await values.value()
      for number in 0..<15 {
        let task = Task.detached { [observer = values.observer] in try await observer.next() }
        while !values.observer.signal.isAwaited { await Task.yield() }
        try theirs.upsert(TaskItem(id: TaskID("task \(number)")))
        #expect(try await task.value?.count == number + 1)
      }
      #expect(mine.takeNotices() == [])
    }
  }

  @Test func `may be moved`() async throws {
    try await withFolder { path in
      let mine = try Ledger.open(at: path)
      var values = try mine.observe("true").makeAsyncIterator()
      _ = try await values.value()
      try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
      let theirs = try Ledger.open(at: path + ".moved", createIfMissing: false)
      try theirs.upsert(TaskItem(id: "milk"))
      #expect(try await values.value().map(\.id) == ["milk"])
    }
  }

  @Test func `that is deleted ends what follows it`() async throws {
    try await withFolder { path in
      let mine = try Ledger.open(at: path)
      try mine.upsert(TaskItem(id: "milk"))
      let observed = try mine.observe("true")
      let started = Awaited<Bool>()
      let observing = Task {
        for try await _ in observed { started.leave(true) }
      }
      let following = Task { for try await _ in mine.events(after: 0) {} }
      while mine.observers.count < 2 { await Task.yield() }
      try FileManager.default.removeItem(atPath: path)
      for task in [observing, following] {
        let error = await #expect(throws: LedgerError.self) { try await task.value }
        #expect([.damaged, .notFound, .io].contains(error?.code), "\(String(describing: error))")
      }
      #expect(mine.observers.count == 0)
    }
  }

  @Test func `is looked at once a second where the system does not tell`() async throws {
    try await withFolder { path in
      _ = try Ledger.open(at: path)
      let faults = FaultDirectory(try LocalDirectory(path: path))
      faults.arm(FaultPlan(fail: 1, of: [.watch], with: EMFILE, lasting: .forever))
      let mine = try Ledger(faults, author: "tester", configuration: .forTests())
      let theirs = try Ledger.open(at: path)
      var values = try mine.observe("true").makeAsyncIterator()
      _ = try await values.value()
      let task = Task.detached { [observer = values.observer] in try await observer.next() }
      while !values.observer.signal.isAwaited { await Task.yield() }
      try theirs.upsert(TaskItem(id: "milk"))
      #expect(try await task.value?.count == 1)
      let notices = mine.takeNotices()
      #expect(notices.count == 1)
      #expect(notices.first?.contains("looked for once a second") == true, "\(notices)")
      #expect(notices.first?.contains("EMFILE") == true, "\(notices)")
    }
  }

  #if os(Linux)
    @Test func `takes one descriptor and one thread, and gives them back`() async {
      await #expect(processExitsWith: .success) {
        try await withFolder { path in
          let ledger = try Ledger.open(at: path)
          try ledger.upsert(TaskItem(id: "milk"))
          func count(_ what: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(what)").count
          }
          // Who reads what has changed has a file open for a moment.
          func hasOpen(atMost most: Int) async throws -> Bool {
            for _ in 0..<100_000 {
              if try count("fd") <= most { return true }
              await Task.yield()
            }
            return false
          }
          func settle() async { while ledger.observers.isWatching { await Task.yield() } }
          // What the runtime starts for itself is there after the first round.
          for try await _ in try ledger.observe("true") { break }
          await settle()
          let files = try count("fd")
          let observed = try ledger.observe("true")
          var held: [TaskObservation.Iterator] = []
          for _ in 0..<100 {
            held.append(observed.makeAsyncIterator())
            _ = try await held[held.count - 1].next()
            let isOne = try await hasOpen(atMost: files + 1)
            precondition(isOne)
          }
          held = []
          await settle()
          for _ in 0..<200 {
            for try await _ in observed { break }
            for try await _ in ledger.events(after: 0) { break }
          }
          await settle()
          let isBack = try await hasOpen(atMost: files)
          precondition(isBack)
        }
      }
    }
  #endif
}

/// Runs something with the path of a ledger that can be made.
private func withFolder(_ body: (String) async throws -> Void) async throws {
  let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("ledger-watch-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: path) }
  try await body("\(path)/tasks.ledger")
}
