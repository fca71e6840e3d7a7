import Foundation

/// The program that works on a ledger until it is killed.
enum CrashChild {
  static let path = ChildProgram.path("ledger-crash-child")

  /// What one child did.
  struct Life {
    /// The lines that it said, but for an unfinished last one.
    var said: [String]
    /// Whether it was killed before its end.
    var wasKilled: Bool

    /// What it said was acknowledged.
    var acknowledged: [String] { said.filter { !$0.hasPrefix("@") && !$0.hasPrefix("!") } }

    /// The call in which it was killed.
    var call: String {
      String(said.last { $0.hasPrefix("@") }?.dropFirst() ?? "between")
    }
  }

  /// When one is killed: a random moment after it has said something so often, however slow the machine is.
  struct End {
    var count: Int
    var word = "@"
    var microseconds: UInt32 = 6_000

    fileprivate func isNear(_ said: Data) -> Bool {
      String(decoding: said, as: UTF8.self).components(separatedBy: word).count > count
    }
  }

  /// Runs it and kills it.
  ///
  /// - Parameter end: when it is killed; nil: it is let live.
  static func run(_ arguments: [String], until end: End?) throws -> Life {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path ?? "")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var bytes = Data()
    if let end {
      while !end.isNear(bytes) {
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { break }
        bytes.append(more)
      }
      usleep(UInt32.random(in: 0..<end.microseconds))
      kill(process.processIdentifier, SIGKILL)
    }
    bytes.append(output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    // A line without an end was not wholly said.
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast()
    return Life(
      said: lines.map(String.init), wasKilled: process.terminationReason == .uncaughtSignal)
  }
}
