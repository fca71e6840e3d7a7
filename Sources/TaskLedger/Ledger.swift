import LedgerCore
import LedgerFormat
import LedgerStorage

/// A task list that remembers everything.
///
/// Every change is an event that is appended and synced before the call returns. A ledger can be used from any thread, and by several
/// processes at once.
///
/// ```swift
/// let ledger = try Ledger.open(at: "tasks.ledger", author: "ann")
/// let milk = try ledger.upsert(TaskItem(body: "Get milk"))
/// try ledger.update(milk) { $0.body = "Get oat milk"; $0["priority"] = 2 }
/// try ledger.toggle(milk)
/// for entry in try ledger.audit(milk) { print(entry.sequence, entry.time, entry.author) }
/// ```
public final class Ledger: Sendable {
  /// The author of changes that name no other.
  public let author: String
  let configuration: LedgerConfiguration
  let directory: any LedgerDirectory
  let pool: ZstdPool
  let shared: Guarded<Shared>
  let gate: WriteGate
  let background = BackgroundWork()
  /// Makes snapshots during a bulk load, so that sealing need not wait for them.
  let snapshotting = BackgroundWork()
  let observers = Observers()

  package init(
    _ directory: any LedgerDirectory, author: String, configuration: LedgerConfiguration
  ) throws(LedgerError) {
    self.author = try AuthorName.checked(author)
    self.directory = directory
    self.configuration = configuration
    pool = ZstdPool()
    let opened = try LogOpening.openToRead(directory, pool: pool)
    shared = Guarded(Shared(opened.view))
    gate = WriteGate()
    if opened.tail != .clean { try noteTail(of: opened.view) }
  }

  /// Opens the ledger in a folder.
  ///
  /// - Parameters:
  ///   - path: the ledger's folder.
  ///   - author: who makes the changes that name no other author: 1 to 256 bytes without control characters.
  ///   - createIfMissing: whether to make a new ledger where there is none; an empty or missing folder is used, any other refused.
  ///   - configuration: clock, ids and sizes.
  /// - Throws: ``LedgerError`` with code `notFound` where there is no ledger, `alreadyExists` where one was to be made in a folder that
  ///   holds something else, `invalid` for a name that no author can have, `damaged` where its files are not what was
  ///   written, `unsupported` for a ledger of a newer version, `io` where the system refuses; nothing was changed.
  public static func open(
    at path: String, author: String = "unknown", createIfMissing: Bool = true,
    configuration: LedgerConfiguration = LedgerConfiguration()
  ) throws(LedgerError) -> Ledger {
    do throws(LedgerError) {
      return try openExisting(path, author, configuration)
    } catch {
      guard error.code == .notFound, createIfMissing else { throw error }
    }
    do throws(LedgerError) {
      return try create(at: path, author: author, configuration: configuration)
    } catch {
      guard error.code == .alreadyExists else { throw error }
      // Another process made it in the meantime; otherwise the folder holds something else.
      if let ledger = try? openExisting(path, author, configuration) { return ledger }
      throw error
    }
  }

  private static func openExisting(
    _ path: String, _ author: String, _ configuration: LedgerConfiguration
  ) throws(LedgerError) -> Ledger {
    do throws(LedgerError) {
      let directory = try LedgerError.typing { try LocalDirectory(path: path) }
      return try Ledger(directory, author: author, configuration: configuration)
    } catch {
      guard error.code == .notFound else { throw error }
      throw LedgerError(
        .notFound, "there is no ledger", path: path, cause: error.cause,
        hint: "make one with `ledger init`, or name another with --ledger")
    }
  }

  /// Makes a new ledger in a folder that is missing or empty.
  ///
  /// - Throws: ``LedgerError`` with code `alreadyExists` when the folder holds a ledger or anything else, `io` where the
  ///   system refuses.
  public static func create(
    at path: String, author: String = "unknown",
    configuration: LedgerConfiguration = LedgerConfiguration()
  ) throws(LedgerError) -> Ledger {
    let author = try AuthorName.checked(author)
    // What an interrupted creation left can be completed; anything else in the folder is refused.
    return try create(in: folder(at: path), author: author, configuration: configuration)
  }

  /// Makes a new ledger in a folder of any kind.
  package static func create(
    in directory: any LedgerDirectory, author: String, configuration: LedgerConfiguration
  ) throws(LedgerError) -> Ledger {
    try LedgerCreation.create(
      in: directory, options: configuration.storeOptions, clock: configuration.clock)
    return try Ledger(directory, author: author, configuration: configuration)
  }

  /// A ledger that lives in memory, for tests and previews.
  ///
  /// - Parameter tasks: what it starts with: one upsert each, in order.
  public static func inMemory(
    tasks: [TaskItem] = [], author: String = "unknown",
    configuration: LedgerConfiguration = LedgerConfiguration()
  ) throws(LedgerError) -> Ledger {
    let ledger = try create(
      in: MemoryDirectory(), author: author, configuration: configuration)
    if !tasks.isEmpty {
      try LedgerError.typing {
        try ledger.transaction { transaction in
          for task in tasks { try transaction.upsert(task) }
        }
      }
    }
    return ledger
  }

  /// Waits until nothing is done in the background any more, such as sealing a segment.
  ///
  /// What was acknowledged is durable without it; a process that ends earlier leaves the work to the next.
  public func finishBackgroundWork() {
    background.wait()
    sealQuickSegment()
    background.wait()
    snapshotting.wait()
  }

  /// Which ledger it is, whatever handle and folder: copies of it and their backups are the same one.
  var identity: ReplicaID { shared.withLock { $0.view.manifest.ledger } }

  /// The ledger's folder.
  public var path: String { directory.path }

  /// What recovery did or found, and which snapshots were left out, since this was asked last, in sentences for people.
  public func takeNotices() -> [String] {
    shared.withLock { shared in
      defer { shared.notices = [] }
      return shared.notices + shared.view.snapshots.takeNotices()
    }
  }
}
