extension MemoryDisk {
  /// Loses the power: every handle and lock is gone, and of what was not synced nothing is left.
  ///
  /// With a seed, each sector of 512 bytes that was not synced, each length and the unsynced entries of each folder
  /// are kept or lost by the toss of a coin instead.
  mutating func cutPower(tearing seed: UInt64?) {
    var coin = seed.map(Coin.init)
    // Sorted, so that a seed means the same in every process.
    for node in folders.keys.sorted() {
      let keeps = coin?.toss() ?? false
      folders[node]?.cutPower(keepsChanges: keeps)
    }
    for node in files.keys.sorted() {
      if coin == nil {
        files[node]?.cutPower(keepsDirty: nil)
      } else {
        files[node]?.cutPower { coin?.toss() ?? false }
      }
    }
    dropFoldersWithoutName()
    closeAll()
  }

  /// A folder whose own name is lost is lost with all that is in it.
  private mutating func dropFoldersWithoutName() {
    var reached: Set<Int> = []
    var waiting = [Self.root]
    while let node = waiting.popLast() {
      guard let folder = folders[node], reached.insert(node).inserted else { continue }
      waiting += folder.visible.values
    }
    folders = folders.filter { reached.contains($0.key) }
  }
}

/// A coin whose tosses follow from a seed (SplitMix64).
private struct Coin {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func toss() -> Bool {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return (mixed ^ (mixed >> 31)) >> 63 == 1
  }
}
