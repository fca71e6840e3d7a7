import LedgerCore
import LedgerFormat

/// Looks at what is only kept to spare work, or to tell of more: what LOCK says of the end of the log, what maintenance has read, and how
/// far a verification came. All of it can be lost: whatever is wrong with it is said, and leaves the ledger sound.
struct HintCheck {
  private let directory: any LedgerDirectory
  private let ledger: ReplicaID

  init(_ directory: any LedgerDirectory, of ledger: ReplicaID) {
    self.directory = directory
    self.ledger = ledger
  }

  /// What is wrong with what LOCK says; nil where it says nothing, too.
  func lock() -> LedgerError? {
    guard DurableEnd.isBroken(of: ledger, in: directory) else { return nil }
    return LedgerError(
      .damaged,
      "what it says of the end of the log does not fit its checksum, or is about another ledger: nobody goes by it",
      path: directory.pathOf(LedgerNames.lock))
  }

  /// The files that nobody goes by, though they are there.
  func files() -> [VerifyReport.File] {
    [
      file(LedgerNames.checkedSegments, CheckedSegments.bytesMax) { bytes throws(LedgerError) in
        try CheckedSegments(bytes).ledger
      },
      file(LedgerNames.verifyPosition, VerifyPosition.byteCount) { bytes throws(LedgerError) in
        try VerifyPosition(bytes).ledger
      },
    ].compactMap(\.self)
  }

  private func file(
    _ name: String, _ most: Int, _ read: ([UInt8]) throws(LedgerError) -> ReplicaID
  ) -> VerifyReport.File? {
    var file = VerifyReport.File(name: name, bytes: 0, status: .sound)
    // Something else in the place of the folder is told of itself.
    guard (try? directory.checkFolder(LedgerNames.checkpoints)) != nil else { return nil }
    do throws(LedgerError) {
      let bytes = try LedgerError.typing { try directory.contents(of: name, atMost: UInt64(most)) }
      file.bytes = UInt64(bytes.count)
      let found = try read(bytes)
      guard found != ledger else { return nil }
      throw LedgerError(.damaged, "it is of the ledger \(found), expected \(ledger)")
    } catch {
      if error.code == .notFound { return nil }
      var error = error
      if error.path == nil { error.path = directory.pathOf(name) }
      let isLeftOut = error.code != .io || error.isOfOtherKind
      file.status = isLeftOut ? .leftOut(error) : .unreadable(error)
      return file
    }
  }
}
