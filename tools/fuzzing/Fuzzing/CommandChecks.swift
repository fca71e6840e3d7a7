import Foundation
import LedgerCommands
import LedgerCore
import LedgerStorage
import TaskLedger

/// Command lines, against a small ledger in a folder of their own.
///
/// Invariants:
/// - every slash is taken out of an argument, and the folder lies deeper than one name can climb: nothing else is reached;
/// - `watch`, which goes on until somebody ends it, is left out.
enum CommandChecks {
  /// Arguments, one a line; the lines behind an empty one are standard input.
  static func command(_ bytes: [UInt8]) throws {
    let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
    let end = lines.firstIndex { $0.isEmpty } ?? lines.count
    let arguments = lines[..<end].map { String(decoding: $0, as: UTF8.self) }
    let input = Array(lines.dropFirst(end + 1).joined(separator: [0x0a]))
    try run(arguments, input: input)
  }

  /// The words behind `add`, one a line: short forms among them.
  static func words(_ bytes: [UInt8]) throws {
    let words = bytes.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) }
    try run(["add"] + words, input: [])
  }

  private static func run(_ arguments: [String], input: [UInt8]) throws {
    guard !arguments.contains("watch") else { return }
    let safe = arguments.map { String($0.map { $0 == "/" ? "_" : $0 }) }
    let world = try World()
    let (exit, errors) = world.run(safe, input)
    guard [0, 1, 64, 65, 66, 73, 74, 75].contains(exit) else {
      throw FuzzFinding("\(safe) ends with \(exit)")
    }
    guard exit < 64 || !errors.isEmpty else {
      throw FuzzFinding("\(safe) fails with \(exit) and says nothing")
    }
    guard exit != 74 else { throw FuzzFinding("\(safe) fails on a sound disk: \(errors)") }
    let (after, said) = world.run(["verify"], [])
    // What was initialised or restored elsewhere leaves this ledger alone.
    guard after == 0 else {
      throw FuzzFinding("\(safe) leaves a ledger that verify refuses: \(said)")
    }
  }
}

/// A folder with a ledger; it is removed with the object.
private final class World {
  private let root: String
  private let folder: String

  init() throws {
    // In memory where there is such a place: every command syncs.
    let base =
      FileManager.default.fileExists(atPath: "/dev/shm")
      ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    root = "\(base)/ledger-fuzz-\(UUID().uuidString)"
    folder = "\(root)/a/b"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard run(["init"], []).exit == 0, run(["add", "Get milk", "--id", "milk"], []).exit == 0 else {
      throw FuzzFinding("cannot make a ledger in \(folder)")
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  func run(_ arguments: [String], _ input: [UInt8]) -> (exit: Int32, errors: String) {
    var configuration = LedgerConfiguration()
    configuration.extensionBytes = 4096
    configuration.sealsInBackground = false
    configuration.clock = { LedgerTime(unchecked: 1_796_040_000_000) }
    let (output, errors) = (Collector(), Collector())
    let home = "\(root)/home"
    let context = CommandContext(
      arguments: arguments,
      environment: { (name) throws(LedgerError) in name == "HOME" ? home : nil },
      workingFolder: .path(folder), pathBase: folder, loginName: { "ann" }, homeFolder: { home },
      input: Given(input), output: OutputTarget(sink: output, isTerminal: false),
      errors: OutputTarget(sink: errors, isTerminal: false), monotonicSeconds: { 0 },
      configuration: configuration)
    return (Program.run(context), String(decoding: errors.bytes, as: UTF8.self))
  }
}

private final class Collector: ByteSink {
  private(set) var bytes: [UInt8] = []
  func write(_ bytes: [UInt8]) throws(WriteFailure) { self.bytes += bytes }
}

private final class Given: InputSource {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  func read(_ count: Int) throws(LedgerError) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  func isWaiting() -> Bool { false }
}
