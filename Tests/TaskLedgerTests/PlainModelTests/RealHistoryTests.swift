import Foundation
import Testing

/// Histories that were measured once and for all: counts and digests must come out exactly.
struct `Real histories` {
  struct Expected: CustomTestStringConvertible {
    var path: String
    var lines: Int
    var events: Int
    var tasks: Int
    var digest: String

    var testDescription: String { path }
    var isThere: Bool { FileManager.default.fileExists(atPath: path) }
  }

  static let histories = [
    Expected(
      path: "/work/shared/real/tracker-a.ndjson", lines: 754, events: 739, tasks: 180,
      digest: "7352c9df3e62fcd7974378e8b913784b7742879592e6ec02bc2638fc4999311d"),
    Expected(
      path: "/work/shared/real/tracker-b.ndjson", lines: 2095, events: 1932, tasks: 259,
      digest: "3ff914f73b4bb57ac1d2c8c2d9a5a24621c4b1aa610c678bbdbcbd323c7fbe35"),
    Expected(
      path: "/tmp/bench/ap-100000.ndjson", lines: 100_000, events: 98_134, tasks: 16_240,
      digest: "daa24f7b03e9601427441676050012dcb80f906be0356258c87f9779f20ca3c3"),
  ]

  @Test(arguments: histories.filter(\.isThere))
  func `give the counts and the digest that are written down`(expected: Expected) throws {
    let file = Array(try Data(contentsOf: URL(fileURLWithPath: expected.path)))
    let lines = PlainLines.read(file) { fatalError("every line names its task") }
    var model = PlainModel()
    let applied = model.apply(lines, now: 1_900_000_000_000)
    #expect(applied.badLines == [])
    #expect(applied.linesIn == expected.lines)
    #expect(model.events.count == expected.events)
    #expect(model.documents()?.count == expected.tasks)
    #expect(model.digest() == expected.digest)
  }
}
