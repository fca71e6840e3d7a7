import LedgerCore

/// A ledger that the command line names, for the commands that hints and notes tell: pasted as they stand, they are to act on the ledger
/// that the command was about, not on the one that is found where somebody is.
struct NamedLedger {
  /// As it was typed.
  let name: String
  /// The same as the command opens it.
  let path: String

  /// The one that `--ledger` names; nil where it is found in another way.
  static func given(_ globals: Arguments, _ context: CommandContext) -> NamedLedger? {
    guard let name = globals.value("ledger"), !name.isEmpty, let path = try? context.resolve(name)
    else { return nil }
    return NamedLedger(name: name, path: path)
  }

  /// Whether a file or folder is the ledger's.
  func holds(_ other: String) -> Bool {
    let base = path.utf8.last == 0x2f ? String(path.dropLast()) : path
    return other.hasSameBytes(as: base) || other.utf8.starts(with: "\(base)/".utf8)
  }

  /// What makes a ledger or a copy, or is about none: it is not to be told of this one.
  private static let others = ["init", "backup", "man", "completions", "help"]

  /// A text in which each command names the ledger.
  func named(in text: String) -> String {
    // What cannot be pasted is no help.
    guard !name.utf8.contains(0x60), name.utf8.count <= 1024,
      !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return text }
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      index.isMultiple(of: 2) ? String(part) : command(String(part))
    }.joined(separator: "`")
  }

  private func command(_ text: String) -> String {
    let words = text.split(separator: " ")
    guard words.first == "ledger", !words.contains("--ledger"), !words.contains("--help"),
      let verb = words.dropFirst().first(where: { !$0.hasPrefix("--") }).map(String.init),
      !Self.others.contains(verb),
      Verbs.all.contains(where: { $0.description.names.contains(verb) }),
      !(verb == "restore" && words.contains("--from"))
    else { return text }
    return "ledger --ledger \(name.shellWord)\(text.dropFirst("ledger".count))"
  }
}
