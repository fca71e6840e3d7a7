import Foundation

/// The histories that the repository ships.
enum Fixtures {
  static func scenario(_ name: String) throws -> [UInt8] {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    return Array(try Data(contentsOf: root.appending(path: "Fixtures/scenarios/\(name).ndjson")))
  }
}
