import Foundation

/// A program of this package that tests start.
enum ChildProgram {
  /// Where it is: beside the test bundle, where the package manager puts all programs; nil where it was not built.
  static func path(_ name: String) -> String? {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<4 {
      let candidate = folder.appendingPathComponent(name).path
      if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
      folder = folder.deletingLastPathComponent()
    }
    return nil
  }
}
