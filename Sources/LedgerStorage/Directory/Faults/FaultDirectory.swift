/// A folder around another one that traces every call and can make calls fail.
///
/// ```swift
/// let directory = FaultDirectory(MemoryDirectory())
/// let ledger = try open(directory)
/// directory.arm(FaultPlan(fail: 1, of: [.sync]))
/// #expect(throws: LedgerError.self) { try ledger.append(event) }
/// #expect(directory.faultsMet == 1)
/// ```
///
/// - Calls are numbered, and the plan chooses among them, in the order in which they begin.
/// - ``onCall(_:)`` runs before the call does, on the thread of the caller and without a lock held: it may take a power
///   cut of the directory below, end the process, or throw, which fails the call.
package final class FaultDirectory: LedgerDirectory {
  private let base: any LedgerDirectory
  private let recorder = FaultRecorder()

  /// Wraps a directory; a plan may be given at once, or later to ``arm(_:)``.
  package init(_ base: any LedgerDirectory, plan: FaultPlan? = nil) {
    self.base = base
    recorder.arm(plan)
  }

  package var path: String { base.path }

  package var isAtItsPath: Bool { base.isAtItsPath }

  /// Every call since the directory was made.
  package var trace: CallTrace { recorder.trace }

  /// How many calls failed because of the plan that is, or was last, armed.
  package var faultsMet: Int { recorder.faultsMet }

  /// Puts a plan into force in place of the one before; counting starts anew.
  package func arm(_ plan: FaultPlan) { recorder.arm(plan) }

  /// Ends all faults, and keeps the count of those met.
  package func disarm() { recorder.disarm() }

  /// Runs something before each call from now on; nil ends that.
  package func onCall(_ hook: (@Sendable (Call) throws -> Void)?) { recorder.setHook(hook) }
}

extension FaultDirectory {
  package func open(_ name: String, _ mode: OpenMode) throws -> any LedgerFile {
    let kind: CallKind = mode == .create ? .create : .open
    let file = try recorder.perform(kind, name, failing: .open(name, mode, in: path)) {
      try base.open(name, mode)
    }
    return FaultFile(file, path: joinPath(path, name), recorder: recorder)
  }

  package func watch() throws -> any FolderWatch {
    try recorder.perform(.watch, "", failing: .watch(in: path)) { try base.watch() }
  }

  package func lineage() throws -> [FileStatus.Identity] {
    try recorder.perform(.status, "", failing: .status("", in: path)) { try base.lineage() }
  }

  package func extent(_ name: String) throws -> FileExtent? {
    try recorder.perform(.status, name, failing: .status(name, in: path)) {
      try base.extent(name)
    }
  }

  package func status(_ name: String) throws -> FileStatus? {
    try recorder.perform(.status, name, failing: .status(name, in: path)) {
      try base.status(name)
    }
  }

  package func list(_ folder: String) throws -> [String] {
    try recorder.perform(.list, folder, failing: .list(folder, in: path)) {
      try base.list(folder)
    }
  }

  package func makeFolder(_ name: String) throws {
    try recorder.perform(.makeFolder, name, failing: .makeFolder(name, in: path)) {
      try base.makeFolder(name)
    }
  }

  package func rename(_ name: String, to newName: String) throws {
    try recorder.perform(
      .rename, name, to: newName, failing: .rename(name, to: newName, in: path)
    ) {
      try base.rename(name, to: newName)
    }
  }

  package func unlink(_ name: String) throws {
    try recorder.perform(.unlink, name, failing: .unlink(name, in: path)) {
      try base.unlink(name)
    }
  }

  package func syncFolder(_ folder: String) throws {
    try recorder.perform(.syncFolder, folder, failing: .syncFolder(folder, in: path)) {
      try base.syncFolder(folder)
    }
  }
}
