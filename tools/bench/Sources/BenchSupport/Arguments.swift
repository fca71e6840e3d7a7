/// Splits a command line into options, flags and positional words.
///
/// The benchmark programs know all their options beforehand, so anything else that begins with a
/// dash is refused by name.
public struct Arguments {
  public private(set) var positional: [String] = []
  private var values: [String: String] = [:]
  private var flags: Set<String> = []

  /// - Parameters:
  ///   - words: The command line after the subcommand.
  ///   - options: Names that take a value, with their dashes.
  ///   - flags: Names that stand alone, with their dashes.
  public init(_ words: [String], options: Set<String>, flags: Set<String> = []) throws {
    var rest = words[...]
    while let word = rest.popFirst() {
      if options.contains(word) {
        guard let value = rest.popFirst() else { throw BenchError.usage("\(word) needs a value") }
        values[word] = value
      } else if flags.contains(word) {
        self.flags.insert(word)
      } else if word.hasPrefix("-"), word.utf8.count > 1 {
        throw BenchError.usage("unknown option \(word)")
      } else {
        positional.append(word)
      }
    }
  }

  public func has(_ flag: String) -> Bool {
    flags.contains(flag)
  }

  public func text(_ option: String) -> String? {
    values[option]
  }

  /// A whole number of at least `minimum`; the default may lie below it.
  public func number(_ option: String, minimum: Int = 1, default fallback: Int) throws -> Int {
    guard let text = values[option] else { return fallback }
    return try Self.number(text, named: option, minimum: minimum)
  }

  /// Parses a positional word that must be a whole number.
  public static func number(_ text: String, named name: String, minimum: Int = 1) throws -> Int {
    guard let value = Int(text), value >= minimum else {
      throw BenchError.usage("\(name) needs a whole number of at least \(minimum), found \(text)")
    }
    return value
  }
}
