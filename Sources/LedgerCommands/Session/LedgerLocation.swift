import LedgerCore
import LedgerStorage
import TaskLedger

/// Where the ledger of a command is, and how that was found out.
struct LedgerLocation {
  enum Origin {
    /// `--ledger` or `LEDGER_PATH`.
    case given
    /// An operand, as of `ledger diff A B`.
    case operand
    /// A `.ledger` folder in the working folder or above it.
    case found
    /// The one in the user's data folder: the only one that a first change makes.
    case ownData
  }

  var path: String
  var origin: Origin
}

extension LedgerLocation {
  /// The name of the folder that is looked for upwards.
  static let folderName = ".ledger"

  /// The ledger that a command means.
  static func find(_ globals: Arguments, _ context: CommandContext) throws(LedgerError) -> Self {
    if let given = try given(globals, context) { return given }
    if let found = try nearest(context) { return found }
    guard let path = try ownPath(context) else {
      throw LedgerError(
        .notFound, "there is no ledger, and no home folder to keep one in",
        hint: "make one here with `ledger init`, or name one with --ledger")
    }
    return LedgerLocation(path: path, origin: .ownData)
  }

  /// The ledger that is named outright.
  static func given(_ globals: Arguments, _ context: CommandContext) throws(LedgerError) -> Self? {
    if let path = globals.value("ledger") {
      return LedgerLocation(
        path: try context.resolve(path, called: "--ledger"), origin: .given)
    }
    guard let path = try context.variable("LEDGER_PATH") else { return nil }
    return LedgerLocation(path: try context.resolve(path), origin: .given)
  }

  /// Where a new ledger is made: where it is named, or in the working folder.
  static func ofNew(_ globals: Arguments, _ context: CommandContext) throws(LedgerError) -> Self {
    if let given = try given(globals, context) { return given }
    return LedgerLocation(path: try context.resolve(folderName), origin: .given)
  }

  /// The ledger in the working folder, or in the nearest folder above it. Where that cannot be told it is an error:
  /// a change must not end up in another ledger than the one that is meant.
  private static func nearest(_ context: CommandContext) throws(LedgerError) -> Self? {
    let start = context.workingFolder
    guard start != .missing else {
      throw LedgerError(
        .notFound, "there is no working folder any more to look for a ledger in",
        hint: "go to a folder that exists, or name the ledger with --ledger")
    }
    for prefix in start.prefixesUpward {
      let candidate = prefix + folderName
      switch PathKind.of(candidate) {
      case .folder:
        if let owner = FolderOwner.stranger(at: candidate, to: try context.ownUsers()) {
          throw isAnothers(candidate, owner)
        }
        return LedgerLocation(path: candidate, origin: .found)
      case .other, .missing: continue
      case .danglingLink:
        throw LedgerError(
          .notFound, "there is no ledger", path: candidate,
          cause: "it is a link that leads nowhere",
          hint: "put back what it leads to, or name another ledger with --ledger")
      case .unknown(let reason):
        throw LedgerError(
          .io, "cannot look for a ledger", path: candidate, cause: reason.text,
          hint: "name the ledger with --ledger", systemError: reason.code)
      }
    }
    return nil
  }

  private static func isAnothers(_ path: String, _ owner: UInt32) -> LedgerError {
    LedgerError(
      .notFound, "cannot use the ledger that was found", path: path,
      cause: "it belongs to another user, number \(owner), and nobody named it",
      hint: "if that is the one, name it with --ledger, or set LEDGER_PATH"
    )
  }

  /// The ledger in the user's data folder.
  private static func ownPath(_ context: CommandContext) throws(LedgerError) -> String? {
    #if os(macOS)
      guard let home = try context.variable("HOME") ?? context.homeFolder() else { return nil }
      return "\(home)/Library/Application Support/TaskLedger/tasks.ledger"
    #else
      // A relative path in XDG_DATA_HOME is to be ignored (XDG Base Directory Specification).
      if let data = try context.variable("XDG_DATA_HOME"), data.utf8.first == 0x2f {
        return "\(data)/taskledger/tasks.ledger"
      }
      guard let home = try context.variable("HOME") ?? context.homeFolder() else { return nil }
      return "\(home)/.local/share/taskledger/tasks.ledger"
    #endif
  }
}

extension LedgerLocation {
  /// Opens the ledger that is there.
  ///
  /// - Throws: `LedgerError` with code `notFound` and a hint where there is none.
  func open(author: String?, _ configuration: LedgerConfiguration) throws(LedgerError) -> Ledger {
    do throws(LedgerError) {
      return try Ledger.open(
        at: path, author: author ?? "unknown", createIfMissing: false,
        configuration: configuration)
    } catch {
      throw explain(error)
    }
  }

  /// Whether it is the user's own, and yet to be made.
  var isOwnAndMissing: Bool { origin == .ownData && PathKind.of(path).isMissing }

  /// Opens the ledger; where it is the user's own and missing, makes it, with the folders that lead to it.
  func openOrMake(author: String, _ configuration: LedgerConfiguration) throws -> Ledger {
    guard isOwnAndMissing else { return try open(author: author, configuration) }
    return try CommandFailure.creating { () throws(LedgerError) in
      try PathKind.makeFolders(above: path)
      return try Ledger.open(at: path, author: author, configuration: configuration)
    }
  }

  /// What the folder itself explains better than the call that failed.
  func explain(_ error: LedgerError) -> LedgerError {
    switch PathKind.of(path) {
    case .missing where origin == .ownData:
      LedgerError(
        .notFound, "there is no ledger in the working folder, above it, or", path: path,
        hint: "make one here with `ledger init`, or your own by a first `ledger add`")
    case .danglingLink:
      LedgerError(
        .notFound, "there is no ledger", path: path, cause: "it is a link that leads nowhere",
        hint: origin == .operand
          ? "put back what it leads to, or name another ledger"
          : "put back what it leads to, or name another ledger with --ledger")
    case .missing where origin == .operand:
      LedgerError(.notFound, "there is no ledger", path: path, hint: "name a ledger's folder")
    case .missing:
      LedgerError(
        .notFound, "there is no ledger", path: path,
        hint:
          "make one with `ledger --ledger \(path.shortenedPath.shellWord) init`, or name another with --ledger"
      )
    case .other:
      LedgerError(
        .notFound, "there is no ledger", path: path, cause: "it is a file, a ledger is a folder",
        hint: "name the ledger's folder")
    case .folder where error.code == .notFound: pointingInside(error)
    case .folder, .unknown: error
    }
  }

  /// The folder that holds a ledger was named, not the ledger.
  private func pointingInside(_ error: LedgerError) -> LedgerError {
    let separator = path.utf8.last == 0x2f ? "" : "/"
    let inside = "\(path)\(separator)\(Self.folderName)"
    var error = error
    guard PathKind.of(inside).isFolder else {
      if origin == .operand { error.hint = "name a ledger's folder" }
      return error
    }
    error.hint = "the ledger in that folder is \(inside.shortenedPath)"
    return error
  }
}
