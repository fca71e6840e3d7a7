/// The value of a projection, and how far it is folded.
///
/// Where the projection is `Codable`, so is this: kept anywhere, it is a snapshot from which ``Ledger/project(from:eventsAlone:progress:)``
/// goes on.
///
/// ```swift
/// let bytes = try JSONEncoder().encode(ledger.project(TaskCounts()))
/// // later, perhaps in another process
/// let kept = try JSONDecoder().decode(Projected<TaskCounts>.self, from: bytes)
/// let counts = try ledger.project(from: kept)
/// ```
public struct Projected<P: Projection> {
  /// What the events add up to.
  public internal(set) var value: P
  /// The place in the log from which it can be continued; nil for a moment of the past.
  public internal(set) var position: ProjectionPosition?
  /// The last event that the value was not told, because the history up to it was folded away: what was brought in of that is the
  /// tasks as they stood. 0 when every event was there.
  public internal(set) var foldedThrough: UInt64
  /// Whether it goes on from what was given; false when it was folded anew, because there was nothing to go on from, or it did not fit.
  public internal(set) var isContinued = false

  init(_ value: P, position: ProjectionPosition? = nil, foldedThrough: UInt64 = 0) {
    self.value = value
    self.position = position
    self.foldedThrough = foldedThrough
  }
}

extension Projected: Sendable where P: Sendable {}

/// How far a projection is folded, by what rules, and of which log.
public struct ProjectionPosition: Hashable, Sendable, Codable {
  /// The last event that is in.
  public var sequence: UInt64
  /// The log digest after that event, 64 hexadecimal digits: it tells whether a log is the same up to there.
  public var logDigest: String
  /// How many events were lost when it was folded, as ``Ledger/lostEvents`` tells it: what was lost since is still in the value.
  public var lost: UInt64
  /// The version of the rules by which events add up to tasks.
  public var rules: UInt64
  /// The version of the projection.
  public var version: Int
}

private enum ProjectedKeys: String, CodingKey { case value, position, foldedThrough }

extension Projected: Encodable where P: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ProjectedKeys.self)
    try container.encode(value, forKey: .value)
    try container.encodeIfPresent(position, forKey: .position)
    try container.encode(foldedThrough, forKey: .foldedThrough)
  }
}

extension Projected: Decodable where P: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ProjectedKeys.self)
    self.init(
      try container.decode(P.self, forKey: .value),
      position: try container.decodeIfPresent(ProjectionPosition.self, forKey: .position),
      foldedThrough: try container.decode(UInt64.self, forKey: .foldedThrough))
  }
}
