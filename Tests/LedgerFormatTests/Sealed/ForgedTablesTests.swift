import LedgerCore
import Testing

@testable import LedgerFormat

/// Tables that lie.
@Suite struct `Forged tables` {
  private typealias Part = RunTables.Shape.Part

  private func shape(_ what: String, _ change: @escaping (inout RunTables.Shape) -> Void) -> Forgery
  {
    Forgery(what) { change(&$0.tables.shapes[0]) }
  }

  /// Tables of one author, one replica, and whatever else is given as bytes.
  private func raw(
    _ what: String, messages: [UInt8] = [0], fields: [UInt8] = [0], values: [UInt8] = [0],
    shapes: [UInt8] = [1, 0, 0], contexts: [UInt8] = [1, 0, 0, 8]
  ) -> Forgery {
    let head = [1, 1, 0x61, 1] + [UInt8](repeating: 0, count: 17)
    return Forgery(what) { $0.rawTables = head + messages + fields + values + shapes + contexts }
  }

  @Test func `with impossible shapes are refused`() throws {
    for forgery in [
      shape("a field that is not there") { $0.parts[0].field = 6 },
      shape("field 2^32 - 1") { $0.parts[0].field = .max },
      shape("fields out of order") { $0.parts.swapAt(0, 1) },
      shape("a field twice") { $0.parts[1] = $0.parts[0] },
      shape("a value of type 9") { $0.parts[0].tag = 9 },
      shape("a value of type 255") { $0.parts[0].tag = 255 },
      shape("an integer as body") { $0.parts[1].tag = ValueTag.int },
      shape("an evict that changes fields") { $0.kind = .evict },
      shape("a part too few") { $0.parts.removeLast() },
      shape("another type of value") { $0.parts[4].tag = ValueTag.date },
    ] { try forgery.expectRefusal() }
  }

  @Test func `with impossible fields are refused`() throws {
    for name in ["_id", "_id.x", "body.x", "isDeleted.x", "a..b", "", "array.", "body"] {
      try Forgery("the field \(name)") { $0.tables.fields[0] = FieldName(unchecked: name) }
        .expectRefusal()
    }
    try Forgery("a field and what lies below it") {
      $0.tables.fields[2] = FieldName(unchecked: "array.x")
    }.expectRefusal()
    try Forgery("a field of 33 segments") {
      $0.tables.fields[0] = FieldName(unchecked: (0..<33).map { _ in "a" }.joined(separator: "."))
    }.expectRefusal()
  }

  @Test func `with impossible contexts are refused`() throws {
    for (what, author, replica, flags) in [
      ("an author that is not there", 1, 0, 8), ("a replica that is not there", 0, 1, 8),
      ("author 2^32 - 1", .max, 0, 8), ("unknown flags", 0, 0, 128),
      ("two messages", 0, 0, ContextFlag.message | ContextFlag.internedMessage),
    ] as [(String, UInt32, UInt32, UInt8)] {
      try Forgery(what) { run in
        run.tables.contexts[0] = RunTables.Context(author: author, replica: replica, flags: flags)
      }.expectRefusal()
    }
    for flag in [ContextFlag.internedMessage, ContextFlag.follows, ContextFlag.undoes] {
      try Forgery("the flag \(flag) alone", by: .readerOfEvents) { run in
        run.tables.contexts[0].flags = flag
        run.blocks[0][.details] = .number(.max) + run.blocks[0][.details]
      }.expectRefusal()
    }
  }

  @Test func `with impossible values are refused`() throws {
    let deep = Array(repeatElement([ValueTag.array, 1] as [UInt8], count: 1000).joined())
    for forgery in [
      Forgery("a value twice") { run in
        let values = try run.tables.values.all()
        run.tables.values = InternedValues(values + values.prefix(1))
      },
      Forgery("an array for a body") { run in
        run.tables.shapes[0].parts[1].tag = ValueTag.interned
        run.tables.values = InternedValues([.array([])])
      },
      raw("an unset value", values: [1, 0]),
      raw("an interned interned value", values: [1, 7, 0]),
      raw("arrays 1000 deep", values: [1] + deep + [6, 0]),
      raw("a value of type 200", values: [1, 200]),
      raw("an array of 2^63 elements", values: [1, 6] + .number(1 << 63)),
      raw("a text of 2^63 bytes", values: [1, 5] + .number(1 << 63)),
    ] { try forgery.expectRefusal() }
  }

