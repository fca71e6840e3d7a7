import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `Events as JSON` {
  private static let replica = "0a0b0c0d-0e0f-4011-8213-141516171819"

  private func event(
    _ kind: EventKind = .update, _ changes: [FieldChange] = [], sequence: UInt64 = 12,
    transaction: UInt64 = 12, ends: Bool = true, message: String? = nil, undoes: UInt64? = nil,
    recorded: String = "2026-11-30T12:00:00.123Z"
  ) throws -> Event {
    let time = try LedgerTime("2026-11-30T12:00:00.123Z")
    let replica = ReplicaID(high: 0x0a0b_0c0d_0e0f_4011, low: 0x8213_1415_1617_1819)
    return Event(
      sequence: sequence, stamp: Stamp(time: time, replica: replica, count: 12), kind: kind,
      task: "123abc", changes: changes, author: "ann", message: message, transaction: transaction,
      endsTransaction: ends, recorded: try LedgerTime(recorded), undoes: undoes)
  }

  private func json(_ event: Event, after earlier: [Event] = []) -> String {
    let entry = TaskHistory.entry(event, after: TaskState(earlier))
    return String(decoding: EventJSON.bytes(entry), as: UTF8.self)
  }

  @Test func `an event is written with its keys in order`() throws {
    var first = try event(.upsert, [FieldChange(.body, "Get milk")], sequence: 1)
    first.stamp.count = 1
    let update = try event(
      .update, [FieldChange(.body, "Get oat milk")], transaction: 7, ends: false)
    #expect(
      json(update, after: [first])
        == #"{"sequence":12,"time":"2026-11-30T12:00:00.123Z","author":"ann","kind":"update","#
        + #""task":"123abc","changes":{"body":{"old":"Get milk","new":"Get oat milk"}},"#
        + #""transaction":7,"origin":"\#(Self.replica)/12"}"#)
  }

  @Test func `what applies follows in order`() throws {
    let entry = AuditEntry(
      event: try event(
        .update, [FieldChange(.isDeleted, false)], transaction: 7, message: "a\u{1}b", undoes: 3,
        recorded: "2026-11-30T12:00:01.000Z"),
      changes: [], lost: [.isDeleted, try FieldName("a.b")])
    #expect(
      String(decoding: EventJSON.bytes(entry), as: UTF8.self).hasSuffix(
        #""changes":{},"transaction":7,"origin":"\#(Self.replica)/12","message":"a\u0001b","#
          + #""undoes":3,"recorded":"2026-11-30T12:00:01.000Z","ends":true,"lost":["isDeleted","a.b"]}"#
      ))
  }

  @Test func `a transaction of one event says nothing of its end`() throws {
    #expect(!json(try event(.evict)).contains("ends"))
    #expect(!json(try event(.evict, transaction: 11, ends: false)).contains("ends"))
    #expect(json(try event(.evict, transaction: 11)).hasSuffix(#","ends":true}"#))
  }

  @Test func `old and new are absent where nothing was or is`() throws {
    let priority = try FieldName("priority")
    let upsert = try event(.upsert, [FieldChange(priority, 2)])
    #expect(json(upsert).contains(#""changes":{"priority":{"new":2}}"#))
    var unset = try event(.update, [FieldChange(priority, nil), FieldChange(.isCompleted, true)])
    unset.stamp.count = 13
    #expect(
      json(unset, after: [upsert]).contains(
        #""changes":{"priority":{"old":2},"isCompleted":{"old":false,"new":true}}"#))
  }
}
