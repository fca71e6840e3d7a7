extension MemoryDisk {
  /// Loses the power: every handle and lock is gone, and of what was not synced nothing is left.
  ///
  /// With a seed, each unsynced sector of 512 bytes, each length and each entry of a folder is by the toss of a coin what it was
  /// at the last sync, what it is now, or what it was in between: a disk writes in any order.
  mutating func cutPower(tearing seed: UInt64?) {
    var coin = seed.map(Coin.init)
    // Sorted, so that a seed means the same in every process.
    for node in folders.keys.sorted() { folders[node]?.cutPower(&coin) }
    for node in files.keys.sorted() { files[node]?.cutPower(&coin) }
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
