import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What only holds what can be made again is in nobody's way, whatever stands in its place.
@Suite struct `Something else in the place of a snapshot` {
  enum Thing: Sendable {
    case folder, fullFolder, pipe, link, danglingLink, file, unreadable

    /// Puts it where nothing is.
    func put(at path: String) {
      switch self {
      case .folder: mkdir(path, 0o700)
      case .fullFolder:
        mkdir(path, 0o700)
        mkdir("\(path)/more", 0o700)
      case .pipe: mkfifo(path, 0o600)
      case .link: symlink("/tmp", path)
      case .danglingLink: symlink("nowhere", path)
      case .file, .unreadable:
        close(open(path, O_CREAT | O_WRONLY, self == .file ? 0o600 : 0))
      }
    }
  }

  private static var configuration: LedgerConfiguration { .forTests(sealEvents: 4) }

  /// A ledger of two snapshots, the files of which are named.
  private func withLedger(
    _ body: (_ path: String, _ ledger: Ledger, _ snapshots: [String]) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let path = "\(folder)/tasks.ledger"
      let ledger = try Ledger.open(at: path, author: "ann", configuration: Self.configuration)
      try ledger.transaction { transaction in
        for number in 1...6 {
          try transaction.upsert(TaskItem(id: TaskID("task \(number)"), body: "x"))
        }
      }
      _ = try ledger.snapshot()
      try ledger.toggle("task 1")
      _ = try ledger.snapshot()
      let files = try LocalDirectory(path: path).list("snapshots").map { "snapshots/\($0)" }
      try body(path, ledger, files)
    }
  }

  /// Everything that a snapshot helps with works without it, and nobody's answer changes.
  private func expectWorking(_ path: String, _ context: Comment) throws {
    let ledger = try Ledger.open(at: path, author: "ann", configuration: Self.configuration)
    #expect(try ledger.tasks().count == 6, context)
    let digest = try ledger.replay().digest
    let found = try Ledger.verify(at: path)
    // What this user may not read was not checked.
    let isRead = !found.files.contains { $0.status.word == "unreadable" }
    #expect(found.isSound == isRead && found.digest == digest, context)
    #expect(try Ledger.resumeVerification(at: path).isSound == isRead, context)
    _ = try ledger.statistics()
    _ = try Ledger.repairPlan(at: path)
    try Ledger.repair(at: path, configuration: Self.configuration)
    try ledger.toggle("task 1")
    try ledger.toggle("task 1")
    try ledger.compact()
    var policy = MaintenancePolicy()
    policy.snapshotEvents = 1
    policy.sealEvents = 1
    let report = try #require(try ledger.maintain(policy), context)
    #expect(report.damage == nil, context)
    #expect(report.steps.first { $0.job == .merge }?.outcome != .failed, context)
    #expect(try ledger.tasks().count == 6, context)
    let count = try ledger.lastSequence
    let backup = try ledger.backup(to: "\(path).copy")
    #expect(backup.sequence == count, context)
    #expect(try ledger.replay().digest == digest, context)
  }

  @Test(arguments: [Thing.folder, .fullFolder, .pipe, .link, .unreadable])
  func `is left out, told of, and in nobody's way`(_ thing: Thing) throws {
    try withLedger { path, ledger, files in
      for file in files {
        unlink("\(path)/\(file)")
        thing.put(at: "\(path)/\(file)")
      }
      let other = try Ledger.open(at: path, configuration: Self.configuration)
      _ = try other.tasks()
      #expect(other.takeNotices().contains { $0.hasPrefix("a snapshot is left out") })
      let found = try Ledger.verify(at: path)
      let isKept = thing == .unreadable && geteuid() != 0
      let word = isKept ? "unreadable" : "left out"
      #expect(found.files.count { $0.status.word == word } == 2)
      try expectWorking(path, "\(thing)")
      // A new one is made beside it.
      #expect(try Ledger.open(at: path, configuration: Self.configuration).snapshot() != nil)
      #expect(try Ledger.verify(at: path).isSound != isKept)
    }
  }

  @Test(arguments: [Thing.pipe, .danglingLink, .file])
  func `or of their folder is told of, and only keeps new ones from being made`(
    _ thing: Thing
  ) throws {
    try withLedger { path, ledger, files in
      for file in files { unlink("\(path)/\(file)") }
      rmdir("\(path)/snapshots")
      thing.put(at: "\(path)/snapshots")
      let found = try Ledger.verify(at: path)
      #expect(
        found.files.contains {
          if case .leftOut = $0.status { $0.name == "snapshots" } else { false }
        })
      try expectWorking(path, "\(thing)")
      let error = #expect(throws: LedgerError.self) {
        try Ledger.open(at: path, configuration: Self.configuration).snapshot()
      }
      #expect(error?.code == .io && error?.hint?.contains("can be made again") == true)
      var policy = MaintenancePolicy()
      policy.snapshotEvents = 1
      try ledger.toggle("task 2")
      try ledger.sealNow()
      let step = try ledger.maintain(policy)?.steps.first { $0.job == .snapshot }
      #expect(step?.outcome == .failed && step?.problem?.contains("snapshots") == true)
    }
  }

  @Test(arguments: [Thing.folder, .fullFolder, .pipe])
  func `or of how far a verification came begins it anew`(_ thing: Thing) throws {
    try withLedger { path, ledger, _ in
      _ = try Ledger.resumeVerification(at: path, events: 1)
      _ = try ledger.maintain()
      for file in ["checkpoints/verify.position", "checkpoints/checked"] {
        unlink("\(path)/\(file)")
        thing.put(at: "\(path)/\(file)")
      }
      let found = try Ledger.resumeVerification(at: path)
      #expect(found.isSound && found.earlier == nil)
      let isInTheWay = thing == .folder || thing == .fullFolder
      #expect((found.notKept != nil) == isInTheWay)
      let step = try ledger.maintain()?.steps.first { $0.job == .verify }
      #expect(step?.outcome == .done && (step?.problem != nil) == isInTheWay)
    }
  }
}
