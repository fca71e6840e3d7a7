import LedgerCore
import LedgerFormat

/// A file of a ledger that a list of files does not name, by where its events end.
struct FileBeside {
  /// Its name in the ledger's folder.
  var name: String
  /// The last event to which it leads, and the log digest after that; nil where nobody needs it.
  var sequence: UInt64
  var digest: Digest?
  /// What a list would say of it; nil of a manifest.
  var entry: SegmentEntry?
  /// The list that it is; nil of a segment.
  var manifest: Manifest?
  /// Whether it is a manifest that was made after the list.
  var isLaterManifest = false
  /// Whether what it leads to was acknowledged: it shows that the list is out of date where the list does not lead there.
  var isProof: Bool
  /// Whether its events were acknowledged, for all that is known where that it leads to them does not show it.
  var wasAppendedTo = false
  /// Whether a list that lies there, too, appended to it: a step has put another in its place.
  var isReplaced = false
  /// Whether its log digests are those of events as they were acknowledged: a repair makes some up for what is lost, and may be
  /// interrupted.
  var canContradict = true
  /// Whether bytes behind its frames are none: they may have been some.
  var hasTail = false
  /// Whether a repair has dropped a file of its name: it shows nothing, but it may hold events that are counted as lost.
  var isDropped = false
  /// Whether a repair has put aside the bytes of a file of its name.
  var isPutAside = false
}

/// What is wrong with a file beside a list of files, which is kept for that.
enum FaultBeside {
  /// It is a file of another ledger.
  case otherLedger(LedgerError)
  /// It cannot be read, and may hold events that the list lacks.
  case damaged(LedgerError)
  /// It has a name that the ledger does not give.
  case foreign

  /// What is wrong with a file of another ledger; nil for any other.
  var otherLedger: LedgerError? { if case .otherLedger(let error) = self { error } else { nil } }

  /// Nil for what is nothing of any ledger.
  var error: LedgerError? {
    switch self {
    case .otherLedger(let error), .damaged(let error): error
    case .foreign: nil
    }
  }
}

extension LedgerError {
  /// A file of another ledger lies in the folder of one.
  static func otherLedger(_ other: ReplicaID, expected: ReplicaID, path: String) -> LedgerError {
    LedgerError(
      .damaged, "it is of the ledger \(other), expected \(expected)", path: path,
      hint: "files of two ledgers lie in one folder: move those of the other one elsewhere")
  }
}