  @Test func `that claim more rows than there are events are refused`() throws {
    let rows = [UInt8](repeating: 0, count: 1000)
    for forgery in [
      raw("1000 messages", messages: .number(1000) + rows),
      raw("1000 shapes", shapes: .number(1000) + rows + rows),
      raw("1000 contexts", contexts: .number(1000) + rows + rows + rows),
      raw("2^63 messages", messages: .number(1 << 63)),
      raw("2^63 fields", fields: .number(1 << 63)),
      raw("2^63 values", values: .number(1 << 63)),
      raw("2^63 shapes", shapes: .number(1 << 63)),
      raw("2^63 parts", shapes: [1, 0] + .number(1 << 63)),
      raw("2^63 contexts", contexts: .number(1 << 63)),
      raw("bytes left over", contexts: [1, 0, 0, 8, 0]),
      raw("a kind of event 5", shapes: [1, 5, 0]),
      raw("a field named twice", fields: [2, 1, 0x61, 1, 0x61]),
    ] { try forgery.expectRefusal() }
  }

  @Test func `of clocks are refused by who needs them`() throws {
    let none: [UInt8] = [0, 0, 0]
    for (what, bytes) in [
      ("no bytes", []), ("clocks out of order", [2, 5, 0, 0, 2] + none),
      ("bytes left over", [0] + none + [0]),
      ("more clocks than events", [100] + [UInt8](repeating: 1, count: 200) + none),
      ("2^63 clocks", .number(1 << 63)),
      ("a clock at event 2^64", [2] + .number(.max) + [0, 1, 0] + none),
      ("a clock in the year 300,000,000", [1, 1] + .signed(.max) + none), ("no clocks", [0] + none),
    ] as [(String, [UInt8])] {
      try Forgery(what, by: .readerOfEvents) { $0.clocks = bytes }.expectRefusal()
    }
  }

  @Test func `of anchors are refused by who needs them`() throws {
    let clock = [1, 1] + [UInt8].signed(1_700_000_000_000)
    let time = [UInt8].signed(1_700_000_000_000)
    for (what, bytes) in [
      ("none", []), ("steps of 2^63", [63, 0, 1] + time), ("steps of 2^255", [255, 0, 1] + time),
      ("an anchor at event 2^64", [8] + .number(.max) + [1] + time),
      ("an anchor above event 2^63", [62, 3, 1] + time),
      ("its second anchor above event 2^63", [62, 2, 2] + time + [0]),
      ("more anchors than there are", [8, 0, 3] + time + [0]),
      ("65537 anchors", [0, 0] + .number(65537) + time + [UInt8](repeating: 0, count: 65536)),
      ("2^63 anchors", [8, 0] + .number(1 << 63)), ("an anchor left over", [8, 0, 1] + time + [0]),
      ("an anchor in the year 300,000,000", [8, 0, 1] + .signed(.max)),
      ("an anchor before the year 0", [8, 0, 2] + time + .signed(.min)),
      (
        "an anchor in the year 9999, to which the times relate",
        [8, 0, 1] + .signed(253_402_300_799_999)
      ),
    ] as [(String, [UInt8])] {
      try Forgery(what, by: .readerOfEvents) { $0.clocks = clock + bytes }.expectRefusal()
    }
  }

  @Test func `of anchors that descend or lie elsewhere do no harm`() throws {
    let clock = [1, 1] + [UInt8].signed(1_700_000_000_000)
    let oldest = [UInt8].signed(-62_167_219_200_000)
    for anchors in [
      [62, 0, 2] + .signed(253_402_300_799_999) + .signed(-315_569_520_000_000 + 1),
      [0, 5, 3] + oldest + .signed(315_569_519_999_999) + .signed(-315_569_519_999_999),
      [0] + .number(UInt64(Int64.max) - 1) + [1, 0],
    ] as [[UInt8]] {
      var forged = try Forgery.honestRun()
      forged.clocks = clock + anchors
      let run = try TestRun.open(try forged.bytes())
      _ = try? TestRun.events(of: run)
      _ = try? RunMerge.fold([run], cut: .time(LedgerTime(unchecked: 5)))
    }
  }
}
