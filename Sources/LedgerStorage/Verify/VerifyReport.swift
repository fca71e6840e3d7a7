import LedgerCore
import LedgerFormat

/// What a verification found, file by file.
package struct VerifyReport: Sendable {
  /// What is to be said of a file.
  package enum Status: Sendable {
    /// Every byte is as it was written.
    case sound
    /// An interrupted write left bytes behind that no whole transaction claims.
    case tornTail(bytes: UInt64, offset: UInt64)
    /// It is not what it should be.
    case damaged(LedgerError)
    /// The system or a newer version keeps it from being read: it may be as it should be.
    case unreadable(LedgerError)
    /// A snapshot that is not used, because it is not what it should be; nothing is lost with it.
    case leftOut(LedgerError)
    /// Nothing names it; it can be removed.
    case unneeded

    /// What an error says of the file that it is about.
    init(_ error: LedgerError) {
      self = error.code == .damaged ? .damaged(error) : .unreadable(error)
    }
  }

  package struct File: Sendable {
    package var name: String
    package var bytes: UInt64
    package var status: Status
    /// The sequence numbers that it holds, where it holds events.
    package var sequences: ClosedRange<UInt64>?
  }

  package var files: [File] = []
  /// How many events were read and found to be as they were written.
  package var events: UInt64 = 0
  /// The log digest after the last event; nil when not all is sound.
  package var logDigest: Digest?
  /// The state digest of the refolded events; nil when not all is sound.
  package var stateDigest: Digest?
  /// How many tasks exist; nil when not all is sound.
  package var tasks: Int?

  /// Whether everything was read and nothing is damaged.
  package var isSound: Bool {
    files.allSatisfy { file in
      switch file.status {
      case .damaged, .unreadable: false
      case .sound, .tornTail, .leftOut, .unneeded: true
      }
    }
  }
}
