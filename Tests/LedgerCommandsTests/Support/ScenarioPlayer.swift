import Foundation

@testable import LedgerCommands

/// Carries a scenario out.
final class ScenarioPlayer {
  private let world: TestWorld
  /// The file: what it says outright is not masked.
  private let source: String
  private var masks: [Regex<AnyRegexOutput>] = []
  private var identifiers: [String] = []

  init(_ world: TestWorld, _ source: String) {
    self.world = world
    self.source = source
  }

  /// Does what a line that begins with @ says.
  func obey(_ line: String, content: [String]) throws {
    let words = try ShellWords.split(line)
    let text = content.map { $0 + "\n" }.joined()
    switch (words[0], words.dropFirst().first) {
    case ("@terminal", let columns): world.terminalColumns = columns.flatMap { Int($0) }
    case ("@env", let assignment?):
      let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      world.environment[String(parts[0])] =
        parts.count == 2
        ? parts[1].replacingOccurrences(of: "FOLDER", with: world.folder) : nil
    case ("@zone", let hours?): world.secondsEast = 3600 * (Int64(hours) ?? 0)
    case ("@login", let name?): world.loginName = name
    case ("@cd", let folder?):
      world.currentFolder = world.folder + (folder == "." ? "" : "/" + folder)
      try FileManager.default.createDirectory(
        atPath: world.currentFolder, withIntermediateDirectories: true)
    case ("@file", let name?): try world.write(text, to: name)
    case ("@input", _): world.input = Array(text.utf8)
    case ("@remove", let pattern?):
      try FileManager.default.removeItem(atPath: try world.match(pattern))
    case ("@copy", let pattern?): try copy(try world.match(pattern), to: world.path(words[2]))
    case ("@seal", let events?): world.configuration.sealEvents = UInt64(events) ?? 1
    case ("@flip", let pattern?): try flip(try world.match(pattern), at: Int(words[2]) ?? 0)
    case ("@tear", let pattern?): try tear(try world.match(pattern))
    case ("@mask", _?): masks.append(try Regex(String(line.dropFirst("@mask ".count))))
    default: throw Scenario.Malformed(description: "unknown directive \(line)")
    }
  }

  /// Puts a copy of a file in the place of another, or where there is none.
  private func copy(_ path: String, to copy: String) throws {
    try Data(contentsOf: URL(fileURLWithPath: path)).write(to: URL(fileURLWithPath: copy))
  }

  /// Flips the lowest bit of a byte.
  private func flip(_ path: String, at offset: Int) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes[offset] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// Leaves bytes behind the last frame, as an interrupted write does. A frame may end with a few zeros: keep a distance.
  private func tear(_ path: String) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let end = (bytes.lastIndex { $0 != 0 } ?? 0) + 64
    for index in end..<min(end + 24, bytes.count) { bytes[index] = 0xaa }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// Runs a command line, and returns what it printed as the file shows it.
  func run(_ line: String) throws -> String {
    var words = try ShellWords.split(line)
    guard words.first == "ledger" else {
      throw Scenario.Malformed(description: "expected ledger: \(line)")
    }
    words.removeFirst()
    let result = world.run(words)
    var shown = lines(result.output, "> ") + lines(result.errors, "! ")
    if result.exit != 0 { shown += "[exit \(result.exit)]\n" }
    return shown
  }

  private func lines(_ text: String, _ prefix: String) -> String {
    guard !text.isEmpty else { return "" }
    var lines = mask(text).components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() } else { lines.append("(no newline)") }
    return lines.map { line in
      let line = (prefix + visible(line))
      return (line.hasSuffix(" ") ? String(line.dropLast()) : line) + "\n"
    }.joined()
  }

  /// Makes what the eye would miss visible.
  private func visible(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x1b: result.append("␛")
      case 0x09: result.append("␉")
      case 0x0d: result.append("␍")
      case 0..<0x20, 0x7f...0x9f, 0xad, 0x200b, 0x200e, 0x200f, 0x2028...0x202e, 0x2060...0x206f,
        0xfeff:
        result.append(contentsOf: "‹U+\(String(scalar.value, radix: 16))›".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// Replaces what differs from run to run.
  private func mask(_ text: String) -> String {
    var text = text.replacingOccurrences(of: world.folder, with: "FOLDER")
    text.replace(Self.uuid) { match in
      let id = String(match.output)
      if source.contains(id) { return id }
      if !identifiers.contains(id) { identifiers.append(id) }
      return "UUID-\((identifiers.firstIndex(of: id) ?? 0) + 1)"
    }
    text.replace(Self.unique) { _ in "-RANDOM" }
    text.replace(Self.logDigest) { match in "\(match.output.1)DIGEST" }
    text.replace(Self.timings) { match in "\(match.output.1)N" }
    text.replace(Self.seconds) { match in "N\(match.output.1)" }
    for mask in masks {
      let whole = text
      text.replace(mask) { match in
        guard match.count > 1, let part = match[1].range else { return "MASKED" }
        return whole[match.range.lowerBound..<part.lowerBound] + "MASKED"
          + whole[part.upperBound..<match.range.upperBound]
      }
    }
    return text
  }

  private static var uuid: Regex<Substring> {
    /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
  }
  /// The part of a segment's name that makes it unique.
  private static var unique: Regex<Substring> {
    /-[0-9a-f]{16}(?=(?:-[0-9]+)?\.active|\.sealed|\.baseline|\.salvaged|\.snapshot|\.broken)/
  }
  /// It covers the random id of the replica.
  private static var logDigest: Regex<(Substring, Substring)> {
    /(log digest    |"logDigest":")[0-9a-f]{64}/
  }
  private static var timings: Regex<(Substring, Substring)> {
    /("seconds":|"digestSeconds":|"eventsPerSecond":)[0-9.]+/
  }
  private static var seconds: Regex<(Substring, Substring)> {
    /[0-9.,]+( s to fold| a second| s for the digest)/
  }
}
