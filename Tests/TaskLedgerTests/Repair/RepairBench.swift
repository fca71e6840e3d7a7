import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger

/// A ledger with a segment of every kind: three sealed ones, in the place of the first a baseline where asked for, a frozen one, an
/// active one, and snapshots.
struct RepairBench {
  let disk: TestDisk
  let configuration: LedgerConfiguration
  /// Every event that was ever made, folded ones too.
  let events: [Event]
  let files: [String: [UInt8]]

  /// - Parameters:
  ///   - bodyBytes: how long the texts are: with long ones a segment has two blocks.
  ///   - folds: whether the first six events are folded.
  init(bodyBytes: Int, folds: Bool) throws {
    var configuration = LedgerConfiguration.forTests(clock: try TestClock(), sealEvents: 6)
    configuration.filterEventsMin = 1
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    var events: [Event] = []
    for round in 0..<4 {
      if round == 3 {
        // What follows is frozen and cannot be sealed.
        disk.faults.onCall { call in
          if call.kind == .create && call.name.hasSuffix(".sealed") {
            throw LedgerError(.io, "no room for a sealed segment")
          }
        }
      }
      for task in 0..<6 {
        let text = String.unpressable(bodyBytes + 10 * round + task)
        if round == 0 {
          try ledger.upsert(TaskItem(id: Self.task(task), body: text))
        } else {
          try ledger.update(Self.task(task)) { $0["notes.\(round)"] = .text(text) }
        }
      }
      if round == 0 {
        events = try LedgerCheck.allEvents(of: ledger)
        _ = folds ? try ledger.compact(.fold(before: .sequence(6))).freedBytes : 0
      }
      if round < 2 { _ = try ledger.snapshot() }
    }
    try ledger.toggle(Self.task(0))
    try ledger.transaction(message: "together") {
      try $0.upsert(TaskItem(id: "late", body: "Late"))
      try $0.delete(Self.task(1))
      try $0.toggle("late")
    }
    try ledger.evict(Self.task(2))
    disk.faults.onCall(nil)
    try Sealer(disk.faults, options: StoreOptions(), pool: ZstdPool()).removeUnneededFiles()
    let known = Set(events.map(\.sequence))
    self.events =
      events + (try LedgerCheck.allEvents(of: ledger)).filter { !known.contains($0.sequence) }
    self.disk = disk
    self.configuration = configuration
    files = disk.files
  }

  static func task(_ number: Int) -> TaskID { TaskID(unchecked: "task-\(number)") }

  /// What makes one bench another.
  private struct Key: Hashable {
    var bodyBytes: Int
    var folds: Bool
    var isOther: Bool
  }

  private static let known = Guarded<[Key: RepairBench]>([:])

  /// A bench that is made once: what happens to a disk happens to a copy.
  ///
  /// - Parameter isOther: one of another ledger with the same tasks.
  static func made(
    bodyBytes: Int = twoBlocks, folds: Bool = false, isOther: Bool = false
  ) throws -> RepairBench {
    let key = Key(bodyBytes: bodyBytes, folds: folds, isOther: isOther)
    if let bench = known.withLock({ $0[key] }) { return bench }
    let bench = try RepairBench(bodyBytes: bodyBytes, folds: folds)
    return known.withLock { known in
      known[key] = known[key] ?? bench
      return known[key] ?? bench
    }
  }

  /// Texts of which six fill two blocks.
  static let twoBlocks = 28_000

  /// The place of a file in a ledger.
  enum Place: CaseIterable, Sendable {
    case firstSealed, middleSealed, lastSealed, baseline, frozen, active, manifest, current,
      snapshot

    /// Whether there is such a file only where history was folded.
    var needsFold: Bool { self == .baseline }
    var isSegment: Bool { self != .manifest && self != .current && self != .snapshot }
  }

  /// The name of the file in a place.
  func file(_ place: Place) -> String {
    func named(_ suffix: String) -> [String] {
      files.keys.filter { $0.hasSuffix(suffix) }.sorted()
    }
    let (sealed, active) = (named(".sealed"), named(".active"))
    return switch place {
    case .firstSealed: sealed[0]
    case .middleSealed: sealed[1]
    case .lastSealed: sealed[sealed.count - 1]
    case .baseline: named(".baseline")[0]
    case .frozen: active[0]
    case .active: active[1]
    case .manifest: files.keys.filter { $0.hasPrefix("MANIFEST-") }.max() ?? ""
    case .current: "CURRENT"
    case .snapshot: named(".snapshot")[0]
    }
  }

  /// What happens to a file.
  enum Damage: CaseIterable, Sendable {
    case flip, cut, missing, otherLedger
  }

  /// A disk on which something happened to a file.
  func disk(_ damage: Damage, _ place: Place, other: RepairBench) throws -> TestDisk {
    let disk = disk.processKilled()
    let name = file(place)
    var bytes = files[name] ?? []
    switch damage {
    case .flip:
      // In the first block or the payload of the first frame.
      let offset = name.hasSuffix(".active") ? 112 + 88 + 4 : 40
      bytes[offset] ^= 0x10
      try disk.overwrite(name, with: bytes)
    case .cut: try disk.overwrite(name, with: Array(bytes[..<min(bytes.count / 2, 300)]))
    case .missing: try disk.remove(name)
    case .otherLedger: try disk.overwrite(name, with: other.files[other.file(place)] ?? [])
    }
    return disk
  }
}

extension TestDisk {
  /// What is said of a file.
  func status(of file: String) throws -> Verification.Status? {
    try verify().files.first { $0.name == file }?.status
  }
}

extension Verification.Status {
  /// The status in a word.
  var word: String {
    switch self {
    case .sound: "sound"
    case .tornTail: "torn"
    case .damaged: "damaged"
    case .missing: "missing"
    case .otherLedger: "other ledger"
    case .unreadable: "unreadable"
    case .leftOut: "left out"
    case .absent: "absent"
    case .unlisted: "unlisted"
    case .unneeded: "unneeded"
    case .foreign: "foreign"
    }
  }
}

extension RepairBench {
  /// The digest that the plain model gives some events.
  static func plainDigest(_ events: [Event]) -> String? {
    PlainModel(arriving: events.map { PlainEvent($0) }).digest()
  }
}
