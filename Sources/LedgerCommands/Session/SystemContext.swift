import LedgerCore
import LedgerStorage
import TaskLedger

#if canImport(CMalloc)
  import CMalloc
#endif
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Program {
  /// Carries out the command line of this process and ends it.
  package static func main() -> Never {
    openStandardDescriptors()
    // A reader who leaves shows as EPIPE, a file that would grow over the limit of the process as EFBIG: both end the
    // work in good order.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    keepMemory()
    var context = SystemContext.make()
    let arguments = SystemContext.arguments()
    context.arguments = arguments.texts
    context.onInterruption = Interruption.onInterruption
    context.secondsEast = SystemContext.secondsEast
    if let error = arguments.error {
      exit(report(error, globals(in: arguments.texts), Output(context.errors)).rawValue)
    }
    exit(run(context))
  }

  /// Lets blocks of files, some hundred kilobytes each, take the same memory one after the other: it would go back to the system in
  /// between, and fresh memory costs more than what is done with it.
  private static func keepMemory() {
    #if canImport(CMalloc)
      mallopt(M_MMAP_THRESHOLD, 1 << 20)
      mallopt(M_TRIM_THRESHOLD, 8 << 20)
    #endif
  }

  /// Fills standard descriptors that were closed: the next file that is opened would get their number, and our output.
  /// What stands in for them is opened the wrong way round, so that using it is an error and not a silent loss.
  private static func openStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO
    where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// The world around this process.
enum SystemContext {
  static func make() -> CommandContext {
    let isDumb = getenv("TERM").map { strcmp($0, "dumb") == 0 } ?? true
    // Set to nothing it counts as not set (no-color.org).
    let isPlain = isDumb || getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    return CommandContext(
      arguments: [], environment: variable, workingFolder: workingFolder(), loginName: loginName,
      homeFolder: homeFolder,
      input: DescriptorSource(STDIN_FILENO, name: "standard input"),
      output: target(STDOUT_FILENO, "standard output", isDumb: isDumb, isPlain: isPlain),
      errors: target(STDERR_FILENO, "standard error", isDumb: isDumb, isPlain: isPlain),
      monotonicSeconds: monotonicSeconds)
  }

  private static let zone: Void = tzset()

  /// How far the local time is ahead: by TZ, else as the system is set. Asked for only when needed, for it reads a file.
  static func secondsEast(_ time: LedgerTime) -> Int64 {
    _ = zone
    var seconds = time_t(time.milliseconds / 1000)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return 0 }
    return Int64(parts.tm_gmtoff)
  }

  /// The arguments behind the name of the program, and what is wrong with the first that is not UTF-8: reading it as far as
  /// it goes makes another text of it, which must not be acted upon.
  static func arguments() -> (texts: [String], error: LedgerError?) {
    var texts: [String] = []
    var error: LedgerError?
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = CommandLine.unsafeArgv[index] else { break }
      let text = String(cString: bytes)
      texts.append(text)
      guard error == nil, String(validatingCString: bytes) == nil else { continue }
      error = LedgerError(
        .usage, "argument \(index) is not UTF-8: \"\(text.shortened)\"",
        hint:
          "set the terminal to UTF-8; to name a ledger in such a folder, go there and use a relative path"
      )
    }
    return (texts, error)
  }

  private static func variable(_ name: String) throws(LedgerError) -> String? {
    guard let bytes = getenv(name) else { return nil }
    guard let text = String(validatingCString: bytes) else {
      throw LedgerError(
        .usage, "the variable \(name) is not UTF-8: \"\(String(cString: bytes).shortened)\"",
        hint: "set it to text in UTF-8")
    }
    return text
  }

  private static func workingFolder() -> WorkingFolder {
    guard let bytes = getcwd(nil, 0) else { return .missing }
    defer { free(bytes) }
    return String(validatingCString: bytes).map { .path($0) } ?? .nameless
  }

  private static func target(
    _ descriptor: Int32, _ name: String, isDumb: Bool, isPlain: Bool
  ) -> OutputTarget {
    let isTerminal = isatty(descriptor) == 1
    return OutputTarget(
      sink: DescriptorSink(descriptor, name: name), isTerminal: isTerminal,
      columns: isTerminal ? columns(descriptor) : 80, isStyled: isTerminal && !isPlain,
      movesCursor: isTerminal && !isDumb)
  }

  /// The width of a terminal; one that does not know gets what terminals always had.
  private static func columns(_ descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return max(20, Int(size.ws_col))
  }

  /// What POSIX names LOGNAME, else what the system knows: asking that may load libraries.
  private static func loginName() -> String {
    if let bytes = getenv("LOGNAME"), let name = String(validatingCString: bytes), !name.isEmpty {
      return name
    }
    guard let record = getpwuid(geteuid()), let bytes = record.pointee.pw_name,
      let name = String(validatingCString: bytes), !name.isEmpty
    else { return "uid-\(geteuid())" }
    return name
  }

  private static func homeFolder() -> String? {
    guard let record = getpwuid(geteuid()), let home = record.pointee.pw_dir, home.pointee != 0
    else { return nil }
    return String(validatingCString: home)
  }
}
