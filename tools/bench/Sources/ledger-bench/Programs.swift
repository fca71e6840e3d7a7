import BenchSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where the programs are that are measured.
enum Programs {
  /// The folder that this program was built into; its peers lie beside it.
  static let folder: String = {
    #if os(Linux)
      let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let path = link ?? CommandLine.arguments[0]
    #else
      let path = CommandLine.arguments[0]
    #endif
    return parent(of: path) ?? "."
  }()

  /// The nearest folder above this program in which something is.
  static func ancestor(with name: String) -> String? {
    var folder: String? = folder
    while let found = folder {
      if FileManager.default.fileExists(atPath: "\(found)/\(name)") { return found }
      folder = parent(of: found)
    }
    return nil
  }

  /// The ledger that was named, else the one that `tools/install` built: linked statically, it starts in a fifth of the time.
  static func ledger(_ path: String?) throws -> String {
    if let path { return try executable(path) }
    let name = ".build/install/release/ledger"
    guard let repository = ancestor(with: name) else {
      throw BenchError(
        "there is no ledger that tools/install built; run it, or name a program with --ledger",
        exitCode: 66)
    }
    return "\(repository)/\(name)"
  }

  static func executable(_ path: String) throws -> String {
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw BenchError("there is no program at \(path)", exitCode: 66)
    }
    return path
  }

  private static func parent(of path: String) -> String? {
    guard let slash = path.lastIndex(of: "/"), path != "/" else { return nil }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
