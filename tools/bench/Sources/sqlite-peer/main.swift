import BenchSupport

runProgram("sqlite-peer") {
  let words = Array(CommandLine.arguments.dropFirst())
  let rest = Array(words.dropFirst())
  switch words.first {
  case "load": try LoadCommand.run(rest)
  case "replay": try ReplayCommand.run(rest)
  case "audit": try AuditCommand.run(rest)
  case "tasks": try TasksCommand.run(rest)
  case "list": try ListCommand.run(rest)
  case "add": try AddCommand.run(rest)
  case "compact": try CompactCommand.run(rest)
  default:
    let usages = [
      LoadCommand.usage, ReplayCommand.usage, AuditCommand.usage, CompactCommand.usage,
      TasksCommand.usage, ListCommand.usage, AddCommand.usage,
    ]
    throw BenchError.usage("usage: sqlite-peer " + usages.joined(separator: " | "))
  }
}
