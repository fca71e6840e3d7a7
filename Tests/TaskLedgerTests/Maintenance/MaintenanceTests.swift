import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// Maintenance that a schedule runs.
@Suite struct `Maintenance` {
  private let bench: BackupBench
  /// Everything is due at once.
  private let eager: MaintenancePolicy

  init() throws {
    bench = try BackupBench()
    var policy = MaintenancePolicy()
    policy.sealEvents = 1
    policy.verifyPercent = 100
    policy.snapshotEvents = 4
    policy.mergeSegments = 2
    eager = policy
  }

  private func outcomes(_ report: MaintenanceReport?) -> [MaintenanceReport.Outcome] {
    report?.steps.map(\.outcome) ?? []
  }

  @Test func `does what is due, and finds nothing more to do`() throws {
    try bench.append(2)
    let ledger = try bench.open()
    let planned = try ledger.maintain(eager, isDryRun: true)
    #expect(planned?.steps.map(\.job) == MaintenanceReport.Job.allCases)
    #expect(planned?.steps[0].outcome == .due)
    let files = bench.disk.lastingFiles
    #expect(outcomes(try ledger.maintain(eager, isDryRun: true)) == outcomes(planned))
    #expect(bench.disk.holds(files))
    let report = try ledger.maintain(eager)
    // What merging has replaced went with it.
    #expect(outcomes(report) == [.done, .done, .done, .done, .notDue])
    #expect(report?.damage == nil)
    #expect(try ledger.statistics().segments.map(\.kind) == ["sealed", "active"])
    #expect(try ledger.statistics().snapshots.count == 1)
    #expect(try bench.leftOver(bench.disk) == [])
    #expect(LedgerCheck.problems(ledger, bench.book.entries) == [])
    let again = try ledger.maintain(eager)
    #expect(outcomes(again) == [.notDue, .done, .notDue, .notDue, .notDue])
  }

  @Test func `does nothing that the policy does not want`() throws {
    var policy = MaintenancePolicy()
    policy.sealEvents = 0
    policy.verifyPercent = 0
    policy.snapshotEvents = 0
    policy.mergeSegments = 0
    policy.removesUnneeded = false
    let ledger = try bench.open()
    try ledger.sealNow()
    #expect(outcomes(try ledger.maintain(policy)) == [.off, .off, .off, .off, .off])
  }

  @Test func `reads every sealed segment in turn, those first that were read longest ago`() throws {
    let ledger = try bench.open()
    try bench.append(9)
    let sealed = try ledger.statistics().segments.filter { $0.kind == "sealed" }.map(\.file)
    #expect(sealed.count > 2)
    var policy = MaintenancePolicy()
    policy.verifyPercent = 1
    policy.mergeSegments = 0
    var read: [String] = []
    for _ in 0..<2 * sealed.count {
      // Each run as a process of its own: the place is kept on disk.
      let ledger = try bench.open()
      let first = bench.disk.faults.trace.calls.count
      let step = try ledger.maintain(policy)?.steps[1]
      #expect(step?.outcome == .done && step?.files == 1)
      let opened = bench.disk.faults.trace.calls[first...].filter { $0.kind == .read }.map(\.name)
      read.append(Set(opened).intersection(sealed).sorted().joined(separator: " "))
    }
    // The clock of the test stands still: among equals the order is that of the log.
    #expect(Set(read.prefix(sealed.count)) == Set(sealed))
  }

  @Test func `finds damage, and rewrites and removes nothing then`() throws {
    let ledger = try bench.open()
    try ledger.sealNow()
    let file = try ledger.statistics().segments[1].file
    var bytes = bench.disk.files[file] ?? []
    bytes[40] ^= 1
    try bench.disk.overwrite(file, with: bytes)
    let before = Set(bench.disk.files.keys.filter { $0.hasPrefix("segments/") })
    for _ in 1...2 {
      let report = try bench.open().maintain(eager)
      #expect(report?.damage?.code == .damaged && report?.damage?.path?.hasSuffix(file) == true)
      #expect(outcomes(report) == [.notDue, .damaged, .leftOut, .leftOut, .leftOut])
      #expect(Set(bench.disk.files.keys.filter { $0.hasPrefix("segments/") }) == before)
    }
  }

  @Test func `starts anew where its place is lost, damaged or another ledger's`() throws {
    let ledger = try bench.open()
    try ledger.sealNow()
    var policy = MaintenancePolicy()
    policy.verifyPercent = 100
    policy.mergeSegments = 0
    _ = try ledger.maintain(policy)
    let place = bench.disk.files[LedgerNames.checkedSegments] ?? []
    #expect(!place.isEmpty)
    for bad in [[], Array(place.dropLast()), place.map { $0 ^ 1 }] {
      try bench.disk.overwrite(LedgerNames.checkedSegments, with: bad)
      let report = try ledger.maintain(policy)
      #expect(report?.steps[1].outcome == .done && report?.damage == nil)
      #expect(bench.disk.files[LedgerNames.checkedSegments] == place)
    }
  }

  @Test func `is under way once at a time: who comes second returns at once`() throws {
    let ledger = try bench.open()
    try ledger.sealNow()
    let other = try bench.open(TestDisk(bench.disk.memory))
    let second = Guarded<[Bool]>([])
    let policy = eager
    bench.disk.faults.onCall { call in
      guard call.kind == .create, call.name.hasPrefix(LedgerNames.checkedSegments) else { return }
      let isElsewhere = try other.maintain(policy) == nil
      second.withLock { $0.append(isElsewhere) }
    }
    #expect(try ledger.maintain(policy) != nil)
    bench.disk.faults.onCall(nil)
    let answers = second.withLock { $0 }
    #expect(answers.count > 1 && answers.allSatisfy { $0 })
    #expect(try other.maintain(policy) != nil)
  }

  @Test func `leaves to the next run what another process is at`() throws {
    var configuration = bench.configuration
    configuration.lockTimeoutMilliseconds = 20
    let ledger = try bench.disk.open(configuration: configuration)
    let segments = try bench.disk.memory.open(LedgerNames.segments, .folder)
    #expect(try segments.tryLock(.exclusive))
    let report = try ledger.maintain(eager)
    #expect(outcomes(report) == [.busy, .done, .done, .busy, .busy])
    segments.close()
    #expect(outcomes(try ledger.maintain(eager)) == [.done, .done, .notDue, .done, .notDue])
  }

  @Test func `goes by the policy in the ledger's folder`() throws {
    let ledger = try bench.open()
    #expect(try ledger.maintenancePolicy() == MaintenancePolicy())
    try bench.disk.overwrite(LedgerNames.policy, with: Array("verify-percent = 0\n".utf8))
    #expect(try ledger.maintenancePolicy().verifyPercent == 0)
    #expect(try ledger.maintain()?.steps[1].outcome == .off)
    try bench.disk.overwrite(LedgerNames.policy, with: Array("verify = 0\n".utf8))
    let error = #expect(throws: LedgerError.self) { _ = try ledger.maintain() }
    #expect(error?.code == .invalid && error?.path?.hasSuffix("POLICY") == true)
  }
}
