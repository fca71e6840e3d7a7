import BenchSupport

/// A ledger of some size, and what is known of it.
struct GrowthStore {
  let count: Int
  let path: String
  let oldID: String

  init(_ count: Int, _ bench: Workbench) throws {
    self.count = count
    path = "\(bench.folder)/growth-\(count).ledger"
    try bench.load(count, into: path)
    let ids = try bench.generate(["--ids"], events: count, to: bench.folder + "/ids.json")
    oldID = ids.lastObject["old"] ?? ""
  }
}

/// The jobs whose growth is measured.
enum GrowingJob: String, CaseIterable {
  case replay, append, audit, open, observe, merge

  static func named(_ list: String?) throws -> [GrowingJob] {
    guard let list else { return allCases }
    return try list.split(separator: ",").map { name in
      guard let job = GrowingJob(rawValue: String(name)) else {
        let known = allCases.map(\.rawValue).joined(separator: ", ")
        throw BenchError.usage("no job is named \(name); there are \(known)")
      }
      return job
    }
  }

  var meaning: String {
    switch self {
    case .replay: "the fold of all events on one core"
    case .append: "one durable event on top of them, of 200"
    case .audit: "all events of an old task, a fresh process"
    case .open: "the first 50 tasks, a fresh process"
    case .observe: "a commit until it is shown, a task in the list for every five events"
    case .merge: "compact, of a copy"
    }
  }

  func figure(_ seconds: Double) -> String { Figure.milliseconds(seconds) }

  /// The seconds of one run.
  func run(_ store: GrowthStore, _ bench: Workbench) throws -> Double {
    switch self {
    case .replay: try reported(bench.ledger(store.path, ["--json", "replay"]), bench)
    case .append:
      try onCopy(store, bench) { copy in
        try reported([bench.jobs, "append", copy, "200", "--existing"], bench) / 200
      }
    case .audit:
      try bench.process.run(bench.ledger(store.path, ["--json", "audit", store.oldID])).seconds
    case .open:
      try bench.process.run(bench.ledger(store.path, ["--json", "list", "--limit", "50"])).seconds
    case .observe:
      try reported(
        [bench.jobs, "observe", "1000", "--tasks", "\(store.count / 5)"], bench, cores: .all)
        / 1000
    case .merge:
      try onCopy(store, bench) { copy in
        try bench.process.run(bench.ledger(copy, ["compact"])).seconds
      }
    }
  }

  /// What changes the ledger works on a fresh copy each time.
  private func onCopy(
    _ store: GrowthStore, _ bench: Workbench, _ body: (String) throws -> Double
  ) throws -> Double {
    let copy = bench.folder + "/growth-copy.ledger"
    try bench.copy(store.path, to: copy)
    defer { try? bench.remove(copy) }
    return try body(copy)
  }

  private func reported(
    _ command: [String], _ bench: Workbench, cores: Cores = .one
  ) throws -> Double {
    let finished = try bench.process.run(command, cores: cores)
    guard let seconds = finished.lastObject["seconds"].flatMap(Double.init) else {
      throw BenchError("\(command.joined(separator: " ")) did not say how long it took")
    }
    return seconds
  }
}
