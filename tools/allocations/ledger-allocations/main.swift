import CAllocations
import TaskLedger

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Prints, as one JSON line, how many times the ledger asks for memory for each event that is appended, alone and a
/// thousand in a transaction, and for each that is replayed. The ledger is made in FOLDER, which must not be there.
///
/// Nothing is done in the background, so the same program gives the same numbers each time.
guard CommandLine.arguments.count == 2 else {
  print("usage: ledger-allocations FOLDER")
  exit(64)
}
let isDebug = _isDebugAssertConfiguration()
if allocations_are_counted() {
  let path = CommandLine.arguments[1]
  let alone = try Measurement(path: path + "/alone").ofSingleAppends(300)
  let many = try Measurement(path: path + "/many")
  let thousand = try many.ofLargeTransactions(20)
  let replay = try many.ofReplay()
  print(
    "{\"what\":\"allocations\",\"debug\":\(isDebug),\"append\":\(alone),\"appendThousand\":\(thousand),\"replay\":\(replay)}"
  )
} else {
  print("{\"what\":\"allocations\",\"debug\":\(isDebug)}")
}
