import LedgerFormat
import LedgerStorage

/// What a verification found.
public struct Verification: Sendable {
  /// What is to be said of a file.
  public enum Status: Sendable {
    /// Every byte is as it was written.
    case sound
    /// An interrupted write left bytes behind that no whole transaction claims; the next write moves them aside.
    case tornTail(bytes: UInt64, offset: UInt64)
    /// It is not what it should be.
    case damaged(LedgerError)
    /// It could not be read, because the system refused or a newer version wrote it; it may be as it should be.
    case unreadable(LedgerError)
    /// A snapshot that does not fit the events, or is damaged; it is not used, and nothing is lost with it.
    case leftOut(LedgerError)
    /// Nothing names it.
    case unneeded
  }

  /// One file of the ledger.
  public struct File: Sendable {
    /// Its name inside the ledger's folder.
    public var name: String
    /// Its length in bytes.
    public var bytes: UInt64
    /// What was found.
    public var status: Status
    /// The sequence numbers of the events that it holds.
    public var sequences: ClosedRange<UInt64>?
  }

  /// Every file that was read, in order.
  public var files: [File]
  /// How many events were read and found to be as they were written.
  public var events: UInt64
  /// The log digest after the last event, 64 hexadecimal digits; nil when not all is sound.
  public var logDigest: String?
  /// The state digest of the events folded anew; nil when not all is sound.
  public var digest: String?
  /// How many tasks exist; nil when not all is sound.
  public var tasks: Int?
  /// Whether everything was read and nothing is damaged.
  public var isSound: Bool
}

extension Ledger {
  /// Reads every byte of every file of a ledger, checks every checksum and the log digest, folds the events
  /// anew, and compares the snapshots with them. It writes nothing.
  ///
  /// - Parameters:
  ///   - path: the ledger's folder; it need not be possible to open it.
  ///   - progress: called now and then with the number of events checked so far.
  /// - Returns: what was found; damage is part of it, and so is a file that cannot be read, not an error.
  /// - Throws: ``LedgerError`` with code `notFound` where there is no ledger, `unsupported` where a newer version wrote the list
  ///   of its files, `io` where the system refuses to give that; nothing is ever changed.
  public static func verify(
    at path: String, progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> Verification {
    let directory = try LedgerError.typing { try LocalDirectory(path: path) }
    return try verify(directory, progress: progress)
  }

  package static func verify(
    _ directory: any LedgerDirectory, progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> Verification {
    var verifier = Verifier(directory, pool: ZstdPool(), progress: progress)
    let report = try verifier.run()
    return Verification(
      files: report.files.map(Verification.File.init), events: report.events,
      logDigest: report.logDigest?.hex, digest: report.stateDigest?.hex, tasks: report.tasks,
      isSound: report.isSound)
  }
}

extension Verification.File {
  init(_ file: VerifyReport.File) {
    name = file.name
    bytes = file.bytes
    sequences = file.sequences
    status =
      switch file.status {
      case .sound: .sound
      case .tornTail(let bytes, let offset): .tornTail(bytes: bytes, offset: offset)
      case .damaged(let error): .damaged(error)
      case .unreadable(let error): .unreadable(error)
      case .leftOut(let error): .leftOut(error)
      case .unneeded: .unneeded
      }
  }
}
