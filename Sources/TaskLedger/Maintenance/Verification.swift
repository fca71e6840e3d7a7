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
    /// It is not there.
    case missing(LedgerError)
    /// It is a file of another ledger.
    case otherLedger(LedgerError)
    /// It could not be read, because the system refused or a newer version wrote it; it may be as it should be.
    case unreadable(LedgerError)
    /// It is damaged, or does not fit, and nobody goes by it: a snapshot, or what LOCK or a file in `checkpoints` says only to spare
    /// work. Nothing is lost with it.
    case leftOut(LedgerError)
    /// It is not there, and whoever needs it makes it anew: LOCK.
    case absent
    /// A file of this ledger with events that the list of files lacks, such as what a failed sync left; nothing removes it. Where the
    /// events were acknowledged, CURRENT is said to be damaged.
    case unlisted
    /// A file of the ledger's own making that nothing names, such as one that was replaced; it can be removed.
    case unneeded
    /// A file that is none of the ledger's.
    case foreign
  }

  /// One file of the ledger.
  public struct File: Sendable {
    /// Its name inside the ledger's folder.
    public var name: String
    /// Its length in bytes.
    public var bytes: UInt64
    /// What was found.
    public var status: Status
    /// The sequence numbers of the events that it holds, or held.
    public var sequences: ClosedRange<UInt64>?
    /// The sequence numbers of the events that it holds and the ledger counts as lost: a repair takes them back. Of an unlisted file.
    public var returned: SequenceRanges
  }

  /// A part that was verified before and was not read again.
  public struct Earlier: Sendable {
    /// The last event of it.
    public var through: UInt64
    /// When the verification began.
    public var time: LedgerTime
  }

  /// Every file that was read, in order.
  public var files: [File]
  /// How many events were read and found to be as they were written.
  public var events: UInt64
  /// The sequence numbers of the events that are as they were written.
  public var intact: SequenceRanges
  /// The sequence numbers of the events that are no longer there. ``Ledger/repair(at:configuration:progress:)`` puts that on record.
  public var lost: SequenceRanges
  /// The sequence numbers of the events of which nobody can tell: the bytes in which they are cannot be told apart, or not be
  /// read.
  public var doubtful: SequenceRanges
  /// The sequence numbers of events that were lost earlier, as a repair recorded; of folded history, of those that may have been.
  public var lostBefore: SequenceRanges
  /// Those of them that had been folded; nil where nothing was lost of what still counted.
  public var foldedLoss: FoldedLoss?
  /// The last event that is known of, where others may have been lost behind it; nil where the end is known.
  public var uncertainAfter: UInt64?
  /// What was verified before and was not read again; nil where everything was read.
  public var earlier: Earlier?
  /// Why a verification that was to go on began anew; nil where it did not.
  public var restarted: String?
  /// Why it is not kept how far the run came, so that the next one begins anew: something else stands in that place; nil where it
  /// is kept, or was not to be.
  public var notKept: LedgerError?
  /// The last event that was checked, where the rest is left to the next run; nil where nothing is.
  public var stoppedAfter: UInt64?
  /// The log digest after the last event, 64 hexadecimal digits; nil when not all is sound.
  public var logDigest: String?
  /// The state digest of the events folded anew; nil when not all is sound.
  public var digest: String?
  /// How many tasks exist; nil when not all is sound.
  public var tasks: Int?
  /// Whether it is a backup, which is repaired by the next `backup` to it.
  public var isBackup: Bool
  /// What to do about the list of files, where a repair cannot help, or something else is to be tried first; nil where that is not so.
  public var listHint: String?
  /// Whether everything that was read is as it was written, and everything could be read.
  public var isSound: Bool
}

extension Ledger {
  /// Reads every byte of every file of a ledger, checks every checksum and the log digest, folds the events
  /// anew, and compares the snapshots with them. It writes nothing.
  ///
  /// ```swift
  /// let found = try Ledger.verify(at: "tasks.ledger")
  /// if !found.isSound { print("lost:", found.lost.text(), "in doubt:", found.doubtful.text()) }
  /// ```
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

  /// Verifies a ledger piece by piece: each run goes on where the last one stopped, or was interrupted.
  ///
  /// Where a run came is kept in the ledger's folder, with the log digest there and the names of the files that were read; where these
  /// changed, everything is read again, and ``Verification/restarted`` says so. Once a run came to the end, the next begins anew.
  ///
  /// ```swift
  /// let found = try Ledger.resumeVerification(at: "tasks.ledger", events: 1_000_000)   // a share of a huge ledger
  /// print(found.stoppedAfter ?? 0)
  /// ```
  /// - Parameters:
  ///   - path: the ledger's folder.
  ///   - events: about so many events are checked, in whole segments; all that are left unless something else is said.
  ///   - configuration: the clock.
  ///   - progress: called now and then with the number of events checked so far.
  /// - Throws: ``LedgerError`` as ``verify(at:progress:)``, and `io` where the position cannot be kept.
  public static func resumeVerification(
    at path: String, events: UInt64 = .max,
    configuration: LedgerConfiguration = LedgerConfiguration(),
    progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> Verification {
    let directory = try LedgerError.typing { try LocalDirectory(path: path) }
    let resuming = Verifier.Resuming(now: configuration.clock(), eventsMax: max(1, events))
    return try verify(directory, resuming: resuming, progress: progress)
  }

  package static func verify(
    _ directory: any LedgerDirectory, resuming: Verifier.Resuming? = nil,
    progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> Verification {
    var verifier = Verifier(directory, pool: ZstdPool(), progress: progress)
    return Verification(try verifier.run(resuming: resuming))
  }
}

extension Verification {
  init(_ report: VerifyReport) {
    self.init(
      files: report.files.map(Verification.File.init), events: report.events,
      intact: report.intact, lost: report.lost, doubtful: report.doubtful,
      lostBefore: report.lostBefore, foldedLoss: report.foldedLoss,
      uncertainAfter: report.uncertainAfter,
      earlier: report.earlier.map { Earlier(through: $0.through, time: $0.time) },
      restarted: report.restarted, notKept: report.notKept,
      stoppedAfter: report.stoppedAfter,
      logDigest: report.logDigest?.hex, digest: report.stateDigest?.hex, tasks: report.tasks,
      isBackup: report.isBackup, listHint: report.listHint, isSound: report.isSound)
  }
}

extension Verification.File {
  init(_ file: VerifyReport.File) {
    name = file.name
    bytes = file.bytes
    sequences = file.sequences
    returned = file.returned
    status =
      switch file.status {
      case .sound: .sound
      case .tornTail(let bytes, let offset): .tornTail(bytes: bytes, offset: offset)
      case .damaged(let error): .damaged(error)
      case .missing(let error): .missing(error)
      case .otherLedger(let error): .otherLedger(error)
      case .unreadable(let error): .unreadable(error)
      case .leftOut(let error): .leftOut(error)
      case .absent: .absent
      case .unlisted: .unlisted
      case .unneeded: .unneeded
      case .foreign: .foreign
      }
  }

  /// Why the ledger is damaged because of this file; nil where it is not.
  public var fault: LedgerError? {
    switch status {
    case .damaged(let error), .missing(let error), .otherLedger(let error): error
    case .sound, .tornTail, .unreadable, .leftOut, .absent, .unlisted, .unneeded, .foreign: nil
    }
  }
}
