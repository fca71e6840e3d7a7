/// What one run of a row gave, as one line of `results.ndjson`: lines are only ever added.
public struct ResultLine: Equatable, Sendable {
  /// The commit of the sources that were measured.
  public var commit: String
  /// When the run began, RFC 3339.
  public var date: String
  public var machine: String
  public var row: String
  /// Events; tasks of the list for the rows that observe.
  public var count: Int
  public var rounds: Int
  /// What is followed: how many times as fast as the other side, or an exponent.
  public var ratio: Spread
  /// Both sides as they were measured, for readers; the unit is in the text.
  public var ledger: String
  public var other: String
  /// An exponent is better when it is lower, a ratio when it is higher.
  public var isBetterLower: Bool

  public init(
    commit: String, date: String, machine: String, row: String, count: Int, rounds: Int,
    ratio: Spread, ledger: String, other: String, isBetterLower: Bool = false
  ) {
    self.commit = commit
    self.date = date
    self.machine = machine
    self.row = row
    self.count = count
    self.rounds = rounds
    self.ratio = ratio
    self.ledger = ledger
    self.other = other
    self.isBetterLower = isBetterLower
  }

  public var json: String {
    let texts = [
      ("commit", commit), ("date", date), ("machine", machine), ("row", row), ("ledger", ledger),
      ("other", other),
    ].map { "\"\($0)\":\"\(Self.plain($1))\"" }
    let numbers = [
      "\"n\":\(count)", "\"rounds\":\(rounds)", "\"ratio\":\(ratio.median)",
      "\"ratio_min\":\(ratio.minimum)", "\"ratio_max\":\(ratio.maximum)",
      "\"better\":\"\(isBetterLower ? "lower" : "higher")\"",
    ]
    return "{" + (texts + numbers).joined(separator: ",") + "}"
  }

  /// Without what would have to be escaped: machines and labels do without it.
  private static func plain(_ text: String) -> String {
    String(
      text.unicodeScalars.filter { $0.value >= 32 && $0 != "\"" && $0 != "\\" && $0 != "|" }
        .map(Character.init))
  }

  /// Reads a line.
  public init(_ line: UnsafeBufferPointer<UInt8>) throws {
    var members = try JSONMembers(line)
    var found: [String: String] = [:]
    while try members.next() { found[members.key.string] = members.value.unquoted.string }
    func text(_ name: String) throws -> String {
      guard let value = found[name] else {
        throw BenchError("a result without \(name): \(line.string)", exitCode: 65)
      }
      return value
    }
    func number(_ name: String) throws -> Double {
      guard let value = Double(try text(name)) else {
        throw BenchError("a result whose \(name) is no number: \(line.string)", exitCode: 65)
      }
      return value
    }
    self.init(
      commit: try text("commit"), date: try text("date"), machine: try text("machine"),
      row: try text("row"), count: Int(try number("n")), rounds: Int(try number("rounds")),
      ratio: Spread(
        median: try number("ratio"), minimum: try number("ratio_min"),
        maximum: try number("ratio_max")),
      ledger: try text("ledger"), other: try text("other"),
      isBetterLower: try text("better") == "lower")
  }
}
