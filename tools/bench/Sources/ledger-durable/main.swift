import TaskLedger

/// Appends COUNT single events to a new ledger in FOLDER, each durable before the next, and prints the time that
/// took as one JSON line.
let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else {
  print("usage: ledger-durable FOLDER COUNT")
  throw LedgerError(.usage, "expected a folder and a count of events")
}
let ledger = try Ledger.create(at: arguments[1], author: "bench")
let task = try ledger.upsert(TaskItem(body: "Measure single appends"))
let clock = ContinuousClock()
let elapsed = try clock.measure {
  for _ in 0..<count { try ledger.toggle(task) }
}
let (whole, fraction) = elapsed.components
let seconds = Double(whole) + Double(fraction) * 1e-18
print("{\"what\":\"durable\",\"events\":\(count),\"seconds\":\(seconds)}")
