import Foundation

/// A world in which the program runs as a process of its own, under a shell.
struct Shell {
  private let world: TestWorld

  init() throws { world = try TestWorld() }

  struct Result {
    var output: String
    var errors: String
    var exit: Int32
  }

  /// The world's folder; HOME is `home` in it.
  var folder: String { world.folder }

  /// Runs a line in the world's folder.
  @discardableResult
  func callAsFunction(_ line: String) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "set -o pipefail; ledger() { \"$LEDGER\" \"$@\"; }; " + line]
    process.currentDirectoryURL = URL(fileURLWithPath: world.folder)
    process.environment = [
      "HOME": "\(world.folder)/home", "LEDGER": Executable.path ?? "", "PATH": "/usr/bin:/bin",
      "LEDGER_AUTHOR": "ann",
    ]
    let output = Pipe()
    let errors = world.path("errors")
    try world.write("", to: errors)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      output: String(decoding: bytes, as: UTF8.self),
      errors: String(
        decoding: try Data(contentsOf: URL(fileURLWithPath: errors)), as: UTF8.self),
      exit: process.terminationStatus)
  }
}

/// The program that was built with the tests.
enum Executable {
  static let path: String? = {
    // On Linux the tests run in a bundle beside the program; on macOS the bundle is given as an argument.
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    let starts = [own ?? ""] + CommandLine.arguments
    for start in starts where start.contains("/") {
      var folder = URL(fileURLWithPath: start)
      for _ in 0..<4 {
        folder.deleteLastPathComponent()
        let candidate = folder.appendingPathComponent("ledger").path
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder),
          !isFolder.boolValue, FileManager.default.isExecutableFile(atPath: candidate)
        {
          return candidate
        }
      }
    }
    return nil
  }()
}
