import LedgerCore
import Testing

@testable import LedgerFormat

/// Blocks that lie.
@Suite struct `A forged block` {
  private static let huge: [UInt64] = [1 << 31, 1 << 32, UInt64(Int64.max), .max - 1, .max]

  @Test func `is honest before it is forged`() throws {
    let run = try Forgery.honestRun()
    #expect(run.blocks.count > 2)
    #expect(try TestRun.events(ofBytes: run.bytes()) == Forgery.events)
    #expect(try run.bytes() == TestRun.bytes(Forgery.events, target: 100))
    try expectSameState([TestRun.open(try run.bytes())], Forgery.events)
  }

  @Test func `with wrong lengths of its streams is refused`() throws {
    var forgeries = [
      Forgery("no bytes") { $0.blocks[0].raw = [] },
      Forgery("a missing stream") { $0.blocks[0].streams.removeLast() },
      Forgery("a byte too many") { $0.blocks[0].raw = $0.blocks[0].content + [0] },
      Forgery("a byte too few") { $0.blocks[0].raw = $0.blocks[0].content.dropLast() },
    ]
    for length in Self.huge {
      forgeries.append(
        Forgery("a stream of \(length) bytes") {
          $0.blocks[0].raw = .number(length) + [UInt8](repeating: 0, count: 13)
        })
    }
    for forgery in forgeries { try forgery.expectRefusal() }
  }

  @Test(arguments: BlockStream.allCases)
  func `with a stream that is cut short or too long is refused`(stream: BlockStream) throws {
    // What no state shows goes unread when folding.
    let unread: [BlockStream] = [.sequences, .times, .moments, .contexts, .details]
    let by: Forgery.Reader = unread.contains(stream) ? .readerOfEvents : .everyone
    // Any bytes can be a double or a text; whether they are a right one only who reads it checks.
    let isContent = stream == .doubles || stream == .texts
    // Only the last task has a packed key.
    let isOfPacked = stream == .marks || stream == .tails
    let block = isOfPacked ? try Forgery.honestRun().blocks.count - 1 : 0
    for forgery in [
      Forgery("\(stream) without its last byte", by: by) {
        _ = $0.blocks[block][stream].popLast()
      },
      Forgery("no \(stream)", by: by) { $0.blocks[block][stream] = [] },
      Forgery("\(stream) with a byte more", by: by) { $0.blocks[block][stream].append(1) },
    ] { try forgery.expectRefusal() }
    // Any bytes are the lowest ones of times.
    guard stream != .moments else { return }
    try Forgery("\(stream) that never end", by: isContent ? .readerOfEvents : by) {
      $0.blocks[block][stream] = [UInt8](repeating: 0xff, count: $0.blocks[block][stream].count)
    }.expectRefusal()
  }

  @Test func `with impossible task ids is refused`() throws {
    func key(_ head: UInt64, _ shared: UInt8, _ rest: [UInt8]) -> [UInt8] {
      .number(head) + [shared] + rest
    }
    let uuid = Array("f47ac10b-58cc-4372-a567-0e02b2c3d470".utf8)
    var keys: [(String, [UInt8])] = [
      ("a shared prefix of a key that is not there", key(14, 3, Array("read".utf8))),
      ("a shared prefix longer than the key", key(4, 200, Array("ab".utf8))),
      ("an empty key", key(0, 0, [])),
      ("a packed key whose parts are not there", .number(0xf47a_c10b << 1 | 1)),
      ("a UUID as text", key(72, 0, uuid)),
      ("a control character", key(4, 0, [0x61, 0x0a])),
      ("no UTF-8", key(4, 0, [0x61, 0xff])),
      ("a key of 257 bytes", key(514, 0, [UInt8](repeating: 0x61, count: 257))),
    ]
    for length in Self.huge { keys.append(("a key of \(length) bytes", key(length, 0, [0x61]))) }
    for (what, bytes) in keys {
      try Forgery(what) { $0.blocks[0][.keys] = bytes }.expectRefusal()
    }
    for step in [1 << 40, 1 << 55, UInt64.max >> 1] {
      try Forgery("a packed key that exceeds the one before by \(step) times 256") { run in
        run.blocks[run.blocks.count - 1][.keys] = .number(step << 1 | 1)
      }.expectRefusal()
    }
  }

