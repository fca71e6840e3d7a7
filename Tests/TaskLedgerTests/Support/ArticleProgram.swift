#if os(Linux)
  import Foundation
  import Testing

  /// The Swift of a page, compiled and run as the `main.swift` of a program that stands alone, against what this build has made.
  struct ArticleProgram {
    private static let root = #filePath.components(separatedBy: "/Tests/")[0]

    /// The folder with what was built; nil where the compiler or the modules are missing.
    private static let built: URL? = {
      var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      for _ in 0..<4 {
        let module = folder.appendingPathComponent("Modules/TaskLedgerUI.swiftmodule").path
        if FileManager.default.fileExists(atPath: module) { return folder }
        folder = folder.deletingLastPathComponent()
      }
      return nil
    }()

    static var canBeBuilt: Bool {
      built != nil && (try? run("/usr/bin/env", ["swiftc", "--version"])) != nil
    }

    /// The Swift examples of a page, in order.
    static func examples(of page: String) throws -> [String] {
      let text = try String(contentsOfFile: "\(root)/\(page)", encoding: .utf8)
      return text.components(separatedBy: "```swift\n").dropFirst().map {
        $0.components(separatedBy: "```")[0]
      }
    }

    private let folder: TemporaryFolder

    /// Compiles a source as `main.swift`, as a package in Swift 6 does.
    init(_ source: String) throws {
      folder = try TemporaryFolder()
      let built = try #require(Self.built)
      try source.write(toFile: folder.path("main.swift"), atomically: true, encoding: .utf8)
      var arguments = ["swiftc", "-swift-version", "6", "-warnings-as-errors"]
      arguments += [folder.path("main.swift"), "-o", folder.path("program")]
      arguments += ["-I", built.appendingPathComponent("Modules").path]
      for library in ["CZstd", "CCrypto", "CStatx", "CSched"] {
        arguments += ["-I", "\(Self.root)/Sources/\(library)"]
      }
      let modules = ["TaskLedgerUI", "TaskLedger", "LedgerStorage", "LedgerFormat", "LedgerCore"]
      for module in modules {
        let objects = built.appendingPathComponent("\(module).build")
        let names = try FileManager.default.contentsOfDirectory(atPath: objects.path)
        arguments += names.filter { $0.hasSuffix(".o") }
          .map { objects.appendingPathComponent($0).path }
      }
      try Self.run("/usr/bin/env", arguments + ["-lzstd", "-lcrypto"])
    }

    /// Runs it in its folder; what it prints, line by line.
    @discardableResult
    func run() throws -> [String] {
      try Self.run(folder.path("program"), [], in: folder.path("."))
        .split(separator: "\n").map(String.init)
    }

    private struct Failed: Error, CustomStringConvertible {
      var description: String
    }

    @discardableResult
    private static func run(
      _ program: String, _ arguments: [String], in folder: String? = nil
    ) throws -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
      if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
      let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw Failed(description: text) }
      return text
    }
  }
#endif
