import BenchSupport

await runProgram("ledger-jobs") {
  let words = Array(CommandLine.arguments.dropFirst())
  let rest = Array(words.dropFirst())
  switch words.first {
  case "append": try AppendJob.run(rest)
  case "observe": try await ObserveJob.run(rest)
  default:
    throw BenchError.usage("usage: ledger-jobs \(AppendJob.usage) | \(ObserveJob.usage)")
  }
}
