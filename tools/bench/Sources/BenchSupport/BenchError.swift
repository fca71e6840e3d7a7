#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Why a benchmark program stopped: a sentence for standard error and the exit code to leave with.
public struct BenchError: Error, CustomStringConvertible {
  public let description: String
  public let exitCode: Int32

  public init(_ description: String, exitCode: Int32 = 1) {
    self.description = description
    self.exitCode = exitCode
  }

  /// The command line was not understood.
  public static func usage(_ sentence: String) -> BenchError {
    BenchError(sentence, exitCode: 64)
  }

  /// A system call failed; call this before anything else can change `errno`.
  public static func system(_ call: String, _ path: String, code: Int32 = errno) -> BenchError {
    BenchError("cannot \(call) \(path): \(String(cString: strerror(code)))", exitCode: 74)
  }
}

/// Runs the body of a `main.swift` and turns an error into one sentence and an exit code.
public func runProgram(_ name: String, _ body: () throws -> Void) -> Never {
  do {
    try body()
  } catch {
    fail(name, error)
  }
  exit(0)
}

/// Runs the body of a `main.swift` that awaits something.
public func runProgram(_ name: String, _ body: @Sendable () async throws -> Void) async -> Never {
  do {
    try await body()
  } catch {
    fail(name, error)
  }
  exit(0)
}

/// Writes a line to standard error, where it does not mix with results.
public func note(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

private func fail(_ name: String, _ error: any Error) -> Never {
  note("\(name): \(error)")
  exit((error as? BenchError)?.exitCode ?? 1)
}
