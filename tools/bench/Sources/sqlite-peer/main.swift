import BenchSupport

runProgram("sqlite-peer") {
  let words = Array(CommandLine.arguments.dropFirst())
  let rest = Array(words.dropFirst())
  switch words.first {
  case "load": try LoadCommand.run(rest)
  case "replay": try ReplayCommand.run(rest)
  case "audit": try AuditCommand.run(rest)
  case "compact": try CompactCommand.run(rest)
  default:
    let usages = [
      LoadCommand.usage, ReplayCommand.usage, AuditCommand.usage, CompactCommand.usage,
    ]
    throw BenchError.usage("usage: sqlite-peer " + usages.joined(separator: " | "))
  }
}
