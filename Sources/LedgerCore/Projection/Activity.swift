/// Who did how much, and on which days.
///
/// It counts events by their authors and by the days, in UTC, on which they happened: late events, evicts and events of which nothing
/// shows any more are what people did, too.
///
/// ```swift
/// let activity = try ledger.project(Activity())
/// for row in activity.value.byAuthor { print(row.author, row.events.total) }
/// if activity.foldedThrough > 0 { print("what happened before was folded, and cannot be told") }
/// ```
public struct Activity: Projection, Hashable, Sendable {
  public static var source: ProjectionSource { .events }

  /// What one author did.
  public struct AuthorRow: Hashable, Sendable, Codable {
    /// The author.
    public var author: String
    /// The events.
    public var events: EventCounts
  }

  /// What was done on one day.
  public struct DayRow: Hashable, Sendable, Codable {
    /// The first instant of the day, in UTC.
    public var day: LedgerTime
    /// The events.
    public var events: EventCounts
  }

  /// All events.
  public private(set) var events = EventCounts()
  private var authors: [ByteText: EventCounts] = [:]
  /// By the number of the day since 1970-01-01.
  private var days: [Int64: EventCounts] = [:]

  /// No events.
  public init() {}

  /// The authors, those with the most events first.
  public var byAuthor: [AuthorRow] {
    authors.sorted { left, right in
      left.value.total != right.value.total
        ? left.value.total > right.value.total : left.key < right.key
    }.map { AuthorRow(author: $0.key.text, events: $0.value) }
  }

  /// The days on which something happened, in order.
  public var byDay: [DayRow] {
    days.sorted { $0.key < $1.key }.map { number, events in
      DayRow(day: LedgerTime(unchecked: number * Self.dayMilliseconds), events: events)
    }
  }

  private static let dayMilliseconds: Int64 = 86_400_000

  public mutating func fold(_ step: ProjectionStep) {
    guard let event = step.event else { return }
    events.add(event.kind)
    authors[ByteText(event.author), default: EventCounts()].add(event.kind)
    let day = event.time.milliseconds.flooredQuotient(by: Self.dayMilliseconds)
    days[day, default: EventCounts()].add(event.kind)
  }

  public mutating func reset() { self = Activity() }
}

/// How many events there are of each kind.
public struct EventCounts: Hashable, Sendable, Codable {
  /// Upserts.
  public private(set) var upsert: UInt64 = 0
  /// Updates.
  public private(set) var update: UInt64 = 0
  /// Toggles.
  public private(set) var toggle: UInt64 = 0
  /// Soft deletions.
  public private(set) var delete: UInt64 = 0
  /// Evicts.
  public private(set) var evict: UInt64 = 0

  /// All of them.
  public var total: UInt64 { upsert &+ update &+ toggle &+ delete &+ evict }

  /// The events of a kind.
  public subscript(kind: EventKind) -> UInt64 {
    switch kind {
    case .upsert: upsert
    case .update: update
    case .toggle: toggle
    case .delete: delete
    case .evict: evict
    }
  }

  mutating func add(_ kind: EventKind) {
    switch kind {
    case .upsert: upsert &+= 1
    case .update: update &+= 1
    case .toggle: toggle &+= 1
    case .delete: delete &+= 1
    case .evict: evict &+= 1
    }
  }

  /// Adds what others count.
  package static func + (left: EventCounts, right: EventCounts) -> EventCounts {
    var sum = left
    sum.upsert &+= right.upsert
    sum.update &+= right.update
    sum.toggle &+= right.toggle
    sum.delete &+= right.delete
    sum.evict &+= right.evict
    return sum
  }
}

extension Activity: Codable {
  private enum CodingKeys: String, CodingKey { case authors, days }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    for row in try container.decode([AuthorRow].self, forKey: .authors) {
      authors[ByteText(row.author)] = row.events
    }
    for row in try container.decode([DayRow].self, forKey: .days) {
      days[row.day.milliseconds.flooredQuotient(by: Self.dayMilliseconds)] = row.events
    }
    events = authors.values.reduce(EventCounts(), +)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(byAuthor, forKey: .authors)
    try container.encode(byDay, forKey: .days)
  }
}
