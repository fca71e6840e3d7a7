import BenchSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `ledger-bench raw-sync`: what the disk allows, one write and one sync at a time.
enum RawSyncCommand {
  static let usage = "raw-sync FILE COUNT [BYTES]"

  static func run(_ words: [String]) throws {
    let positional = try Arguments(words, options: []).positional
    guard (2...3).contains(positional.count) else {
      throw BenchError.usage("usage: ledger-bench \(usage)")
    }
    let count = try Arguments.number(positional[1], named: "COUNT")
    let size = try positional.count > 2 ? Arguments.number(positional[2], named: "BYTES") : 200
    let seconds = try appendAndSync(path: positional[0], count: count, size: size)
    var result = RunResult(what: "raw-sync", events: count, seconds: seconds)
    result.details = [("bytes", "\(size)")]
    print(result.line)
  }

  private static func appendAndSync(path: String, count: Int, size: Int) throws -> Double {
    // A new file only: pointed at somebody's data, this loop must not write over it.
    let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY, 0o644)
    guard descriptor >= 0 else { throw BenchError.system("create", path) }
    defer {
      close(descriptor)
      unlink(path)
    }
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: size)
    let start = monotonicSeconds()
    for index in 0..<count {
      guard pwrite(descriptor, bytes, size, off_t(index * size)) == size else {
        throw BenchError.system("write to", path)
      }
      guard syncData(descriptor) == 0 else { throw BenchError.system("sync", path) }
    }
    return monotonicSeconds() - start
  }

  private static func syncData(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
      // Apple's fsync stops at the drive's cache; this is the call that the ledger makes, too.
      fcntl(descriptor, F_FULLFSYNC)
    #else
      fdatasync(descriptor)
    #endif
  }
}