  @Test func `with tasks out of order is refused`() throws {
    // One block of all three tasks.
    func oneBlock(_ what: String, _ keys: [[UInt8]]) -> Forgery {
      Forgery(what) { run in
        run = (try? ForgedRun(Forgery.events)) ?? run
        run.blocks[0][.keys] = keys.flatMap { $0 }
      }
    }
    let apples = [UInt8].number(12) + [0] + Array("apples".utf8)
    let bread = [UInt8].number(10) + [0] + Array("bread".utf8)
    // Its other parts stand elsewhere.
    let uuid = [UInt8].number(0xf4_7ac1_0b58 << 1 | 1)
    for forgery in [
      oneBlock("two keys swapped", [bread, apples, uuid]),
      oneBlock("the last keys swapped", [apples, uuid, bread]),
      oneBlock("a key twice", [apples, apples, uuid]),
      oneBlock("a text after a UUID", [uuid, apples, bread]),
    ] { try forgery.expectRefusal() }
    let honest = oneBlock("nothing", [apples, bread, uuid])
    var run = try ForgedRun(Forgery.events)
    try honest.change(&run)
    #expect(try TestRun.events(ofBytes: run.bytes()) == Forgery.events)
  }

  @Test func `with wrong numbers of events is refused`() throws {
    var forgeries = [
      Forgery("no events") { $0.blocks[0][.counts] = [0] },
      Forgery("fewer events") { $0.blocks[0][.counts] = [1] },
      Forgery("more events") { $0.blocks[0][.counts] = [100] },
    ]
    for count in Self.huge {
      forgeries.append(Forgery("\(count) events") { $0.blocks[0][.counts] = .number(count) })
      forgeries.append(
        Forgery("shape \(count)") {
          $0.blocks[0][.shapes] = .number(count) + $0.blocks[0][.shapes].dropFirst()
        })
      forgeries.append(
        Forgery("context \(count)", by: .readerOfEvents) {
          $0.blocks[0][.contexts] = .number(count) + $0.blocks[0][.contexts].dropFirst()
        })
    }
    for forgery in forgeries { try forgery.expectRefusal() }
  }

  @Test func `with impossible places and times is refused`() throws {
    for (stream, steps) in [
      (.sequences, [0, 1 << 40, .max, .min, -1]), (.times, [1 << 50, .max, .min]),
    ] as [(BlockStream, [Int64])] {
      for step in steps {
        try Forgery("\(stream) starting with \(step)", by: .readerOfEvents) { run in
          let rest = run.blocks[0][stream].drop { $0 >= 0x80 }.dropFirst()
          run.blocks[0][stream] = .signed(step) + rest
        }.expectRefusal()
      }
    }
    try Forgery("an event twice", by: .readerOfEvents) { $0.blocks[0][.sequences][1] = 0 }
      .expectRefusal()
  }

  @Test func `with impossible values is refused`() throws {
    var forgeries: [Forgery] = []
    for number in Self.huge {
      forgeries.append(
        Forgery("a text of \(number) bytes") {
          $0.blocks[0][.lengths] = .number(number) + $0.blocks[0][.lengths].dropFirst()
        })
      forgeries.append(
        Forgery("interned value \(number)") {
          $0.blocks[0][.interned] = .number(number) + $0.blocks[0][.interned].dropFirst()
        })
      forgeries.append(
        Forgery("an array of \(number) elements") { $0.blocks[0][.arrays] = .number(number) })
    }
    for day in [-719_529, 2_932_897, .min, .max] as [Int64] {
      forgeries.append(
        Forgery("day \(day)") { run in
          let rest = run.blocks[0][.dates].drop { $0 >= 0x80 }.dropFirst()
          run.blocks[0][.dates] = .signed(day) + rest
        })
    }
    for number in [Double.nan, .infinity, 3.0] {
      forgeries.append(
        Forgery("the double \(number)", by: .readerOfEvents) {
          $0.blocks[0][.doubles].replace(u64: number.bitPattern, at: 0)
        })
    }
    for forgery in forgeries { try forgery.expectRefusal() }
  }

  @Test func `with impossible arrays is refused`() throws {
    let deep = Array(repeatElement([1, ValueTag.array] as [UInt8], count: 1000).joined()) + [0]
    let arrays: [(String, [UInt8])] = [
      ("arrays 1000 deep", deep),
      ("arrays 33 deep", Array(deep.suffix(65))),
      ("an unset in an array", [1, ValueTag.unset]),
      ("an interned value in an array", [1, ValueTag.interned, 0]),
      ("a date in an array", [1, ValueTag.date, 0]),
      ("a value of type 9 in an array", [1, 9]),
      ("a text in an array that is longer than it", [1, ValueTag.text] + .number(.max)),
      ("an array in an array that is longer than it", [1, ValueTag.array] + .number(.max)),
    ]
    for (what, bytes) in arrays {
      try Forgery(what) { run in
        // The first array is [1 int, 1 text]: six bytes.
        run.blocks[0][.arrays] = bytes + run.blocks[0][.arrays].dropFirst(6)
      }.expectRefusal()
    }
  }

  @Test func `with text that is no UTF-8 is refused by who reads it`() throws {
    try Forgery("no UTF-8", by: .readerOfEvents) { $0.blocks[0][.texts][0] = 0xff }.expectRefusal()
  }
}
