import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// Files of any time of a ledger are taken away, damaged and put back, with repairs in between: no event is made up, none is given up
/// that a whole file in the folder has, and once all files are back, all is.
@Suite struct `Files that go and come at random` {
  @Test(arguments: TestSettings.seeds(20), [false, true])
  func `cost no event that one of them still has`(seed: UInt64, folds: Bool) throws {
    var bad = try BadDays(seed: seed, folds: folds)
    for _ in 0..<TestSettings.steps(12) { try bad.step() }
    try bad.end()
  }
}

/// A ledger's disk in the hands of somebody careless.
private struct BadDays {
  private let configuration = LedgerConfiguration.forTests(sealEvents: 3)
  private var random: SplitMix64
  /// The disk after each step of the ledger's life, and which events each file had then.
  private var copies: [TestDisk] = []
  private var held: [[UInt8]: ClosedRange<UInt64>] = [:]
  /// Every event that was made, folded ones too.
  private var events: [Event] = []
  private let disk: TestDisk
  private var told: [String]

  init(seed: UInt64, folds: Bool) throws {
    random = SplitMix64(seed: seed)
    told = ["seed \(seed)\(folds ? ", with folds" : "")"]
    disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    for number in 1...10 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: try ledger.sealNow()
      case 1: try ledger.compact()
      case 2: _ = try ledger.snapshot()
      case 3 where folds && events.count > 3:
        let before = UInt64.random(in: 2...UInt64(events.count), using: &random)
        _ = try? ledger.compact(.fold(before: .sequence(before)))
      default:
        let most = Int.random(in: 1...3, using: &random)
        try ledger.transaction { transaction in
          for part in 1...most {
            try transaction.upsert(
              TaskItem(id: TaskID("task \((number + part) % 5)"), body: "Body \(number).\(part)"))
          }
        }
      }
      let last = events.last?.sequence ?? 0
      events += try LedgerCheck.allEvents(of: ledger).filter { $0.sequence > last }
      try keepCopy(of: disk, last: ledger.lastSequence)
    }
  }

  private mutating func keepCopy(of disk: TestDisk, last: UInt64) throws {
    let copy = disk.processKilled()
    copies.append(copy)
    let manifest = try HeldManifest.load(from: copy.faults).manifest
    for entry in manifest.segments where entry.hasFile && entry.lost.isEmpty {
      let end = entry.kind == .active ? last : entry.lastSequence
      let bytes = copy.files[LedgerNames.inSegments(entry.file)] ?? []
      if entry.firstSequence <= end { held[bytes] = entry.firstSequence...end }
    }
  }

  /// Goes on with a sound ledger of which the end is there, whatever else is lost.
  private mutating func append() throws {
    guard let found = try? disk.verify(), found.isSound else { return }
    let ledger = try disk.open(configuration: configuration)
    guard try ledger.lastSequence == events.last?.sequence else { return }
    told.append("append")
    try ledger.upsert(TaskItem(id: "task 1", body: "Appended behind \(events.count)"))
    if let last = try LedgerCheck.allEvents(of: ledger).last { events.append(last) }
    try keepCopy(of: disk, last: ledger.lastSequence)
  }

  /// The events that are there, or were folded into what is.
  private func present(_ ledger: Ledger) throws -> SequenceRanges {
    let left = try LedgerCheck.allEvents(of: ledger)
    var present = SequenceRanges(ascending: left.map(\.sequence))
    let first = try HeldManifest.load(from: disk.faults).manifest.segments.first
    if let first, first.kind == .baseline, try ledger.losses().folded == nil {
      present.formUnion(SequenceRanges(1...first.lastSequence))
    }
    return present
  }

  private var context: Comment { Comment(rawValue: told.joined(separator: "; ")) }

  mutating func step() throws {
    let segments = disk.files.keys.filter { $0.hasPrefix("segments/") }.sorted()
    let copy = copies.randomElement(using: &random) ?? disk
    let old = copy.files.keys.filter { $0.hasPrefix("segments/") }.sorted()
    switch Int.random(in: 0..<12, using: &random) {
    case 0...1:
      guard let file = segments.randomElement(using: &random) else { return }
      told.append("remove \(file)")
      try disk.remove(file)
    case 2:
      guard let file = segments.randomElement(using: &random), var bytes = disk.files[file],
        !bytes.isEmpty
      else { return }
      let place = Int.random(in: 0..<bytes.count, using: &random)
      bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      told.append("flip \(file) at \(place)")
      try disk.overwrite(file, with: bytes)
    case 3...5:
      guard let file = old.randomElement(using: &random) else { return }
      // A segment is known by what it holds.
      let place = Int.random(in: 0..<4, using: &random) > 0 ? file : file + " (1)"
      told.append("put back \(file) as \(place)")
      try disk.overwrite(place, with: copy.files[file] ?? [])
    case 6:
      if Bool.random(using: &random) {
        told.append("lose the list")
        try disk.loseList()
      } else {
        told.append("lose CURRENT")
        if disk.files["CURRENT"] != nil { try disk.remove("CURRENT") }
      }
    case 7:
      told.append("put back an older list")
      for (file, bytes) in copy.listOfFiles { try disk.overwrite(file, with: bytes) }
    case 8:
      told.append("lose the word in LOCK")
      try disk.forgetDurableEnd()
      guard Bool.random(using: &random),
        let file = segments.last(where: { $0.hasSuffix(".active") })
      else { return }
      told.append("flip the end of \(file)")
      try disk.damageEnd(of: file)
    case 9: try append()
    default: try repair()
    }
  }

  /// - Returns: whether it was not refused.
  @discardableResult
  private mutating func repair() throws -> Bool {
    let before = disk.files
    told.append("repair")
    let repair: Repair
    do throws(LedgerError) {
      repair = try disk.repair(configuration: configuration)
    } catch {
      #expect(error.code == .damaged || error.code == .notFound, "\(error), \(context)")
      #expect((disk.files == before), "\(error), \(context)")
      return false
    }
    let ledger = try disk.open(configuration: configuration)
    let left = try LedgerCheck.allEvents(of: ledger)
    let known = Dictionary(uniqueKeysWithValues: events.map { ($0.sequence, $0) })
    #expect(left.allSatisfy { known[$0.sequence] == $0 }, context)
    let numbers = try present(ledger)
    // What nothing binds to this history, such as the middle of what is lost, is kept.
    for (name, bytes) in before where name.hasPrefix("segments/") {
      let range = held[bytes].map { SequenceRanges($0) } ?? SequenceRanges()
      let missing = range.without(numbers)
      #expect(missing.isEmpty || disk.files[name] == bytes, "\(name): \(missing) \(context)")
    }
    #expect(repair.lost.intersection(numbers).isEmpty, context)
    #expect(try ledger.lostEvents.intersection(numbers).isEmpty, context)
    if try ledger.losses().folded == nil {
      let all = events.filter { numbers.contains($0.sequence) }
      #expect(try ledger.replay().digest == RepairBench.plainDigest(all), context)
    }
    #expect(try disk.verify().isSound || !repair.leftAlone.isEmpty, context)
    #expect(try disk.repair(configuration: configuration).steps.isEmpty, context)
    return true
  }

  /// All files are put back, and those that do not belong there are repaired away.
  mutating func end() throws {
    var last: [String: UInt64] = [:]
    for (file, bytes) in copies.flatMap(\.files) {
      guard let range = held[bytes], range.upperBound >= last[file] ?? 0 else { continue }
      last[file] = range.upperBound
      try disk.overwrite(file, with: bytes)
    }
    told.append("put all back")
    // What was appended to a list without the end of the log and that end are two histories, which nobody chooses from.
    guard try repair() else { return }
    let numbers = try present(disk.open(configuration: configuration))
    // The first frame of an active segment of which no list and no word is left looks like what a failed sync leaves: it is kept.
    var kept = SequenceRanges()
    for (name, bytes) in disk.files where name.hasSuffix(".active") {
      if let range = held[bytes] { kept.formUnion(SequenceRanges(range)) }
    }
    for event in events where !numbers.contains(event.sequence) {
      #expect(kept.contains(event.sequence), "event \(event.sequence), \(context)")
    }
  }
}
