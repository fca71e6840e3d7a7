import BenchSupport

await runProgram("ledger-jobs") {
  let words = Array(CommandLine.arguments.dropFirst())
  let rest = Array(words.dropFirst())
  switch words.first {
  case "append": try AppendJob.run(rest)
  case "load": try LoadJob.run(rest)
  case "observe": try await ObserveJob.run(rest)
  default:
    let jobs = [AppendJob.usage, LoadJob.usage, ObserveJob.usage]
    throw BenchError.usage("usage: ledger-jobs \(jobs.joined(separator: " | "))")
  }
}
