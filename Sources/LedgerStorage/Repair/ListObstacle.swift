import LedgerCore
import LedgerFormat

/// Why no list of files can be made of what lies in a folder.
enum ListObstacle: Error {
  /// Of no segment anything can be read.
  case noSegment
  /// There are files of several ledgers, one of each is named, and nothing tells whose the folder is.
  case severalLedgers([String])
  /// Two segments of which each goes on from other events than the other holds.
  case contradiction(String, String)
  /// What the files say cannot be.
  case impossible(String)

  /// What is to be said after what is wrong with the list.
  var sentence: String {
    switch self {
    case .noSegment: "no segment is left that can be read"
    case .severalLedgers(let files):
      "files of several ledgers lie in the folder, such as \(files.joined(separator: " and "))"
    case .contradiction(let one, let other):
      "\(one) and \(other) are of two histories: they hold, or follow, different events under the same numbers"
    case .impossible(let what): "the segments make no list: \(what)"
    }
  }

  /// What to do next.
  var hint: String {
    switch self {
    case .noSegment: "there is nothing here to save events from: restore a backup"
    case .severalLedgers:
      "move the files of another ledger out of the folder, then run `ledger repair` again; nothing was changed"
    case .contradiction:
      "move the one of the two elsewhere that has the events which are wanted less, then run `ledger repair` again; nothing was changed"
    case .impossible: "restore a backup; `ledger verify` names each segment; nothing was changed"
    }
  }
}

extension LedgerError {
  /// The same damage to a list of files, of which no other can be made either.
  func without(_ obstacle: ListObstacle) -> LedgerError {
    var error = self
    let reason = "no other list can be made: \(obstacle.sentence)"
    error.cause = error.cause.map { "\($0), and \(reason)" } ?? reason
    error.hint = obstacle.hint
    return error
  }
}
