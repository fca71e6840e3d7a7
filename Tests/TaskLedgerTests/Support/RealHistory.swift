import Foundation
import LedgerFormat
import Testing

/// A history of an issue tracker, with what must come of it: Fixtures/scenarios/README.md.
struct RealHistory: CustomTestStringConvertible {
  let name: String
  let lines: Int
  let events: Int
  let tasks: Int
  let digest: String

  var testDescription: String { name }

  static let all = [
    RealHistory(
      name: "tracker-a", lines: 754, events: 739, tasks: 180,
      digest: "7352c9df3e62fcd7974378e8b913784b7742879592e6ec02bc2638fc4999311d"),
    RealHistory(
      name: "tracker-b", lines: 2095, events: 1932, tasks: 259,
      digest: "3ff914f73b4bb57ac1d2c8c2d9a5a24621c4b1aa610c678bbdbcbd323c7fbe35"),
  ]

  var bytes: [UInt8] {
    get throws {
      var root = URL(fileURLWithPath: #filePath)
      for _ in 0..<4 { root.deleteLastPathComponent() }
      let file = root.appending(path: "Fixtures/scenarios/\(name).ndjson")
      return Array(try Data(contentsOf: file))
    }
  }

  var split: [LineSplitter.Line] {
    get throws { try Lines.split(bytes) }
  }
}
