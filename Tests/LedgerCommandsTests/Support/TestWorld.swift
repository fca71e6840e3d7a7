import Foundation
import LedgerCore
import LedgerStorage
import TaskLedger

@testable import LedgerCommands

/// A world of its own for commands that run inside the test: a folder, a clock that stands still while a command runs, ids that
/// count up, and streams that are collected.
final class TestWorld {
  /// The folder in which everything happens; it is removed with the world.
  let folder: String
  /// Where commands run; a path below `folder`.
  var currentFolder: String
  /// Whether it is still there.
  var hasCurrentFolder = true
  var environment: [String: String] = [:]
  var loginName = "ann"
  var input: [UInt8] = []
  /// Columns of the terminal that both streams lead to; nil: they lead into pipes.
  var terminalColumns: Int?
  var outputSink: (any ByteSink)?
  var inputSource: (any InputSource)?
  var configuration = LedgerConfiguration()
  /// How far the local time is ahead of UTC.
  var secondsEast: Int64 = 0

  /// The number of the user who runs the commands; nil: the one who runs the test.
  var userID: UInt32?

  private let minutes = Counter()
  private let ids = Counter()

  init() throws {
    let name = "ledger-commands-\(UUID().uuidString.lowercased())"
    folder =
      FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent(name).path
    currentFolder = folder
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    environment["HOME"] = "\(folder)/home"
    let (minutes, ids) = (minutes, ids)
    let start = try LedgerTime("2026-11-30T12:00:00Z").milliseconds
    configuration.extensionBytes = 4096
    configuration.clock = {
      (try? LedgerTime(milliseconds: start + 60_000 * Int64(minutes.value))) ?? .latest
    }
    configuration.makeID = { TaskID(unchecked: "task-\(ids.next())") }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  struct Result {
    var output: String
    var errors: String
    var exit: Int32
  }

  /// Runs `ledger` with arguments; the clock advances by a minute afterwards.
  @discardableResult
  func run(_ arguments: String...) -> Result { run(arguments) }

  @discardableResult
  func run(_ arguments: [String]) -> Result {
    let output = Collector()
    let errors = Collector()
    let environment = environment
    let loginName = loginName
    let secondsEast = secondsEast
    var context = CommandContext(
      arguments: arguments, environment: { (name) throws(LedgerError) in environment[name] },
      workingFolder: hasCurrentFolder ? .path(currentFolder) : .missing,
      pathBase: currentFolder, loginName: { loginName }, homeFolder: { nil },
      input: inputSource ?? BytesSource(input), output: target(outputSink ?? output),
      errors: target(errors), monotonicSeconds: { 0 }, configuration: configuration)
    context.secondsEast = { _ in secondsEast }
    if let userID { context.userID = { userID } }
    let exit = Program.run(context)
    _ = minutes.next()
    return Result(output: output.text, errors: errors.text, exit: exit)
  }

  private func target(_ sink: any ByteSink) -> OutputTarget {
    OutputTarget(
      sink: sink, isTerminal: terminalColumns != nil, columns: terminalColumns ?? 80,
      isStyled: terminalColumns != nil && environment["NO_COLOR"] == nil,
      movesCursor: terminalColumns != nil)
  }

  /// A path below the working folder.
  func path(_ name: String) -> String { name.hasPrefix("/") ? name : "\(currentFolder)/\(name)" }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
  }

  func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

  /// The last file whose name begins and ends like this, with a * between, such as `.ledger/segments/*.active`.
  func match(_ pattern: String) throws -> String {
    let folder = (pattern as NSString).deletingLastPathComponent
    let parts = (pattern as NSString).lastPathComponent.split(
      separator: "*", omittingEmptySubsequences: false)
    let names = try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
    guard parts.count == 2,
      let name = names.last(where: { $0.hasPrefix(parts[0]) && $0.hasSuffix(parts[1]) })
    else { return path(pattern) }
    return path(folder) + "/" + name
  }
}

/// Counts up from 0; shared with closures that may run anywhere.
final class Counter: Sendable {
  private let count = Guarded(0)
  var value: Int { count.withLock { $0 } }
  func next() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}

/// Keeps what is written.
final class Collector: ByteSink {
  private(set) var bytes: [UInt8] = []
  var text: String { String(decoding: bytes, as: UTF8.self) }
  func write(_ bytes: [UInt8]) throws(WriteFailure) { self.bytes.append(contentsOf: bytes) }
}

/// Gives bytes out in chunks of a size.
final class BytesSource: InputSource {
  private var rest: ArraySlice<UInt8>
  private let chunk: Int

  init(_ bytes: [UInt8], chunk: Int = .max) {
    rest = bytes[...]
    self.chunk = chunk
  }

  func read(_ count: Int) throws(LedgerError) -> [UInt8] {
    let part = rest.prefix(min(count, chunk))
    rest = rest.dropFirst(part.count)
    return Array(part)
  }

  func isWaiting() -> Bool { false }
}
