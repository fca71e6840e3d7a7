import Foundation
import LedgerFuzzing
import TaskLedger
import Testing

/// The corpus of the fuzzer, replayed without it, and seeded changes to it.
///
/// `LEDGER_FUZZ_MUTATIONS` says how many per target; `LEDGER_FUZZ_FIRST_SEED` with which seed they begin.
@Suite struct `Made-up bytes` {
  private static func inputs(_ target: FuzzTarget) throws -> [[UInt8]] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Fixtures/corpus/\(target.rawValue)").standardizedFileURL
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try names.map { Array(try Data(contentsOf: folder.appendingPathComponent($0))) }
  }

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  /// Command lines take files and syncs; what reads whole segments takes more time than what reads a line.
  private static func count(_ target: FuzzTarget) -> UInt64 {
    if let count = number("LEDGER_FUZZ_MUTATIONS") { return count }
    return switch target {
    case .words, .command: 30
    case .frame, .sealed, .snapshot, .footer: 500
    default: 2000
    }
  }

  @Test(arguments: FuzzTarget.allCases)
  func `that a fuzzer found worth keeping are read or refused`(_ target: FuzzTarget) throws {
    let inputs = try Self.inputs(target)
    #expect(!inputs.isEmpty)
    for (number, input) in inputs.enumerated() {
      do { try target.check(input) } catch {
        Issue.record("input \(number) of \(target): \(error)")
      }
    }
  }

  @Test(arguments: FuzzTarget.allCases)
  func `that a seed decides are read or refused`(_ target: FuzzTarget) throws {
    let inputs = try Self.inputs(target)
    let first = Self.number("LEDGER_FUZZ_FIRST_SEED") ?? 1
    for seed in first..<first + Self.count(target) {
      do {
        try target.check(Mutation.of(inputs, seed: seed))
      } catch {
        Issue.record("seed \(seed) of \(target): \(error)")
      }
    }
  }

  /// What the checks are to find nothing wrong with must get through them: an input that is refused at its door tests little.
  @Test(arguments: FuzzTarget.allCases)
  func `that are honest are read`(_ target: FuzzTarget) throws {
    let seeds = try Seeds.of(target)
    #expect(!seeds.isEmpty)
    for seed in seeds { try target.check(seed) }
  }

  /// What is refused for its grammar leads no mutation to what it means.
  @Test func `that are honest queries are queries`() throws {
    for seed in try Seeds.of(.query) { _ = try Query(String(decoding: seed, as: UTF8.self)) }
  }
}
