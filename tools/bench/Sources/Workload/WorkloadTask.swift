/// The fields of a task that the workload uses; one event sets some of them.
public struct FieldSet: OptionSet, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  public static let body = FieldSet(rawValue: 1)
  public static let due = FieldSet(rawValue: 2)
  public static let isCompleted = FieldSet(rawValue: 4)
  public static let isDeleted = FieldSet(rawValue: 8)
  public static let priority = FieldSet(rawValue: 16)
  public static let tags = FieldSet(rawValue: 32)
}

/// Up to three tags, by their place in the vocabulary; the order counts.
struct TagList: Equatable {
  private(set) var count = 0
  private var first: UInt8 = 0
  private var second: UInt8 = 0
  private var third: UInt8 = 0

  subscript(index: Int) -> Int {
    Int(index == 0 ? first : index == 1 ? second : third)
  }

  func contains(_ tag: Int) -> Bool {
    (0..<count).contains { self[$0] == tag }
  }

  mutating func append(_ tag: Int) {
    switch count {
    case 0: first = UInt8(tag)
    case 1: second = UInt8(tag)
    default: third = UInt8(tag)
    }
    count += 1
  }
}

/// What the generator remembers of a task: enough to keep every command legal and to print it.
public struct WorkloadTask {
  enum Life: UInt8 {
    case live
    case deleted
    case evicted
  }

  let idHigh: UInt64
  let idLow: UInt64
  var bodySeed: UInt64 = 0
  var eventCount: UInt32 = 0
  /// Days since 1970; 0 when there is no due date.
  public internal(set) var dueDay: Int32 = 0
  var life = Life.live
  public internal(set) var isCompleted = false
  public internal(set) var priority: UInt8 = 0
  var tags = TagList()

  /// A version-7 UUID. Times grow strictly from event to event, so ids sort by creation.
  init(time: Int, random: inout SplitMix64) {
    idHigh = UInt64(time) << 16 | 0x7000 | random.next() & 0x0fff
    idLow = 0x8000_0000_0000_0000 | random.next() & 0x3fff_ffff_ffff_ffff
  }

  /// The fields that a document of this task shows.
  var fields: FieldSet {
    var set: FieldSet = [.body, .isCompleted, .isDeleted, .priority, .tags]
    if dueDay != 0 { set.insert(.due) }
    return set
  }
}
