import LedgerCore
import Testing

@testable import LedgerFormat

/// Index, footer and compressed parts that lie.
@Suite struct `A forged index or footer` {
  private static let huge: [UInt64] = [1 << 31, 1 << 40, UInt64(Int64.max), .max - 1, .max]

  @Test func `with wrong counts is refused`() throws {
    var forgeries = [
      Forgery("a task too many") { $0.blocks[0].taskCount += 1 },
      Forgery("a task too many, there too") {
        $0.blocks[0].taskCount += 1
        $0.footer.taskCount += 1
      },
      Forgery("no task") { $0.blocks[0].taskCount = 0 },
      Forgery("an event more here and one less there") {
        $0.blocks[0].eventCount += 1
        $0.blocks[1].eventCount -= 1
      },
      Forgery("an event too many everywhere") {
        $0.blocks[0].eventCount += 1
        $0.footer.eventCount += 1
      },
      Forgery("a task too many in the footer") { $0.footer.taskCount += 1 },
      Forgery("no tasks") { $0.footer.taskCount = 0 },
      Forgery("no events") { ($0.footer.taskCount, $0.footer.eventCount) = (0, 0) },
      Forgery("more than 2^20 events") { $0.footer.eventCount = 1 << 20 + 1 },
      Forgery("a start at 0") { $0.footer.firstSequence = 0 },
      Forgery("an end past the last number") { $0.footer.firstSequence = UInt64(Int64.max) - 3 },
      Forgery("a newest stamp before the oldest") {
        ($0.footer.oldest, $0.footer.newest) = ($0.footer.newest, $0.footer.oldest)
      },
      Forgery("another ledger") { $0.footer.ledger = ReplicaID(high: 1, low: 1) },
    ]
    for number in Self.huge {
      forgeries += [
        Forgery("a block of \(number) events") { $0.blocks[0].eventCount = number },
        Forgery("a block of \(number) tasks") { $0.blocks[0].taskCount = number },
        Forgery("\(number) events") { $0.footer.eventCount = number },
        Forgery("\(number) tasks") { $0.footer.taskCount = number },
        Forgery("event \(number)", by: number < 1 << 41 ? .readerOfEvents : .everyone) {
          $0.footer.firstSequence = number
        },
        Forgery("\(number) blocks") { $0.rawIndex = .number(number) + [1, 2, 3] },
      ]
    }
    for forgery in forgeries { try forgery.expectRefusal() }
  }

  @Test func `that hides a task is refused`() throws {
    for forgery in [
      Forgery("fewer tasks than there are") { run in
        run = (try? ForgedRun(Forgery.events)) ?? run
        run.blocks[0].taskCount = 2
        run.footer.taskCount = 2
      },
      Forgery("fewer events than there are") { run in
        run = (try? ForgedRun(Forgery.events)) ?? run
        run.blocks[0].eventCount = 16
        run.footer.eventCount = 16
      },
      Forgery("a block less than there are", by: .readerOfEvents) { run in
        let last = run.blocks.removeLast()
        run.footer.eventCount -= last.eventCount
      },
    ] { try forgery.expectRefusal() }
  }

  @Test func `with wrong tasks is refused`() throws {
    let other = ForgedRun.encoded(TaskKey("apple"))
    let later = ForgedRun.encoded(TaskKey("zucchini"))
    for forgery in [
      Forgery("another first task") { $0.blocks[0].firstKey = other },
      Forgery("another last task") { $0.lastKey = later },
      Forgery("a last task before the last block") { $0.lastKey = other },
      Forgery("a malformed task") { $0.blocks[0].firstKey = [4, 0x61, 0x0a] },
      Forgery("no last task") { $0.lastKey = [] },
      Forgery("bytes after the last task") { $0.lastKey += [0] },
      Forgery("blocks out of order") { $0.blocks.swapAt(0, $0.blocks.count - 1) },
      Forgery("a first block that goes on") { $0.blocks[0].continues = 1 },
      Forgery("a block that may go on") { $0.blocks[1].continues = 2 },
      Forgery("blocks that do not go on") { run in
        for index in run.blocks.indices { run.blocks[index].continues = 0 }
      },
      Forgery("blocks that all go on") { run in
        for index in run.blocks.indices.dropFirst() { run.blocks[index].continues = 1 }
      },
    ] { try forgery.expectRefusal() }
  }

