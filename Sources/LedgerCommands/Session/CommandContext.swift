import LedgerCore
import TaskLedger

/// What a command takes from the world around it; tests put their own in its place.
package struct CommandContext {
  /// The arguments behind the name of the program.
  package var arguments: [String]
  /// A variable of the environment; nil when it is not set. One that is not UTF-8 is refused.
  package var environment: (String) throws(LedgerError) -> String?
  package var workingFolder: WorkingFolder
  /// Where relative paths that were typed begin; nil: where the system begins them, too.
  package var pathBase: String?
  /// The name that the user logs in with; asked for only when needed, for it may have to be looked up.
  package var loginName: () -> String
  /// The user's home by the system's records, where HOME is not set.
  package var homeFolder: () -> String?
  package var input: any InputSource
  package var output: OutputTarget
  package var errors: OutputTarget
  /// Seconds that only ever grow.
  package var monotonicSeconds: () -> Double
  /// How many seconds the local time is ahead of UTC at a moment.
  package var secondsEast: (LedgerTime) -> Int64 = { _ in 0 }
  /// The number of the user for whom it runs.
  package var userID: () -> UInt32 = FolderOwner.effectiveUser
  /// Has something called when a command that goes on by itself is to end.
  package var onInterruption: (@escaping @Sendable () -> Void) -> Void = { _ in }
  package var configuration: LedgerConfiguration

  package init(
    arguments: [String], environment: @escaping (String) throws(LedgerError) -> String?,
    workingFolder: WorkingFolder, pathBase: String? = nil, loginName: @escaping () -> String,
    homeFolder: @escaping () -> String?, input: any InputSource, output: OutputTarget,
    errors: OutputTarget, monotonicSeconds: @escaping () -> Double,
    configuration: LedgerConfiguration = LedgerConfiguration()
  ) {
    self.arguments = arguments
    self.environment = environment
    self.workingFolder = workingFolder
    self.pathBase = pathBase
    self.loginName = loginName
    self.homeFolder = homeFolder
    self.input = input
    self.output = output
    self.errors = errors
    self.monotonicSeconds = monotonicSeconds
    self.configuration = configuration
  }

  /// A variable of the environment that says something: one set to nothing counts as not set.
  func variable(_ name: String) throws(LedgerError) -> String? {
    guard let text = try environment(name), !text.isEmpty else { return nil }
    return text
  }

  /// A path as it was typed, as the system must be given it.
  ///
  /// - Throws: `notFound` for one that is relative where there is no working folder any more.
  func resolve(_ path: String) throws(LedgerError) -> String {
    if path.utf8.first == 0x2f { return path }
    guard workingFolder != .missing else {
      throw LedgerError(
        .notFound, "there is no working folder any more in which \(path.shortenedPath) could be",
        hint: "go to a folder that exists, or give the whole path")
    }
    guard let pathBase else { return path }
    return "\(pathBase)/\(path)"
  }

  /// The same of a path that must not be empty.
  ///
  /// - Parameter name: what the command line calls it, such as `--ledger`.
  func resolve(_ path: String, called name: String) throws(LedgerError) -> String {
    guard !path.isEmpty else { throw LedgerError(.usage, "\(name) is empty, expected a path") }
    return try resolve(path)
  }
}
