import LedgerStorage

// Where the folder is.
extension Ledger {
  /// Whether the path that was given leads to the folder that was opened: a handle stays with its folder, which can be moved,
  /// deleted, or have another put in its place meanwhile. True of a ledger in memory.
  package var isAtItsPath: Bool { directory.isAtItsPath }
}
