/// Tells a person at a terminal how far long work is.
///
/// Nothing is shown in the first second, and nothing at all where standard error is no terminal. The line is overwritten in
/// place and removed at the end.
package final class Progress {
  private let output: Output
  private let noun: String
  private let clock: () -> Double
  private let isWanted: Bool
  private var next: Double
  private var isShown = false

  private static let patience = 1.0
  private static let pause = 0.1

  /// - Parameters:
  ///   - noun: what is counted, such as "event".
  ///   - clock: seconds that only ever grow.
  package init(_ output: Output, noun: String, clock: @escaping () -> Double) {
    self.output = output
    self.noun = noun
    self.clock = clock
    isWanted = output.movesCursor
    next = isWanted ? clock() + Self.patience : .infinity
  }

  /// Says how many are done.
  package func update(_ count: some BinaryInteger) {
    guard isWanted else { return }
    let now = clock()
    guard now >= next else { return }
    next = now + Self.pause
    isShown = true
    output.raw("\r\u{1b}[K\(NumberText.count(count, noun))…")
    output.flush()
  }

  /// Takes the line away.
  package func clear() {
    guard isShown else { return }
    isShown = false
    output.raw("\r\u{1b}[K")
    output.flush()
  }
}
