import Foundation
import LedgerTestSupport
import Testing

/// How often the ledger asks for memory: a number that does not depend on the machine, so that a change that makes every event
/// dearer is seen at once. Counted on Linux with glibc, by a program of its own.
@Suite(
  .enabled(if: Allocations.program != nil, "the program that counts is not beside the tests"))
struct `Allocations for each event` {
  /// A rise by more than this fails; a rise on purpose changes the number below.
  private static let margin = 1.1

  @Test func `stay as few as they are`() throws {
    try withTemporaryFolder { path in
      let found = try Allocations.count(in: path)
      // A sanitizer or another system brings a malloc of its own; a release build allocates less, and holds no number.
      guard let append = found.append, let large = found.appendThousand, let replay = found.replay
      else { return }
      guard found.debug else { return }
      let known = Allocations.known
      let figures = [
        ("an append", append, known.append), ("an append of a thousand", large, known.large),
        ("a replay", replay, known.replay),
      ]
      for (name, count, known) in figures {
        #expect(count > 0, "\(name): nothing was counted")
        #expect(count <= known * Self.margin, "\(name): \(count) for each event, \(known) before")
        print("\(name): \(count) allocations for each event, held at \(known)")
      }
    }
  }
}

/// What `ledger-allocations` prints.
private struct Allocations: Decodable {
  var debug: Bool
  var append: Double?
  var appendThousand: Double?
  var replay: Double?

  /// As measured in a debug build, for each event: one that is appended alone, one of a transaction of a thousand, one that is
  /// replayed.
  static let known = (append: 146.9, large: 53.9, replay: 7.63)

  static let program = ChildProgram.path("ledger-allocations")

  static func count(in folder: String) throws -> Allocations {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program ?? "")
    process.arguments = [folder]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return try JSONDecoder().decode(Allocations.self, from: bytes)
  }
}
