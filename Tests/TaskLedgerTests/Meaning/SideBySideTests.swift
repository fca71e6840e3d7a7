import Testing

@testable import TaskLedger

struct `Side by side with the plain model` {
  static let seeds = TestSettings.seeds(12)
  static let steps = TestSettings.steps(100)

  /// Segments of one event, of a few, and none at all.
  static let sealEvents: [UInt64?] = [3, nil, 1, 8, 40]

  @Test(arguments: seeds)
  func `a ledger says the same of a random stream`(seed: UInt64) throws {
    let sealEvents = Self.sealEvents[Int(seed) % Self.sealEvents.count]
    var pair = try SideBySide(seed: seed, sealEvents: sealEvents, handles: 1)
    for step in RandomStream(seed: seed).prefix(Self.steps) {
      try pair.take(step)
      if pair.random.chance(4) { try pair.reopen() }
      if pair.random.chance(4) { _ = try pair.anyHandle().compact() }
      if pair.random.chance(10) { try pair.comparePresent(pair.anyHandle()) }
      if pair.random.chance(5) { try pair.compareReplay(.present, pair.anyHandle()) }
    }
    try pair.compareEverything()
    try pair.reopen()
    try pair.compareEverything()
  }

  @Test(arguments: seeds)
  func `two handles that write in turn say the same`(seed: UInt64) throws {
    let sealEvents = Self.sealEvents[Int(seed / 2) % Self.sealEvents.count]
    var pair = try SideBySide(seed: seed, sealEvents: sealEvents, handles: 2)
    for step in RandomStream(seed: seed &+ 1_000_000, refusedPercent: 10).prefix(Self.steps) {
      try pair.take(step)
      if pair.random.chance(2) { try pair.reopen() }
      if pair.random.chance(3) { _ = try pair.anyHandle().compact() }
      if pair.random.chance(25) { try pair.comparePresent(pair.anyHandle()) }
    }
    for handle in pair.handles { try pair.comparePresent(handle) }
    try pair.compareHistory(pair.handles[1])
    try pair.compareReplay(.present, pair.handles[1])
  }
}
