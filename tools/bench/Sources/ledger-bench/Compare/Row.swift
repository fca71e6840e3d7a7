import BenchSupport

/// One run of one side.
struct Measurement {
  let events: Int
  let seconds: Double
  let peakBytes: Int
  /// State digest, where the program names one: it must be the same in every round.
  let digest: String?

  var rate: Double { Double(events) / seconds }
}

/// What of a run counts.
enum Clock {
  /// The whole process, from start to end.
  case process
  /// `seconds` of the line that the program prints last; the whole process when it has none.
  case reported
}

/// One of the two programs of a row.
struct Side {
  let label: String
  let command: [String]
  let clock: Clock
  let cores: Cores
  let events: Int
  /// Exit codes that mean that the job was done.
  var exitCodes: Set<Int32> = [0]
  /// Work before each run that is not timed.
  var prepare: () throws -> Void = {}

  func run(in process: ChildProcess) throws -> Measurement {
    try prepare()
    let finished = try process.run(command, cores: cores, accepting: exitCodes)
    let reported = finished.lastObject["seconds"].flatMap(Double.init)
    let seconds = clock == .reported ? reported ?? finished.seconds : finished.seconds
    return Measurement(
      events: finished.lastObject["events"].flatMap { Int($0) } ?? events,
      seconds: seconds, peakBytes: finished.peakBytes, digest: finished.lastObject["digest"])
  }
}

/// Two programs that do the same job, the ledger first.
struct Row {
  enum Unit {
    case eventsPerSecond
    case milliseconds
    case peakBytes
  }

  let name: String
  let unit: Unit
  /// Events of the job; tasks of the longer list for the rows that observe.
  let count: Int
  let ledger: Side
  let other: Side
  /// Whether both sides rebuild the same state, so that their digests must be the same.
  var hasOneState = true
}

/// The runs of a row, round by round.
struct RowResult {
  let row: Row
  private(set) var ledger: [Measurement] = []
  private(set) var other: [Measurement] = []

  init(_ row: Row) {
    self.row = row
  }

  /// Runs both sides once. They take turns at going first, so that neither always meets the
  /// memory and the page cache that the other left behind.
  mutating func runRound(_ round: Int, in process: ChildProcess) throws {
    if round % 2 == 0 {
      ledger.append(try row.ledger.run(in: process))
      other.append(try row.other.run(in: process))
    } else {
      other.append(try row.other.run(in: process))
      ledger.append(try row.ledger.run(in: process))
    }
    let digests = Set((ledger + other).compactMap(\.digest))
    if row.hasOneState, digests.count > 1 {
      throw BenchError("row \(row.name): runs of the same events gave digests \(digests.sorted())")
    }
  }

  /// How many times as fast the ledger was, or how many times as much memory the other side took, in each round.
  var ratios: [Double] {
    zip(ledger, other).map { ledger, other in
      switch row.unit {
      case .eventsPerSecond: ledger.rate / other.rate
      case .milliseconds: other.seconds / ledger.seconds
      case .peakBytes: Double(other.peakBytes) / Double(ledger.peakBytes)
      }
    }
  }
}
