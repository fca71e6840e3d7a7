import BenchSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How a program ran: its time from start to end, the memory it took, and what it said last.
struct FinishedProcess {
  let seconds: Double
  let peakBytes: Int
  /// Members of the last line of standard output, as JSON text, when that line is an object.
  let lastObject: [String: String]
}

/// Starts one program, waits for it, and measures it from outside.
struct ChildProcess {
  /// Standard output and standard error go to files here: a pipe would cost this process time.
  let outputFolder: String

  private var outputPath: String { outputFolder + "/stdout" }
  private var errorPath: String { outputFolder + "/stderr" }

  /// Runs the command and throws, with its last words, when it exits with another code than those that are accepted.
  func run(
    _ command: [String], cores: Cores = .one, accepting codes: Set<Int32> = [0],
    output: String? = nil
  ) throws -> FinishedProcess {
    let outputPath = output ?? self.outputPath
    cores.apply()
    let start = monotonicSeconds()
    let process = try spawn(command, outputPath: outputPath)
    var usage = rusage()
    var status: Int32 = 0
    while wait4(process, &status, 0, &usage) < 0 {
      guard errno == EINTR else { throw BenchError.system("wait for", command[0]) }
    }
    let seconds = monotonicSeconds() - start
    guard status & 0x7f == 0, codes.contains(status >> 8 & 0xff) else {
      throw Self.failure(command, status: status, errorPath: errorPath)
    }
    #if canImport(Darwin)
      let peakBytes = usage.ru_maxrss
    #else
      let peakBytes = usage.ru_maxrss * 1024
    #endif
    return FinishedProcess(
      seconds: seconds, peakBytes: peakBytes, lastObject: Self.lastObject(of: outputPath))
  }

  private func spawn(_ command: [String], outputPath: String) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, outputPath, flags, 0o644)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errorPath, flags, 0o644)
    var process: pid_t = 0
    let code = Self.withCStrings(command) { words in
      Self.withCStrings(Self.environment) { environment in
        posix_spawnp(&process, command[0], &actions, nil, words, environment)
      }
    }
    guard code == 0 else { throw BenchError.system("start", command[0], code: code) }
    return process
  }

  /// Only what a program needs to start, so that a run does not depend on whose shell it is.
  private static let environment: [String] = {
    var variables = ["NO_COLOR=1", "LEDGER_AUTHOR=bench"]
    for name in ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"] {
      if let value = getenv(name) { variables.append("\(name)=\(String(cString: value))") }
    }
    return variables
  }()

  private static func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }

  /// Reads the end of the file alone: what this process maps or holds would count in the peak
  /// memory of every later child, for a child starts out as its parent's twin.
  private static func lastObject(of path: String) -> [String: String] {
    let tail = tail(of: path)
    let line = tail.split(separator: UInt8(ascii: "\n")).last.map(Array.init) ?? []
    return line.withUnsafeBufferPointer { bytes in
      var object: [String: String] = [:]
      guard var members = try? JSONMembers(bytes) else { return [:] }
      while (try? members.next()) == true {
        object[members.key.string] = members.value.unquoted.string
      }
      return object
    }
  }

  private static func tail(of path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 16_384)
    fseek(file, 0, SEEK_END)
    fseek(file, max(0, ftell(file) - bytes.count), SEEK_SET)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }

  private static func failure(_ command: [String], status: Int32, errorPath: String) -> BenchError {
    let reason = status & 0x7f == 0 ? "exit code \(status >> 8 & 0xff)" : "signal \(status & 0x7f)"
    let words = String(decoding: tail(of: errorPath), as: UTF8.self)
    return BenchError("\(command.joined(separator: " ")): \(reason)\n\(words)")
  }
}
