/// The entries of a folder in a ``MemoryDirectory``: as they are seen, and as a power cut leaves them.
///
/// Names are keyed by their bytes: a `String` would take two spellings of "é" for the same file.
struct MemoryFolder: Sendable {
  typealias Name = [UInt8]

  /// The number of the file or folder behind each name.
  private(set) var visible: [Name: Int] = [:]
  /// The same at the last sync of the folder.
  private(set) var durable: [Name: Int] = [:]
  /// What else each name that changed since then has led to meanwhile, 0 for nothing: a disk may have got as far as that.
  private var passing: [Name: [Int]] = [:]

  /// So many states of a name are remembered; it is the oldest that are forgotten.
  private static let passingMax = 8

  /// Lets a name lead elsewhere; nil takes it away.
  mutating func set(_ name: Name, _ node: Int?) {
    let before = visible[name]
    visible[name] = node
    guard before != durable[name] || passing[name] != nil else {
      if before != node { passing[name] = [] }
      return
    }
    passing[name, default: []].append(before ?? 0)
    passing[name] = passing[name]?.suffix(Self.passingMax)
  }

  mutating func sync() {
    durable = visible
    passing.removeAll()
  }

  /// Becomes what a power cut leaves. Each name that changed since the last sync leads where it led then, or later, as
  /// the coin decides for each by itself; without a coin no change is left.
  mutating func cutPower(_ coin: inout Coin?) {
    if coin != nil {
      // Sorted, so that a seed means the same in every process.
      for name in passing.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        let states = [durable[name] ?? 0] + (passing[name] ?? []) + [visible[name] ?? 0]
        let node = states[coin?.toss(states.count) ?? 0]
        durable[name] = node == 0 ? nil : node
      }
    }
    visible = durable
    passing.removeAll()
  }

  /// Makes an entry that is seen and durable.
  mutating func setDurably(_ name: Name, _ node: Int) {
    visible[name] = node
    durable[name] = node
    passing[name] = nil
  }

  /// Everything that a name leads to, or will after a power cut.
  var mentioned: some Sequence<Int> {
    [Array(visible.values), Array(durable.values), passing.values.flatMap { $0 }].joined()
  }
}
