import LedgerFormat
import LedgerStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a backup holds, and what was copied for it.
public struct LedgerBackup: Hashable, Sendable {
  /// A file of the backup that was damaged, lost bytes or could not be read, and was copied anew.
  public struct MendedFile: Hashable, Sendable {
    /// Its name inside the folder of the backup.
    public let file: String
    /// What was wrong with it, in words for people.
    public let problem: String
  }

  /// The last event that is in it.
  public let sequence: UInt64
  /// How many events are in it, folded ones included: those up to ``sequence`` but for ``lostEvents``.
  public let events: UInt64
  /// The sequence numbers of the events that were lost before, as a repair recorded; of folded history, of those that may be, and these
  /// count as events all the same.
  public let lostEvents: SequenceRanges
  /// The log digest after that event, 64 hexadecimal digits.
  public let logDigest: String
  /// How many files were copied now.
  public let copiedFiles: Int
  /// Their bytes.
  public let copiedBytes: UInt64
  /// How many files the backup has, those included that were copied before.
  public let files: Int
  /// Their bytes.
  public let bytes: UInt64
  /// Those that had been copied before and were no longer what was copied: a reason to look at the disk of the backup.
  public let mended: [MendedFile]
}

/// What a restored ledger holds.
public struct LedgerRestoration: Hashable, Sendable {
  /// A file of the backup that recovery or repair had moved aside, and that is no longer what it was then. No event is in it that counts;
  /// what is left of it was copied, and the new ledger has it on record.
  public struct AlteredFile: Hashable, Sendable {
    /// Its name inside the folder of the backup.
    public let file: String
    /// What is wrong with it, in words for people.
    public let problem: String
  }

  /// Its last event.
  public let sequence: UInt64
  /// How many events are in it, folded ones included: those up to ``sequence`` but for ``lostEvents``.
  public let events: UInt64
  /// The sequence numbers of the events that were lost before, as a repair recorded; of folded history, of those that may be, and these
  /// count as events all the same.
  public let lostEvents: SequenceRanges
  /// The log digest after that event, 64 hexadecimal digits.
  public let logDigest: String
  /// The id of the replica whose events they are.
  public let source: String
  /// The id of the replica that makes the events of the new ledger.
  public let replica: String
  /// How many files were copied.
  public let files: Int
  /// Their bytes.
  public let bytes: UInt64
  /// The files of the backup that had been moved aside and are gone or altered.
  public let altered: [AlteredFile]
}

