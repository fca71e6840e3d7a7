import Foundation
import TaskLedger

/// Appends transactions to the ledger in FOLDER, seals, merges, folds, snapshots and backs it up, and repairs a damaged copy, at random
/// until it is killed.
///
/// Prints `@NAME` before each call, so that a parent knows which one a kill fell into, and the ids of a transaction's tasks once it is
/// acknowledged: what a parent must find afterwards.
guard CommandLine.arguments.count == 3, let seed = UInt64(CommandLine.arguments[2]) else {
  print("usage: ledger-crash-child FOLDER SEED")
  exit(64)
}
do {
  var calls = try KillableCalls(folder: CommandLine.arguments[1], seed: seed)
  while true { try calls.next() }
} catch {
  // Not thrown on: what prints a backtrace outlives a kill, and keeps the parent waiting.
  print("!\(error)")
  exit(1)
}
