import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// A disk that damages a backup between two runs.
@Suite struct `A backup that was damaged since the last run` {
  private let bench: BackupBench
  private let target = TestDisk()
  private let events: [Event]
  /// The files that hold events, or what was moved aside.
  private let files: [String]

  init() throws {
    bench = try BackupBench()
    try bench.open().backup(to: target.faults)
    events = try bench.events
    files = target.lastingFiles.keys.filter { $0.contains("/") }.sorted()
  }

  /// What can happen to a file that leaves it there.
  private static let damages: [(name: String, do: @Sendable ([UInt8]) -> [UInt8])] = [
    ("cut", { Array($0.dropLast(1)) }),
    ("empty", { _ in [] }),
    ("zeros", { [UInt8](repeating: 0, count: $0.count) }),
    (
      "first byte",
      { bytes in
        var bytes = bytes
        bytes[0] ^= 1
        return bytes
      }
    ),
    (
      "middle",
      { bytes in
        var bytes = bytes
        // Of a file of frames this lies in them, too: zeros follow.
        bytes[min(bytes.count / 2, 200)] ^= 0x10
        return bytes
      }
    ),
  ]

  @Test func `has each damaged file copied anew, and named, and is sound again`() throws {
    #expect(files.contains { $0.hasPrefix("aside/") } && files.count > 4)
    let ledger = try bench.open()
    for file in files {
      for damage in Self.damages {
        let copy = target.processKilled()
        let context: Comment = "\(file), \(damage.name)"
        let bytes = copy.files[file] ?? []
        try copy.overwrite(file, with: damage.do(bytes))
        let backup = try ledger.backup(to: copy.faults)
        #expect(backup.mended.map(\.file) == [file], context)
        #expect(backup.mended.allSatisfy { !$0.problem.isEmpty }, context)
        try bench.expectPrefix(copy, events, [events.count], context)
        #expect(try ledger.backup(to: copy.faults).mended == [], context)
      }
    }
  }

  @Test func `has every flipped bit of a segment noticed`() throws {
    let ledger = try bench.open()
    let file = try #require(files.first { $0.hasSuffix(".sealed") })
    let bytes = try #require(target.files[file])
    for place in bytes.indices {
      let copy = target.processKilled()
      var damaged = bytes
      damaged[place] ^= 1 << UInt8(place % 8)
      try copy.overwrite(file, with: damaged)
      #expect(try ledger.backup(to: copy.faults).mended.map(\.file) == [file], "byte \(place)")
      #expect(copy.files[file] == bytes, "byte \(place)")
    }
  }

  @Test func `copies nothing else anew`() throws {
    let file = try #require(files.first { $0.hasSuffix(".sealed") })
    try target.overwrite(file, with: [1, 2, 3])
    let backup = try bench.open().backup(to: target.faults)
    #expect(backup.copiedFiles == 1 && backup.files == files.count - 1)
  }

  @Test func `keeps a damaged file where the ledger's own is damaged, too, and names both`() throws
  {
    let file = try #require(files.first { $0.hasSuffix(".sealed") })
    var bytes = try #require(target.files[file])
    bytes[40] ^= 1
    try target.overwrite(file, with: bytes)
    try bench.disk.overwrite(file, with: bytes)
    let before = target.lastingFiles
    let error = #expect(throws: LedgerError.self) { try bench.open().backup(to: target.faults) }
    #expect(error?.code == .damaged)
    #expect(error?.cause?.contains("\(file) is damaged, too") == true, "\(error?.cause ?? "")")
    #expect(target.holds(before))
  }

  @Test func `whose list of files is damaged is not written to`() throws {
    for file in target.lastingFiles.keys where !file.contains("/") {
      let copy = target.processKilled()
      var bytes = copy.files[file] ?? []
      bytes[bytes.count / 2] ^= 1
      try copy.overwrite(file, with: bytes)
      let before = copy.lastingFiles
      let error = #expect(throws: LedgerError.self) { try bench.open().backup(to: copy.faults) }
      #expect(error?.code == .damaged && error?.hint?.contains("another folder") == true, "\(file)")
      #expect(copy.holds(before))
    }
  }

  @Test(arguments: [FaultKind.error, .lostAnswer, .shortWrite, .fullDisk])
  func `and whose mending fails is mended by the next run`(_ kind: FaultKind) throws {
    let ledger = try bench.open()
    let file = try #require(files.first { $0.hasSuffix(".sealed") })
    try target.overwrite(file, with: [1, 2, 3])
    var n = 1
    var isMet = true
    while isMet {
      let copy = target.processKilled()
      copy.faults.arm(kind.plan(n))
      let backup = try? ledger.backup(to: copy.faults)
      copy.faults.disarm()
      isMet = copy.faults.faultsMet > 0
      for left in [copy.processKilled(), copy.powerCut()] {
        if backup != nil { try bench.expectPrefix(left, events, [events.count], "\(kind) \(n)") }
        try ledger.backup(to: left.faults)
        try bench.expectPrefix(left, events, [events.count], "\(kind), call \(n)")
      }
      n += 1
    }
    #expect(n > 3)
  }
}
