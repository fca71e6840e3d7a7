/// One event of the workload, with what its command names and what the event records.
public struct WorkloadEvent {
  public enum Kind {
    case upsert
    case update
    case toggle
    case delete
    case evict
  }

  public var kind: Kind
  /// Place of the task in the order of creation.
  public var task: Int
  /// Fields that a command for `ledger apply` names. An upsert gives the whole document.
  public var named: FieldSet
  /// Fields whose value differs afterwards: what the event records.
  public var changed: FieldSet
  /// Unix milliseconds.
  public var time: Int
  public var author: Int
}

/// The stream W: seeded, endless, the first K events the same for every length.
///
/// Every command is legal where it stands and changes something, so a ledger that applies N lines
/// holds exactly N events.
public struct Workload {
  /// The first tasks are never deleted and are picked over and over.
  static let hotCount = 64
  /// 1 January 2020. Ten million events end in April of that year, far from any clock's future.
  static let firstTime = 1_577_836_800_000

  public private(set) var tasks: [WorkloadTask] = []
  private var deleted: [Int] = []
  private var coldLiveCount = 0
  private var time = Workload.firstTime
  private var random: SplitMix64
  private var freshBody: [UInt8] = []
  private var formerBody: [UInt8] = []

  public init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  public mutating func next() -> WorkloadEvent {
    time += 1 + random.below(2000)
    let author = random.skewed(Vocabulary.authors.count)
    var event: WorkloadEvent
    switch random.below(100) {
    case _ where tasks.count < Self.hotCount: event = create()
    case 0..<20: event = create()
    case 20..<23: event = rewrite()
    case 23..<57: event = update()
    case 57..<87: event = toggle()
    case 87..<96: event = coldLiveCount > 0 ? delete() : create()
    default: event = deleted.isEmpty ? create() : evict()
    }
    event.time = time
    event.author = author
    tasks[event.task].eventCount += 1
    return event
  }

  // MARK: - Kinds

  private mutating func create() -> WorkloadEvent {
    let index = tasks.count
    var task = WorkloadTask(time: time, random: &random)
    task.bodySeed = random.next()
    task.priority = UInt8(random.below(4))
    task.tags = drawTags()
    if random.chance(percent: 40) { task.dueDay = drawDueDay() }
    tasks.append(task)
    if index >= Self.hotCount { coldLiveCount += 1 }
    return event(.upsert, index, changed: task.fields, named: task.fields)
  }

  /// An upsert of a task that is there: the whole document with another text.
  private mutating func rewrite() -> WorkloadEvent {
    let restores = !deleted.isEmpty && random.chance(percent: 25)
    let index = restores ? takeDeleted(as: .live) : pickLive()
    if restores { coldLiveCount += 1 }
    changeBody(of: index)
    let changed: FieldSet = restores ? [.body, .isDeleted] : .body
    return event(.upsert, index, changed: changed, named: tasks[index].fields)
  }

  private mutating func update() -> WorkloadEvent {
    let index = pickLive()
    var changed = drawField()
    if random.chance(percent: 30) { changed.formUnion(drawField()) }
    if changed.contains(.body) { changeBody(of: index) }
    if changed.contains(.due) {
      let former = tasks[index].dueDay
      repeat { tasks[index].dueDay = drawDueDay() } while tasks[index].dueDay == former
    }
    if changed.contains(.priority) {
      tasks[index].priority = (tasks[index].priority + UInt8(1 + random.below(3))) % 4
    }
    if changed.contains(.tags) {
      let former = tasks[index].tags
      repeat { tasks[index].tags = drawTags() } while tasks[index].tags == former
    }
    return event(.update, index, changed: changed, named: changed)
  }

  private mutating func toggle() -> WorkloadEvent {
    let index = pickLive()
    tasks[index].isCompleted.toggle()
    return event(.toggle, index, changed: .isCompleted)
  }

  private mutating func delete() -> WorkloadEvent {
    var index = pickLive()
    while index < Self.hotCount { index = pickLive() }
    tasks[index].life = .deleted
    deleted.append(index)
    coldLiveCount -= 1
    return event(.delete, index, changed: .isDeleted)
  }

  private mutating func evict() -> WorkloadEvent {
    event(.evict, takeDeleted(as: .evicted), changed: [])
  }

  /// Time and author are filled in by `next()`.
  private func event(
    _ kind: WorkloadEvent.Kind, _ task: Int, changed: FieldSet, named: FieldSet = []
  ) -> WorkloadEvent {
    WorkloadEvent(kind: kind, task: task, named: named, changed: changed, time: 0, author: 0)
  }

  // MARK: - Draws

  /// Recent tasks far more often than old ones; one pick in 200 goes to the hot tasks.
  private mutating func pickLive() -> Int {
    if random.below(200) == 0 { return random.logUniform(Self.hotCount) - 1 }
    while true {
      let index = tasks.count - random.logUniform(tasks.count)
      if tasks[index].life == .live { return index }
    }
  }

  private mutating func takeDeleted(as life: WorkloadTask.Life) -> Int {
    let position = random.below(deleted.count)
    let index = deleted[position]
    deleted.swapAt(position, deleted.count - 1)
    deleted.removeLast()
    tasks[index].life = life
    return index
  }

  private mutating func changeBody(of index: Int) {
    formerBody = BodyText(seed: tasks[index].bodySeed, reusing: formerBody).bytes
    repeat {
      tasks[index].bodySeed = random.next()
      freshBody = BodyText(seed: tasks[index].bodySeed, reusing: freshBody).bytes
    } while freshBody == formerBody
  }

  private mutating func drawField() -> FieldSet {
    switch random.below(20) {
    case 0..<7: .body
    case 7..<12: .priority
    case 12..<17: .due
    default: .tags
    }
  }

  private mutating func drawDueDay() -> Int32 {
    Int32(time / 86_400_000 + random.logUniform(400))
  }

  private mutating func drawTags() -> TagList {
    var list = TagList()
    let wanted = [0, 1, 1, 1, 1, 2, 2, 3][random.below(8)]
    while list.count < wanted {
      let tag = random.skewed(Vocabulary.tags.count)
      if !list.contains(tag) { list.append(tag) }
    }
    return list
  }
}