/// Backups.
extension Ledger {
  /// Makes a backup of the ledger in a folder, or brings the one that is there up to date.
  ///
  /// Others can read and write meanwhile. The backup holds the log up to one moment: all that was acknowledged before the call, and
  /// nothing of what comes later than some event. Files that are there already are not copied again, but all of them is read: one
  /// that is no longer what was copied is copied anew, and named in ``LedgerBackup/mended``. What is copied is read back.
  /// The folder can be read and verified like any ledger, and is never written to but by the next backup.
  ///
  /// ```swift
  /// let backup = try ledger.backup(to: "/mnt/backup/tasks.ledger")
  /// print(backup.sequence, backup.logDigest, backup.copiedBytes)
  /// ```
  /// - Parameters:
  ///   - path: a folder that is missing, empty, or holds a backup of this ledger; not that of the ledger, one inside it or around it.
  ///   - followsFold: whether history that was folded in the ledger since the last run is folded in the backup, too, and gone for
  ///     good; else such a backup is refused.
  ///   - progress: called with the number of bytes copied or read again so far.
  /// - Throws: ``LedgerError`` with code `alreadyExists` for a folder that holds anything else, or events that this ledger does not
  ///   have or has lost, or the history of what was folded, or that is the ledger's own; `busy` where another backup to it is under way; `invalid` inside a transaction of this ledger; `damaged` or `io` when
  ///   a file cannot be read or written. The ledger is as it was, and so is what the backup held before; what was copied is used
  ///   by the next run.
  @discardableResult
  public func backup(
    to path: String, followsFold: Bool = false, progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> LedgerBackup {
    // What cannot be copied makes no folder.
    let view = try viewToCopy()
    let place = CopyPlace(of: "the ledger", as: "the backup")
    let target = try Self.folder(at: path, place, apartFrom: view.directory)
    return try backup(view, to: target, followsFold, progress)
  }

  @discardableResult
  package func backup(
    to target: any LedgerDirectory, followsFold: Bool = false, progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> LedgerBackup {
    try backup(try viewToCopy(), to: target, followsFold, progress)
  }

  private func backup(
    _ view: LogView, to target: any LedgerDirectory, _ followsFold: Bool,
    _ progress: ((UInt64) -> Void)?
  ) throws(LedgerError) -> LedgerBackup {
    let report = try BackupWriter(
      view, to: target, followsFold: followsFold, options: configuration.storeOptions,
      clock: configuration.clock
    ).run(progress: progress)
    return LedgerBackup(
      sequence: report.end.sequence, events: report.events, lostEvents: report.lost,
      logDigest: report.end.value.hex,
      copiedFiles: report.copy.copiedFiles, copiedBytes: report.copy.copiedBytes,
      files: report.copy.files, bytes: report.copy.bytes,
      mended: report.copy.mended.map { .init(file: $0.file, problem: $0.problem) })
  }

  /// Makes a new ledger of a backup.
  ///
  /// It has all events of the backup, and is a new replica: what is appended to it is told apart from what others append to theirs.
  /// Another ledger can be restored from, too. Nothing is ever overwritten.
  ///
  /// ```swift
  /// let restored = try Ledger.restore(from: "/mnt/backup/tasks.ledger", to: "tasks.ledger")
  /// print(restored.sequence, restored.replica)
  /// ```
  /// - Parameters:
  ///   - backup: the folder of the backup.
  ///   - path: a folder that is missing or empty, or in which a restoration was interrupted; not one inside the backup.
  ///   - configuration: the clock, and how the files are kept.
  ///   - progress: called with the number of bytes copied so far.
  /// - Throws: ``LedgerError`` with code `alreadyExists` when the folder holds a ledger or anything else, `notFound` where there is no
  ///   backup or one that was never finished, `damaged` where an older copy was put over the backup and the newer list is still
  ///   there, `damaged` or `io` when a file cannot be read or written, `busy` where the backup is kept locked. There is no ledger
  ///   then, and a second call begins anew, unless the message says that it may be there.
  @discardableResult
  public static func restore(
    from backup: String, to path: String,
    configuration: LedgerConfiguration = LedgerConfiguration(), progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> LedgerRestoration {
    let source: Ledger
    do throws(LedgerError) {
      source = try open(at: backup, createIfMissing: false, configuration: configuration)
    } catch {
      guard error.code == .notFound else { throw error }
      throw LedgerError(
        .notFound, "there is no backup", path: backup, cause: error.cause,
        hint: "name a folder that `ledger backup` made")
    }
    let view = try source.viewToCopy()
    let place = CopyPlace(of: "the backup", as: "the ledger")
    let target = try folder(at: path, place, apartFrom: view.directory)
    return try restore(view, to: target, configuration, progress)
  }

  @discardableResult
  package static func restore(
    from backup: any LedgerDirectory, to target: any LedgerDirectory,
    configuration: LedgerConfiguration
  ) throws(LedgerError) -> LedgerRestoration {
    let source = try Ledger(backup, author: "unknown", configuration: configuration)
    return try restore(try source.viewToCopy(), to: target, configuration, nil)
  }

  private static func restore(
    _ view: LogView, to target: any LedgerDirectory, _ configuration: LedgerConfiguration,
    _ progress: ((UInt64) -> Void)?
  ) throws(LedgerError) -> LedgerRestoration {
    let report = try LogRestoration(
      view, to: target, options: configuration.storeOptions, clock: configuration.clock
    ).run(progress: progress)
    return LedgerRestoration(
      sequence: report.end.sequence, events: report.events, lostEvents: report.lost,
      logDigest: report.end.value.hex,
      source: report.source.description, replica: report.replica.description,
      files: report.copy.copiedFiles, bytes: report.copy.copiedBytes,
      altered: report.altered.map { .init(file: $0.file, problem: $0.problem) })
  }

  /// The log with everything that was acknowledged, none of which can be lost again: a copy must not hold what the original
  /// does not.
  private func viewToCopy() throws(LedgerError) -> LogView {
    let view = try currentView()
    // Nothing is appended to a backup.
    if view.manifest.isBackup {
      try view.checkIsNewestBackup()
      return view
    }
    do throws(LedgerError) {
      return try durableView()
    } catch {
      switch error.systemError {
      // Nobody appends where nothing can be written, and a disk that can only be read needs a backup the most.
      case EROFS: return try currentView()
      // Others may. Whoever can only read cannot write frames again, but can have the system sync them.
      case EACCES, EPERM:
        let view = try currentView()
        try view.syncFrames()
        return view
      default: throw error
      }
    }
  }

  /// A folder for a copy, made where there is none; in the folder of what is copied none is made.
  private static func folder(
    at path: String, _ place: CopyPlace, apartFrom source: any LedgerDirectory
  ) throws(LedgerError) -> LocalDirectory {
    if let there = try? LocalDirectory(path: path) {
      try place.check(there, apartFrom: source)
    } else if let parent = try? LocalDirectory.parent(ofPath: path) {
      try place.check(path, newIn: parent, apartFrom: source)
    }
    return try folder(at: path)
  }

  /// A folder that is made where there is none.
  static func folder(at path: String) throws(LedgerError) -> LocalDirectory {
    try LedgerError.typing {
      do {
        return try LocalDirectory.create(path: path)
      } catch let error as LedgerError where error.code == .alreadyExists {
        // Whether what is in it can stay is seen later.
        return try LocalDirectory(path: path)
      }
    }
  }
}
