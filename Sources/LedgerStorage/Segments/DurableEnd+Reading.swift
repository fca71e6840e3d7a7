import LedgerCore
import LedgerFormat

/// Reading what LOCK says of the active segment's end.
extension DurableEnd {
  /// What LOCK says of a ledger, of whichever segment; nil where it says nothing, or nothing whole.
  package init?(of ledger: ReplicaID, in directory: any LedgerDirectory) {
    guard let bytes = Self.bytes(in: directory) else { return nil }
    self.init(bytes, of: ledger)
  }

  /// What stands in LOCK in its place; nil where LOCK does not reach so far, or cannot be read.
  private static func bytes(in directory: any LedgerDirectory) -> [UInt8]? {
    guard let file = try? directory.open(LedgerNames.lock, .read) else { return nil }
    defer { file.close() }
    guard let bytes = try? file.read(at: offset, count: byteCount), bytes.count == byteCount
    else { return nil }
    return bytes
  }

  /// Whether LOCK holds something in its place that is none: it is damaged, or about another ledger.
  static func isBroken(of ledger: ReplicaID, in directory: any LedgerDirectory) -> Bool {
    var found: [UInt8]?
    for _ in 0..<looksMax {
      guard let bytes = bytes(in: directory), bytes != nothing,
        DurableEnd(bytes, of: ledger) == nil
      else { return false }
      // Who reads while it is written may see a part of it.
      if bytes == found { return true }
      found = bytes
      sleep(milliseconds: 1)
    }
    return false
  }

  private static let looksMax = 8
}
