import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `The payload of a frame` {
  private let replica = ReplicaID(high: 7, low: 1)

  private func decode(_ payload: [UInt8], count: Int, ownCount: UInt64 = 100) throws -> [Event] {
    try TransactionCoding.decode(
      payload, firstSequence: 1, eventCount: count, replica: replica, ownCount: ownCount)
  }

  /// The transactions of a history, as the active segment holds them.
  private func transactions(_ events: [Event]) -> [[Event]] {
    events.reduce(into: []) { parts, event in
      if parts.last?.first?.transaction == event.transaction {
        parts[parts.count - 1].append(event)
      } else {
        parts.append([event])
      }
    }
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `gives a transaction back as it was`(seed: UInt64) throws {
    var history = RandomHistory(seed: seed)
    for events in transactions(history.events(40)) {
      for ownCount in [0, events[0].stamp.count &- 1, .max] {
        let payload = TransactionCoding.encode(events, replica: replica, ownCount: ownCount)
        let decoded = try TransactionCoding.decode(
          payload, firstSequence: events[0].sequence, eventCount: events.count, replica: replica,
          ownCount: ownCount)
        #expect(decoded == events)
        #expect(TransactionCoding.encode(decoded, replica: replica, ownCount: ownCount) == payload)
      }
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `that is damaged is refused or says something else, and never more than that`(seed: UInt64) {
    var history = RandomHistory(seed: seed)
    var generator = SeededGenerator(seed: seed)
    for events in transactions(history.events(20)) {
      let payload = TransactionCoding.encode(events, replica: replica, ownCount: 100)
      for _ in 0..<60 {
        var damaged = payload
        let place = Int.random(in: 0..<damaged.count, using: &generator)
        damaged[place] = UInt8.random(in: 0...255, using: &generator)
        guard let decoded = try? decode(damaged, count: events.count) else { continue }
        // What is accepted can be written, and reads as the same again.
        let again = TransactionCoding.encode(decoded, replica: replica, ownCount: 100)
        #expect(again == damaged)
      }
      for length in 0..<payload.count {
        refused { try decode(Array(payload[..<length]), count: events.count) }
      }
    }
  }

  private func payload(
    kind: UInt8 = 1, flags: UInt8 = 1, _ changes: [UInt8] = [0], author: [UInt8] = [1, 0x61],
    rest: [UInt8] = []
  ) -> [UInt8] {
    [0, kind, flags, 0] + author + [2, 0x74] + changes + rest
  }

  @Test func `in its shortest form is accepted`() throws {
    #expect(try decode(payload(), count: 1).first?.author == "a")
  }

  @Test func `of an unknown kind of event asks for a newer version`() {
    for kind in [5, 127, 128, 255] as [UInt8] {
      #expect(
        refused(.unsupported) { try decode(payload(kind: kind), count: 1) }
          == "an event has the kind \(kind), which this version does not know")
    }
  }

  @Test func `whose flags take what is not there is refused`() {
    for flags in [0, 4, 5, 7, 32, 64, 128, 255] as [UInt8] {
      refused { try decode(payload(flags: flags), count: 1) }
    }
    let second: [UInt8] = [1, 4, 0, 2, 0x74, 0]
    #expect(
      refused { try decode(payload(rest: second), count: 2) } == "an event has the flags 4")
  }

  @Test func `of fields that no command changes is refused`() {
    func change(_ name: String, _ value: [UInt8]) -> [UInt8] {
      [1, UInt8(name.utf8.count)] + Array(name.utf8) + value
    }
    let refusals: [([UInt8], String)] = [
      (change("_id", [0]), "an event changes the field \"_id\""),
      (change("_id.x", [2]), "an event changes the field \"_id.x\""),
      (change("body.x", [0]), "an event changes the field \"body.x\""),
      (change("isDeleted.a", [2]), "an event changes the field \"isDeleted.a\""),
      (change("body", [3, 2]), "the field \"body\" has a value of the type 3"),
      (change("isCompleted", [5, 0]), "the field \"isCompleted\" has a value of the type 5"),
      (change("", [5, 0]), "a field name has 0 bytes, expected 1 to 256"),
      (change("a..b", [2]), "the field name \"a..b\" has an empty segment"),
      ([2, 1, 0x62, 2, 1, 0x61, 2], "the fields of an event are not in order"),
      ([2, 1, 0x61, 2, 1, 0x61, 2], "the fields of an event are not in order"),
      ([2, 1, 0x61, 2, 3, 0x61, 0x2e, 0x62, 2], "an event sets both \"a\" and \"a.b\""),
    ]
    for (changes, sentence) in refusals {
      #expect(refused { try decode(payload(changes), count: 1) } == sentence)
    }
    #expect(
      refused { try decode(payload(kind: 4, change("a", [2])), count: 1) }
        == "an evict changes fields")
  }

  @Test func `that sets a field and unsets what lies below is accepted`() throws {
    let changes: [UInt8] = [2, 1, 0x61, 2, 3, 0x61, 0x2e, 0x62, 0]
    #expect(try decode(payload(changes), count: 1).first?.changes.count == 2)
  }

  @Test
  func `that claims more events or changes than it has is refused before memory is asked for`() {
    for count in [2, 1 << 20, Int(UInt32.max), .max] {
      refused { try decode(payload(), count: count) }
    }
    refused { try decode([], count: 1) }
    var changes: [UInt8] = []
    changes.append(varint: UInt64(Int64.max))
    refused { try decode(payload(changes), count: 1) }
  }

  @Test func `with a time outside the years 0000 to 9999 is refused`() {
    for time in [Int64.min, .max, LedgerTime.latest.milliseconds + 1] {
      var bytes: [UInt8] = []
      bytes.append(zigzag: time)
      #expect(
        refused { try decode(bytes + payload().dropFirst(), count: 1) }
          == "a time lies outside the years 0000 to 9999")
    }
  }

  @Test func `that undoes event 0 or has bytes left over is refused`() {
    refused { try decode(payload(flags: 9, author: [1, 0x61, 0]), count: 1) }
    refused { try decode(payload(rest: [0]), count: 1) }
  }
}
