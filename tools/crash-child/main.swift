import Foundation
import TaskLedger

/// Works on the ledger in FOLDER until it is killed. With a SEED alone it appends transactions, seals, merges, folds, snapshots and backs
/// it up, and repairs a damaged copy, at random; with a FILE it loads the lines behind the first SKIPPED ones, and ends.
///
/// Prints `@NAME` before each call, so that a parent knows which one a kill fell into, and what is acknowledged: the ids of a
/// transaction's tasks, or how many events of the file are in. A parent must find that afterwards.
let words = Array(CommandLine.arguments.dropFirst())
guard words.count == 2 || words.count == 4, let seed = UInt64(words[1]) else {
  print("usage: ledger-crash-child FOLDER SEED [FILE SKIPPED]")
  exit(64)
}
do {
  if words.count == 4 {
    let load = try KillableLoad(
      folder: words[0], file: words[2], skipped: Int(words[3]) ?? 0, seed: seed)
    try load.run()
  } else {
    var calls = try KillableCalls(folder: words[0], seed: seed)
    while true { try calls.next() }
  }
} catch {
  // Not thrown on: what prints a backtrace outlives a kill, and keeps the parent waiting.
  print("!\(error)")
  exit(1)
}
