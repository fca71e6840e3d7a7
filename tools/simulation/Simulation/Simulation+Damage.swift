import LedgerPlainModel
import LedgerStorage
import TaskLedger

/// The end of some simulations: a file of the ledger at rest is damaged, looked at, and repaired.
extension Simulation {
  /// A damage that a disk or a person can do to one file.
  private enum Damage: String, CaseIterable { case flip, cut, zeros, removed }

  func damageAndRepair() throws {
    handles = [nil, nil]
    if random.chance(50) { try opened().sealNow() }
    for _ in 0..<random.below(4) { try write(by: 0) }
    handles = [nil, nil]
    let disk = machine.memory.copy()
    let sound = try LedgerInspection.log(
      of: Ledger(disk.copy(), author: Self.author, configuration: configuration))
    let files = disk.contents().filter { $0.key != LedgerNames.lock && !$0.value.isEmpty }
    let names = files.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    // The file with the newest events is the one in which damage and a crash look alike.
    let newest = names.last { $0.hasSuffix(".active") }
    let file = random.chance(30) ? newest ?? random.pick(names) : random.pick(names)
    let damage = file == newest && random.chance(40) ? .flip : random.pick(Damage.allCases)
    tell("damage: \(damage.rawValue) of \(file)")
    counts.count("damage: \(damage.rawValue)")
    try inflict(damage, on: file, files[file] ?? [], of: disk)
    if random.chance(50) {
      // Nothing else than the frames tells then what of them was durable.
      tell("damage: no word in LOCK")
      counts.count("damage: no word in LOCK")
      try disk.setContents(LedgerNames.lock, [])
    }
    do {
      let isWhole = try checkAnswer(
        of: disk.copy(), sound, least: least(after: damage, of: file, sound.events))
      try checkNamed(file, of: disk.copy(), sound, isWhole: isWhole)
      try checkRepair(of: disk, sound)
    } catch {
      throw BrokenPromise("after \(damage.rawValue) of \(file): \(error)")
    }
  }

  private func inflict(
    _ damage: Damage, on file: String, _ bytes: [UInt8], of disk: MemoryDirectory
  ) throws {
    var bytes = bytes
    switch damage {
    case .flip: bytes[placeOfFlip(in: file, bytes)] ^= UInt8(1 << random.below(8))
    case .cut: bytes.removeLast(1 + random.below(bytes.count))
    case .zeros:
      let sector = random.below((bytes.count + 511) / 512) * 512
      for index in sector..<min(sector + 512, bytes.count) { bytes[index] = 0 }
    case .removed:
      try disk.unlink(file)
      return try disk.syncFolder(
        file.split(separator: "/").dropLast().joined(separator: "/"))
    }
    try disk.setContents(file, bytes)
  }

  /// Any place; in frames mostly one before the zeros with which their file ends.
  private func placeOfFlip(in file: String, _ bytes: [UInt8]) -> Int {
    let start = 112
    let end = bytes.lastIndex { $0 != 0 } ?? 0
    guard file.hasSuffix(".active"), end > start, random.chance(75) else {
      return random.below(bytes.count)
    }
    return start + random.below(end - start)
  }

  /// How many of the events are there, or the rest is called damaged: all, but for the end of the newest file. There a flipped bit
  /// can look like a crash in the last transaction, and where zeros or nothing follow, nobody can tell that there was more.
  private func least(after damage: Damage, of file: String, _ events: [PlainEvent]) -> Int {
    guard file.hasSuffix(".active"), let last = events.last else { return events.count }
    guard damage == .flip else { return 0 }
    return events.count { $0.transaction != last.transaction }
  }

  /// The answer is the same, or an error, or where the end of the newest file was hit a shorter log with the state that belongs
  /// to it.
  ///
  /// - Returns: whether all is there.
  private func checkAnswer(
    of disk: MemoryDirectory, _ sound: (events: [PlainEvent], horizon: Int), least: Int
  ) throws -> Bool {
    do {
      let ledger = try Ledger(disk, author: Self.author, configuration: configuration)
      let (events, _) = try LedgerInspection.log(of: ledger)
      guard sound.events.starts(with: events), events.count >= least
      else { throw BrokenPromise("a wrong log of \(events.count) events") }
      let replay = try ledger.replay()
      if sound.horizon == 0 {
        let model = PlainModel(arriving: events)
        guard replay.digest == model.digest() else { throw BrokenPromise("a wrong state") }
      }
      return events.count == sound.events.count
    } catch let broken as BrokenPromise {
      throw broken
    } catch {
      let code = LedgerError.wrapping(error).code
      guard code == .damaged || code == .unsupported || code == .notFound else { throw error }
      return false
    }
  }

  /// Verify names the file, unless nothing hangs on it.
  private func checkNamed(
    _ file: String, of disk: MemoryDirectory, _ sound: (events: [PlainEvent], horizon: Int),
    isWhole: Bool
  ) throws {
    let verification: Verification
    do {
      verification = try Ledger.verify(disk)
    } catch {
      guard error.code == .damaged || error.code == .unsupported, !isWhole else { throw error }
      return
    }
    let named = verification.files.filter { found in
      switch found.status {
      case .sound, .absent, .unlisted, .unneeded: false
      // What is not synced because anybody can do without it may have been torn before.
      case .leftOut: found.name == file
      default: true
      }
    }
    if isWhole && named.isEmpty { return }
    // A torn tail may be all that is left of the newest transaction, and of zeros nothing.
    if file.hasSuffix(".active") && verification.isSound { return }
    guard named.contains(where: { $0.name == file }) else {
      throw BrokenPromise("verify does not name it, but \(named.map(\.name))")
    }
  }

  /// A repair leaves a sound ledger, in which exactly that is missing which it calls lost.
  private func checkRepair(
    of disk: MemoryDirectory, _ sound: (events: [PlainEvent], horizon: Int)
  ) throws {
    let before = disk.contents()
    let repair: Repair
    do {
      repair = try Ledger.repair(disk, configuration)
    } catch {
      // Where no list of files fits, a repair says so.
      guard error.code == .damaged,
        disk.contents().filter({ $0.key != LedgerNames.lock })
          == before.filter({ $0.key != LedgerNames.lock })
      else { throw error }
      return counts.count("repairs refused")
    }
    counts.count("repairs")
    let after = try Ledger.verify(disk)
    guard after.isSound else { throw BrokenPromise("it is not sound after the repair") }
    let ledger = try Ledger(disk, author: Self.author, configuration: configuration)
    let (events, _) = try LedgerInspection.log(of: ledger)
    let left = Set(events.map(\.sequence))
    let last = try ledger.lastSequence
    let end = Int(clamping: repair.uncertainAfter ?? last)
    for event in sound.events where event.sequence <= end {
      let isLost = repair.lost.contains(UInt64(event.sequence))
      guard isLost != left.contains(event.sequence) else {
        throw BrokenPromise("event \(event.sequence) is \(isLost ? "not" : "") lost, unsaid")
      }
    }
    let known = Dictionary(uniqueKeysWithValues: sound.events.map { ($0.sequence, $0) })
    for event in events where event.sequence > sound.horizon && known[event.sequence] != event {
      throw BrokenPromise("event \(event.sequence) is another after the repair")
    }
    try ledger.upsert(TaskItem(id: "afterwards", body: "It goes on"))
    guard try Ledger.verify(disk).isSound else { throw BrokenPromise("it does not go on well") }
  }
}
