import BenchSupport
import Workload

/// `ledger-bench generate`: the workload on standard output.
enum GenerateCommand {
  static let usage =
    "generate -n EVENTS [-s SEED] [--per-transaction N] [--no-times | --events | --state | --ids]"

  static func run(_ words: [String]) throws {
    let forms: Set = ["--no-times", "--events", "--state", "--ids"]
    let arguments = try Arguments(words, options: ["-n", "-s", "--per-transaction"], flags: forms)
    guard arguments.positional.isEmpty, arguments.text("-n") != nil,
      forms.filter(arguments.has).count < 2
    else { throw BenchError.usage("usage: ledger-bench \(usage)") }
    let count = try arguments.number("-n", minimum: 0, default: 0)
    let seed = try arguments.number("-s", minimum: 0, default: 1)
    var printer = WorkloadPrinter(seed: UInt64(seed), to: OutputBuffer())
    try printer.print(try form(arguments), events: count)
  }

  private static func form(_ arguments: Arguments) throws -> WorkloadPrinter.Form {
    if arguments.has("--events") { return .events }
    if arguments.has("--state") { return .state }
    if arguments.has("--ids") { return .ids }
    return .commands(
      withTimes: !arguments.has("--no-times"),
      perTransaction: try arguments.number("--per-transaction", default: 1))
  }
}
