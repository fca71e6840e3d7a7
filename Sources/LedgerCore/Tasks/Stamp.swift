/// What orders events, wherever and whenever they arrive: time, then replica, then that replica's count.
public struct Stamp: Hashable, Sendable {
  /// When it happened.
  public var time: LedgerTime
  /// The replica that made the event.
  public var replica: ReplicaID
  /// The replica's own count of events, from 1.
  public var count: UInt64

  package init(time: LedgerTime, replica: ReplicaID, count: UInt64) {
    self.time = time
    self.replica = replica
    self.count = count
  }
}

extension Stamp: Comparable {
  public static func < (left: Stamp, right: Stamp) -> Bool {
    if left.time != right.time { return left.time < right.time }
    if left.replica != right.replica { return left.replica < right.replica }
    return left.count < right.count
  }
}
