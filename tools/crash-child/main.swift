import TaskLedger

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Appends transactions to the ledger in FOLDER until it is killed, compacts it or folds its history now and then, and prints the ids of each one's tasks once it is
/// acknowledged: what a parent must find afterwards.
guard CommandLine.arguments.count == 3, let seed = UInt64(CommandLine.arguments[2]) else {
  print("usage: ledger-crash-child FOLDER SEED")
  exit(64)
}
var configuration = LedgerConfiguration()
configuration.sealEvents = 3
configuration.extensionBytes = 4096
configuration.sealsInBackground = seed % 2 == 0
let ledger = try Ledger.open(
  at: CommandLine.arguments[1], author: "child \(seed)", configuration: configuration)
var step = 0
while true {
  step += 1
  let ids = (0..<(1 + step % 3)).map { "\(seed)-\(step)-\($0)" }
  try ledger.transaction { transaction in
    for id in ids { try transaction.upsert(TaskItem(id: try TaskID(id), body: "of \(seed)")) }
  }
  print(ids.joined(separator: " "))
  fflush(nil)
  if step % 16 == 0 {
    let last = try ledger.lastSequence
    try ledger.compact(seed % 4 == 0 ? .fold(before: .sequence(last)) : .merge)
  }
}
