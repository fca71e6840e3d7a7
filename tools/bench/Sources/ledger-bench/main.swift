import BenchSupport

runProgram("ledger-bench") {
  let words = Array(CommandLine.arguments.dropFirst())
  let rest = Array(words.dropFirst())
  switch words.first {
  case "generate": try GenerateCommand.run(rest)
  case "compare": try CompareCommand.run(rest)
  case "growth": try GrowthCommand.run(rest)
  case "report": try ReportCommand.run(rest)
  case "raw-sync": try RawSyncCommand.run(rest)
  default:
    let usages = [
      GenerateCommand.usage, CompareCommand.usage, GrowthCommand.usage, ReportCommand.usage,
      RawSyncCommand.usage,
    ]
    let lines = usages.joined(separator: "\n       ledger-bench ")
    throw BenchError.usage("usage: ledger-bench \(lines)")
  }
}