  @Test func `with blocks and sections in wrong places is refused`() throws {
    var forgeries = [
      Forgery("a section in the header") { run in
        run.atLast = { footer in
          footer.tables.storedLength += footer.tables.offset
          footer.tables.offset = 0
        }
      },
      Forgery("a section that starts in the header") { run in
        run.atLast = { footer in
          footer.tables.storedLength += footer.tables.offset - 31
          footer.tables.offset = 31
        }
      },
      Forgery("overlapping sections") { $0.atLast = { $0.clocks.offset -= 1 } },
      Forgery("two sections in one place") { $0.atLast = { $0.index = $0.tables } },
      Forgery("a gap") { run in
        run.atLast = { $0.index.storedLength -= 1 }
      },
      Forgery("a block that is shorter than it is") { $0.blocks[0].storedLength = 5 },
      Forgery("bytes between blocks and sections") { run in
        run.blocks.append(run.blocks[0])
        run.rawIndex = try? Forgery.honestRun().indexBytes()
      },
    ]
    for number in Self.huge {
      forgeries += [
        Forgery("a block of \(number) bytes") { $0.blocks[0].storedLength = number },
        Forgery("tables at \(number)") { $0.atLast = { $0.tables.offset = number } },
        Forgery("tables of \(number) bytes") { $0.atLast = { $0.tables.storedLength = number } },
        Forgery("clocks at \(number)") { $0.atLast = { $0.clocks.offset = number } },
        Forgery("an index of \(number) bytes") { $0.atLast = { $0.index.storedLength = number } },
      ]
    }
    for forgery in forgeries { try forgery.expectRefusal() }
  }

  @Test func `with impossible lengths before compression is refused`() throws {
    var forgeries: [Forgery] = []
    for number in Self.huge + [0, 1, 16 << 20, 16 << 20 + 1, 256 << 20, 256 << 20 + 1] {
      forgeries += [
        Forgery("a block that expands to \(number)") { $0.blocks[0].rawLength = number },
        Forgery("tables that expand to \(number)") { $0.atLast = { $0.tables.rawLength = number } },
        Forgery("an index that expands to \(number)") {
          $0.atLast = { $0.index.rawLength = number }
        },
        Forgery(
          "clocks that expand to \(number)", by: number > 256 << 20 ? .everyone : .readerOfEvents
        ) {
          $0.atLast = { $0.clocks.rawLength = number }
        },
      ]
    }
    for forgery in forgeries { try forgery.expectRefusal() }
  }

  @Test func `with compressed bytes that are none is refused`() throws {
    let zstd = try Zstd()
    let bomb = try zstd.compress([UInt8](repeating: 0, count: 64 << 20), level: 3)
    for forgery in [
      Forgery("no zstd") { $0.blocks[0].stored = [1, 2, 3, 4, 5, 6, 7, 8] },
      Forgery("no bytes") { $0.blocks[0].stored = [] },
      Forgery("a bomb") { $0.blocks[0].stored = bomb },
      Forgery("a bomb that says so") {
        $0.blocks[0].stored = bomb
        $0.blocks[0].rawLength = 64 << 20
      },
      Forgery("nothing but zeros") {
        $0.blocks[0].raw = [UInt8](repeating: 0, count: 16 << 20)
      },
      Forgery("tables of zeros") { $0.rawTables = [UInt8](repeating: 0, count: 64 << 20) },
      Forgery("an index of zeros") { $0.rawIndex = [UInt8](repeating: 0, count: 64 << 20) },
    ] { try forgery.expectRefusal() }
  }

  @Test func `with an end that is none is refused`() throws {
    for forgery in [
      Forgery("a footer longer than the file") { run in
        run.afterwards = { file in
          file.replaceSubrange(file.count - 16..<file.count - 12, with: [0xff, 0x0f, 0, 0])
        }
      },
      Forgery("a footer of 4 GiB") { run in
        run.afterwards = { file in
          file.replaceSubrange(file.count - 16..<file.count - 12, with: [0xff, 0xff, 0xff, 0xff])
        }
      },
      Forgery("no footer") { run in
        run.afterwards = { file in
          file.replaceSubrange(file.count - 16..<file.count - 12, with: [0, 0, 0, 0])
        }
      },
      Forgery("another magic") { $0.afterwards = { $0[$0.count - 1] = 0 } },
      Forgery("a byte after the end") { $0.afterwards = { $0.append(0) } },
      Forgery("nothing but the end") { $0.afterwards = { $0 = Array($0.suffix(48)) } },
      Forgery("another header") { $0.afterwards = { $0[8] = 3 } },
    ] { try forgery.expectRefusal() }
  }
}

extension ForgedRun {
  /// The bytes of the index.
  fileprivate func indexBytes() throws -> [UInt8] {
    let run = try TestRun.open(try bytes())
    return run.index.encoded
  }
}
