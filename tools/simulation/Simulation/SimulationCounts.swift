/// What was met, by its name: `crash: power cut, torn`, `fault: sync EIO, pages lost`, `step: fold`.
package struct SimulationCounts: Sendable, Equatable {
  package private(set) var numbers: [String: Int] = [:]

  package init() {}

  package subscript(_ name: String) -> Int { numbers[name] ?? 0 }

  package mutating func count(_ name: String, _ times: Int = 1) {
    numbers[name, default: 0] += times
  }

  package mutating func add(_ other: SimulationCounts) {
    for (name, number) in other.numbers { count(name, number) }
  }

  /// How many there were of all whose names begin so.
  package func total(_ prefix: String) -> Int {
    numbers.reduce(0) { $1.key.hasPrefix(prefix) ? $0 + $1.value : $0 }
  }

  /// A line each, in order of names.
  package var lines: [String] {
    numbers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
  }
}
