import Foundation
import LedgerFuzzing

/// Which target the process runs, by `LEDGER_FUZZ_TARGET`: libFuzzer keeps the command line for itself.
private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["LEDGER_FUZZ_TARGET"] ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    let all = FuzzTarget.allCases.map(\.rawValue).joined(separator: " ")
    FileHandle.standardError.write(Data("no target \"\(name)\"; there are: \(all)\n".utf8))
    exit(64)
  }
  return target
}()

/// Called by libFuzzer for each input. A finding ends the process, as a trap does, and the input is saved.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try target.check(Array(UnsafeBufferPointer(start: start, count: count)))
  } catch {
    fatalError("\(error)")
  }
  return 0
}

/// Called by libFuzzer at the beginning; writes the seeds where they are asked for.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?)
  -> CInt
{
  guard let folder = ProcessInfo.processInfo.environment["LEDGER_FUZZ_SEEDS"] else { return 0 }
  do {
    for (number, seed) in try Seeds.of(target).enumerated() {
      try Data(seed).write(to: URL(fileURLWithPath: "\(folder)/seed-\(number)"))
    }
    exit(0)
  } catch {
    fatalError("\(error)")
  }
}
