/// The entries of a folder in a ``MemoryDirectory``: as they are seen, and as a power cut leaves them.
///
/// Names are keyed by their bytes: a `String` would take two spellings of "é" for the same file.
struct MemoryFolder: Sendable {
  typealias Name = [UInt8]

  /// The number of the file or folder behind each name.
  var visible: [Name: Int] = [:]
  /// The same at the last sync of the folder.
  private(set) var durable: [Name: Int] = [:]

  mutating func sync() { durable = visible }

  /// Becomes what a power cut leaves, or what is seen when the last changes happened to reach the disk.
  mutating func cutPower(keepsChanges: Bool) {
    if keepsChanges { durable = visible }
    visible = durable
  }

  /// Makes an entry that is seen and durable.
  mutating func setDurably(_ name: Name, _ node: Int) {
    visible[name] = node
    durable[name] = node
  }

  /// Everything that a name leads to, or will after a power cut.
  var mentioned: some Sequence<Int> {
    [visible.values, durable.values].joined()
  }
}
