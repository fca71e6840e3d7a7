import BenchSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The machine that a measurement belongs to.
enum Machine {
  static var description: String {
    "\(processor), \(Cores.count) cores, \(kernel)"
  }

  private static var kernel: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown kernel" }
    return "\(text(names.sysname)) \(text(names.release)) \(text(names.machine))"
  }

  private static func text<Tuple>(_ characters: Tuple) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private static var processor: String {
    #if canImport(Darwin)
      var size = 0
      guard sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0) == 0 else {
        return "unknown processor"
      }
      var name = [UInt8](repeating: 0, count: size)
      sysctlbyname("machdep.cpu.brand_string", &name, &size, nil, 0)
      return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    #else
      return processorFromProc ?? "unknown processor"
    #endif
  }

  #if !canImport(Darwin)
    /// Files in /proc have no size, so they are read and not mapped.
    private static var processorFromProc: String? {
      guard let file = fopen("/proc/cpuinfo", "r") else { return nil }
      defer { fclose(file) }
      var text = [UInt8](repeating: 0, count: 4096)
      let count = fread(&text, 1, text.count, file)
      let lines = String(decoding: text.prefix(count), as: UTF8.self).split(separator: "\n")
      let line = lines.first { $0.hasPrefix("model name") || $0.hasPrefix("Model") }
      return line?.split(separator: ":").last.map { String($0.drop { $0 == " " }) }
    }
  #endif
}
