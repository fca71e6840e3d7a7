import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

#if canImport(Glibc)
  import Glibc
#endif

/// Observations that are made and dropped, most of them cancelled at a moment that nobody chose.
///
/// As many as an app makes in years: `LEDGER_TEST_OBSERVATIONS=100000 swift test --filter 'Observers that come and go'`.
@Suite struct `Observers that come and go` {
  @Test(arguments: TestSettings.seeds(1))
  func `leave no observer and no task behind, in memory`(seed: UInt64) async throws {
    let ledger = try TestLedger(sealEvents: 200).open()
    let crowd = ObserverCrowd(ledger, seed: seed)
    let left = try await crowd.comeAndGo(TestSettings.observations(1500))
    #expect(left == [], "seed \(seed)")
  }

  #if os(Linux)
    @Test func `leave no observer, task, thread or file behind, on disk`() async {
      await #expect(processExitsWith: .success) {
        let count = TestSettings.observations(1500)
        let folder = try TemporaryFolder()
        var configuration = LedgerConfiguration.forTests(sealEvents: 200)
        configuration.sealsInBackground = true
        let ledger = try Ledger.open(at: folder.path("tasks.ledger"), configuration: configuration)
        let crowd = ObserverCrowd(ledger, seed: TestSettings.seeds(1)[0])
        // What the runtime starts for itself is there after the first few.
        let early = try await crowd.comeAndGo(100)
        precondition(early.isEmpty, "\(early)")
        let before = OpenThings.count()
        let left = try await crowd.comeAndGo(count)
        precondition(left.isEmpty, "\(left)")
        ledger.finishBackgroundWork()
        let isBack = await OpenThings.settles(at: before)
        precondition(isBack, "open before: \(before), after: \(OpenThings.count())")
      }
    }
  #endif
}

/// Makes observers of all kinds on one ledger, ends them in all ways, and looks for what is left of them.
private final class ObserverCrowd {
  private let ledger: Ledger
  private var random: SplitMix64
  private var remains: [Remains] = []

  /// What ought to be gone once an observer has ended.
  private struct Remains {
    var kind: Ending
    weak var observer: AnyObject?
    weak var token: Token?
  }

  /// Held by the task that observes, and by nobody else.
  private final class Token: Sendable {
    func stay() {}
  }

  private enum Ending: CaseIterable {
    case neverAsked, dropped, cancelledBefore, cancelled, cancelledFollower, seenOnce
  }

  init(_ ledger: Ledger, seed: UInt64) {
    self.ledger = ledger
    random = SplitMix64(seed: seed)
  }

  /// Makes so many; what is left, in words.
  func comeAndGo(_ count: Int) async throws -> [String] {
    try ledger.upsert(TaskItem(id: "milk", body: "Get milk"))
    var done = 0
    while done < count {
      let size = min(50, count - done)
      try await round(of: size)
      done += size
      if let left = await whatIsLeft() { return ["\(left), after \(done)"] }
    }
    while ledger.observers.isWatching { await Task.yield() }
    let feed = ledger.shared.withLock { ($0.feed == nil, $0.feedUsers) }
    return feed == (true, 0) ? [] : ["a feed for \(feed.1)"]
  }

  /// Some of them side by side, with commits in between.
  private func round(of size: Int) async throws {
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<size {
      if number % 10 == 5 { try ledger.toggle("milk") }
      if let task = try await observe(Ending.allCases[random.below(Ending.allCases.count)]) {
        tasks.append(task)
      }
    }
    for task in tasks { try await task.value }
  }

  private func observe(_ ending: Ending) async throws -> Task<Void, any Error>? {
    let token = Token()
    guard ending != .cancelledFollower else {
      let follower = EventFollower(ledger, after: 0)
      remains.append(Remains(kind: ending, observer: follower, token: token))
      let task = Task { while try await follower.next() != nil { token.stay() } }
      await cancel(task)
      return task
    }
    let sort: TaskSort = random.chance(50) ? .byID : "body"
    let observer = try ledger.observe("true", sortedBy: sort, limit: 3).makeAsyncIterator().observer
    remains.append(Remains(kind: ending, observer: observer, token: token))
    switch ending {
    case .neverAsked: return nil
    case .dropped:
      _ = try await observer.next()
      return nil
    case .seenOnce:
      return Task {
        _ = try await observer.next()
        token.stay()
      }
    case .cancelledBefore, .cancelled, .cancelledFollower:
      let task = Task { while try await observer.next() != nil { token.stay() } }
      if ending == .cancelled { await cancel(task) } else { task.cancel() }
      return task
    }
  }

  /// Cancels at some moment: before the task began, while it reads, while it waits.
  private func cancel(_ task: Task<Void, any Error>) async {
    for _ in 0..<random.below(20) { await Task.yield() }
    task.cancel()
  }

  /// The system lets go of a task a moment after it has ended.
  private func whatIsLeft() async -> String? {
    for _ in 0..<1_000_000 {
      remains.removeAll { $0.observer == nil && $0.token == nil }
      if remains.isEmpty, ledger.observers.count == 0 { return nil }
      await Task.yield()
    }
    let kinds = remains.map { "\($0.kind)" }.joined(separator: ", ")
    return "\(ledger.observers.count) in the books; still there: \(kinds)"
  }
}

#if os(Linux)
  /// What a process has open.
  private struct OpenThings: Equatable {
    var files: Int
    var threads: Int

    static func count() -> OpenThings {
      OpenThings(files: entries(of: "/proc/self/fd"), threads: entries(of: "/proc/self/task"))
    }

    /// Whether no more is open than before, once all have come to rest.
    static func settles(at before: OpenThings) async -> Bool {
      for _ in 0..<1_000_000 {
        let now = count()
        if now.files <= before.files, now.threads <= before.threads { return true }
        await Task.yield()
      }
      return false
    }

    private static func entries(of folder: String) -> Int {
      guard let stream = opendir(folder) else { return 0 }
      defer { closedir(stream) }
      var count = 0
      while readdir(stream) != nil { count += 1 }
      return count
    }
  }
#endif
