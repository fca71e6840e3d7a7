import Foundation

/// How much the random tests do: moderate unless the environment asks for more.
///
/// For example, an hour of it: `LEDGER_TEST_SEEDS=2000 LEDGER_TEST_STEPS=400 swift test --filter SideBySide`; one seed
/// that failed: `LEDGER_TEST_FIRST_SEED=17 LEDGER_TEST_SEEDS=1 swift test`.
enum TestSettings {
  /// The seeds of a random test that runs so many unless told otherwise.
  static func seeds(_ count: Int) -> [UInt64] {
    let first = number("LEDGER_TEST_FIRST_SEED") ?? 1
    return (0..<(number("LEDGER_TEST_SEEDS") ?? count)).map { UInt64(first + $0) }
  }

  /// The steps of each seed.
  static func steps(_ count: Int) -> Int { number("LEDGER_TEST_STEPS") ?? count }

  /// The lengths of the lists of a test, with one more where `LEDGER_TEST_TASKS` names it, such as 1000000.
  static func listLengths(_ lengths: [Int]) -> [Int] {
    lengths + (number("LEDGER_TEST_TASKS").map { [$0] } ?? [])
  }

  /// How many observations come and go, unless `LEDGER_TEST_OBSERVATIONS` says otherwise.
  static func observations(_ count: Int) -> Int { number("LEDGER_TEST_OBSERVATIONS") ?? count }

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }
}
