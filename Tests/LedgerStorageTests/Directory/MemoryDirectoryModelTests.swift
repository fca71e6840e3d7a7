import LedgerStorage
import Testing

/// A memory file against a model that keeps, for each byte, whether it is dirty.
@Suite struct `A memory file agrees with a byte-wise model` {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `through random writes, cuts, syncs and failed syncs`(_ seed: UInt64) throws {
    var random = SmallRandom(seed: seed)
    let memory = MemoryDirectory()
    let faults = FaultDirectory(memory)
    let file = try faults.make("a")
    try memory.syncFolder("")
    var model = Model()
    for step in 0..<200 {
      switch random.below(8) {
      case 0...3:
        let bytes = (0..<random.below(9)).map { _ in UInt8(random.below(255) + 1) }
        let offset = random.below(40)
        try file.write(bytes, at: UInt64(offset))
        model.write(bytes, at: offset)
      case 4, 5:
        let size = random.below(40)
        try file.truncate(to: UInt64(size))
        model.truncate(to: size)
      case 6:
        try file.sync()
        model.sync()
      default:
        faults.arm(FaultPlan(fail: 1, of: [.sync], effect: .losesPages))
        #expect(throws: (any Error).self) { try file.sync() }
        model.losePages()
      }
      try #require(try file.allBytes() == model.visible, "step \(step)")
      try #require(memory.powerCut().contents() == ["a": model.durable], "step \(step)")
    }
  }
}

private struct Model {
  var visible: [UInt8] = []
  var durable: [UInt8] = []
  var dirty: Set<Int> = []
  var isLengthDirty = false

  mutating func write(_ bytes: [UInt8], at offset: Int) {
    if bytes.isEmpty { return }
    extend(to: offset + bytes.count)
    for (index, byte) in bytes.enumerated() {
      visible[offset + index] = byte
      dirty.insert(offset + index)
    }
  }

  mutating func truncate(to size: Int) {
    extend(to: size)
    visible = Array(visible.prefix(size))
    dirty = dirty.filter { $0 < size }
    isLengthDirty = true
  }

  mutating func sync() {
    if isLengthDirty { durable = Array(durable.prefix(visible.count)) }
    let size = isLengthDirty ? visible.count : (dirty.max() ?? -1) + 1
    while durable.count < size { durable.append(0) }
    for index in dirty { durable[index] = visible[index] }
    losePages()
  }

  mutating func losePages() {
    dirty = []
    isLengthDirty = false
  }

  private mutating func extend(to size: Int) {
    while visible.count < size {
      dirty.insert(visible.count)
      visible.append(0)
    }
  }
}

/// A small generator that gives the same numbers for the same seed everywhere.
private struct SmallRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 2 &+ 1 }

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}
