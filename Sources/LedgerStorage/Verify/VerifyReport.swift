import LedgerCore
import LedgerFormat

/// What a verification found, file by file, and of which events.
package struct VerifyReport: Sendable {
  /// What is to be said of a file.
  package enum Status: Sendable {
    /// Every byte is as it was written.
    case sound
    /// An interrupted write left bytes behind that no whole transaction claims.
    case tornTail(bytes: UInt64, offset: UInt64)
    /// It is not what it should be.
    case damaged(LedgerError)
    /// It is not there.
    case missing(LedgerError)
    /// It is a file of another ledger.
    case otherLedger(LedgerError)
    /// The system or a newer version keeps it from being read: it may be as it should be.
    case unreadable(LedgerError)
    /// A snapshot, or something else that is only kept to spare work, which nobody goes by because it is not what it should be; nothing
    /// is lost with it.
    case leftOut(LedgerError)
    /// It is not there, and whoever needs it makes it anew.
    case absent
    /// A file of this ledger with events that the list of files lacks; nothing removes it.
    case unlisted
    /// A file of this ledger that nothing names; it can be removed.
    case unneeded
    /// A file that is none of a ledger's.
    case foreign

    /// What an error says of the file that it is about.
    init(_ error: LedgerError) {
      self = error.code == .damaged ? .damaged(error) : .unreadable(error)
    }

    init(_ fault: FaultBeside) {
      self =
        switch fault {
        case .otherLedger(let error): .otherLedger(error)
        case .damaged(let error): .damaged(error)
        case .foreign: .foreign
        }
    }

    /// Whether the ledger is unsound because of it.
    package var isFault: Bool {
      switch self {
      case .damaged, .missing, .otherLedger, .unreadable: true
      case .sound, .tornTail, .leftOut, .absent, .unlisted, .unneeded, .foreign: false
      }
    }

    var isUnreadable: Bool { if case .unreadable = self { true } else { false } }

    /// Why the file is not what it should be; nil where it is, or may be.
    package var fault: LedgerError? {
      switch self {
      case .damaged(let error), .missing(let error), .otherLedger(let error): error
      case .sound, .tornTail, .unreadable, .leftOut, .absent, .unlisted, .unneeded, .foreign: nil
      }
    }
  }

  package struct File: Sendable {
    package var name: String
    package var bytes: UInt64
    package var status: Status
    /// The sequence numbers that it holds, where it holds events.
    package var sequences: ClosedRange<UInt64>?
    /// The events that it holds and the list counts as lost: a repair takes them back.
    package var returned = SequenceRanges()
  }

  /// A part that was verified before, and when that began.
  package struct Earlier: Sendable {
    package var through: UInt64
    package var time: LedgerTime
  }

  package var files: [File] = []
  /// How many events were read and found to be as they were written.
  package var events: UInt64 = 0
  /// The events that are as they were written.
  package var intact = SequenceRanges()
  /// The events that are no longer there, of which no record says so yet.
  package var lost = SequenceRanges()
  /// The events of which that cannot be told.
  package var doubtful = SequenceRanges()
  /// The events that were lost earlier, as a repair recorded.
  package var lostBefore = SequenceRanges()
  /// Those of them that had been folded; nil where none had.
  package var foldedLoss: FoldedLoss?
  /// Whether the list of files is a backup's.
  package var isBackup = false
  /// What to do about the list of files, where that is something else than to repair the ledger; nil where it is not.
  package var listHint: String?
  /// The last event that is known of, where more may have been lost after it; nil where the end is known.
  package var uncertainAfter: UInt64?
  /// What was verified before and is not read again.
  package var earlier: Earlier?
  /// Why what was verified before does not count; nil where it does, or nothing was.
  package var restarted: String?
  /// Why it is not kept how far this run came; nil where it is, or was not to be.
  package var notKept: LedgerError?
  /// The last event that was checked, where the rest is left to the next run.
  package var stoppedAfter: UInt64?
  /// The log digest after the last event; nil when not all is sound.
  package var logDigest: Digest?
  /// The state digest of the refolded events; nil when not all is sound.
  package var stateDigest: Digest?
  /// How many tasks exist; nil when not all is sound.
  package var tasks: Int?

  /// Whether nothing that was read is damaged, and everything could be read.
  package var isSound: Bool { !files.contains { $0.status.isFault } }
}
