/// An endless stream of random commands that loves the nasty cases: few tasks and few fields, so that
/// commands meet; names that are prefixes of each other; late, equal and absent times; evicts in the
/// past; transactions, and commands that must be refused.
///
/// For example:
///
///     for step in RandomStream(seed: 7).prefix(200) {
///       model.run(transaction: step.commands, now: step.now)
///     }
package struct RandomStream: Sequence, IteratorProtocol, Sendable {
  /// One transaction, and what the machine's clock says when it comes.
  package struct Step: Sendable {
    package let now: Int64
    package let commands: [PlainCommand]

    package init(now: Int64, commands: [PlainCommand]) {
      self.now = now
      self.commands = commands
    }

    /// The commands as `apply` lines; a token of their own holds several together.
    package var applyLines: [String] { commands.map(\.applyLine) }
  }

  package let seed: UInt64
  package var random: SplitMix64
  /// The machine's clock. It also goes back now and then.
  package var clock: Int64
  private let start: Int64
  private var steps = 0
  private let refusedPercent: Int
  private let tasks: [PlainText]

  /// - Parameter refusedPercent: how many of a hundred commands get something wrong on purpose. More
  ///   will be refused, for they name a task that is not there.
  /// - Parameter start: where the clock starts. Give a product that reads the real clock the time of
  ///   now, or it will not refuse what lies too far ahead.
  /// - Parameter taskCount: how many tasks there are beside those with nasty ids.
  package init(
    seed: UInt64, refusedPercent: Int = 5, start: Int64 = 1_700_000_000_000, taskCount: Int = 0
  ) {
    self.seed = seed
    self.start = start
    clock = start
    self.refusedPercent = refusedPercent
    tasks = Self.tasks + (0..<taskCount).map { PlainText("many-\($0)") }
    random = SplitMix64(seed: seed)
  }

  package mutating func next() -> Step? {
    steps += 1
    clock += random.chance(10) ? -Int64(random.below(5000)) : Int64(random.below(2000))
    let isLong = random.chance(20)
    let commands = (0..<(isLong ? 2 + random.below(4) : 1)).map { _ in command() }
    guard isLong || random.chance(5) else { return Step(now: clock, commands: commands) }
    // Tokens differ from step to step, for the same one would join two steps.
    let token: PlainJSON =
      random.chance(50) ? .int(Int64(steps)) : .text(PlainText("transaction \(steps)"))
    return Step(
      now: clock,
      commands: commands.map {
        var command = $0
        command.transaction = token
        return command
      })
  }

  /// The same events in another order of arrival.
  package static func shuffled(_ events: [PlainEvent], seed: UInt64) -> [PlainEvent] {
    var random = SplitMix64(seed: seed)
    return random.shuffle(events)
  }
}

extension RandomStream {
  package static let tasks: [PlainText] = [
    "a", "task-1", "caf\u{E9}", "cafe\u{301}", "\u{1F331} \"quoted\"", "\u{FB01}",
  ]

  private mutating func command() -> PlainCommand {
    // A few tasks get most of the commands.
    let isHot = random.chance(tasks.count > Self.tasks.count ? 5 : 50)
    let task = isHot ? tasks[0] : random.pick(tasks)
    let kind = kind()
    var command = PlainCommand(kind, task, time: time())
    if kind == .upsert || kind == .update { addFields(to: &command) }
    if random.chance(70) { command.author = random.pick(["ann", "b\u{F6}b", "import\u{1F916}"]) }
    if random.chance(10) { command.message = random.pick(["why \"not\"", "", "line\nbreak\u{0}"]) }
    command.spelling = .init(nested: random.chance(40), escaped: random.chance(20))
    if random.chance(refusedPercent) { spoil(&command) }
    return command
  }

  private mutating func kind() -> PlainCommand.Kind {
    switch random.below(100) {
    case 0..<35: .upsert
    case 35..<68: .update
    case 68..<80: .toggle
    case 80..<87: .delete
    case 87..<93: .restore
    default: .evict
    }
  }

  private mutating func time() -> Int64? {
    switch random.below(1000) {
    case 0..<400: return nil
    case 400..<750:
      // Few instants in the recent past: late, often at the very same millisecond.
      return (clock / 1000 - Int64(random.below(12))) * 1000
    case 750..<820: return clock
    case 820..<880: return clock + Int64(random.below(3000))
    case 880..<975: return clock - Int64(random.below(60_000))
    case 975..<985: return start - 1_000_000 + Int64(random.below(5))  // before everything else
    case 985..<990: return random.pick([0, -1, -86_400_001])
    case 990..<992: return clock + 86_400_000  // the last one that is allowed
    default: return clock + 86_400_001 + Int64(random.below(1000))
    }
  }
}
