import LedgerTestSupport
import TaskLedger

/// A list of transactions that touch everything a ledger does, small enough to be run thousands of times.
///
/// With segments of a few events and files that grow by 512 bytes it rotates, seals, removes files and extends the active file
/// several times.
struct Chores {
  typealias Step = (Transaction) throws -> Void

  let clock: TestClock
  var sealEvents: UInt64 = 4
  var configuration: LedgerConfiguration { .forTests(clock: clock, sealEvents: sealEvents) }

  init() throws { clock = try TestClock() }

  /// The transactions, in order.
  let steps: [Step] = [
    { try $0.upsert(TaskItem(id: "milk", body: "Get milk")) },
    { try $0.upsert(TaskItem(id: "novel", body: String.unpressable(900))) },
    {
      try $0.update("milk") {
        $0.body = "Get oat milk"
        $0["priority"] = 2
      }
    },
    { transaction in
      try transaction.upsert(TaskItem(id: "bread", body: "Bake bread"))
      try transaction.toggle("milk")
      try transaction.delete("novel")
    },
    { try $0.restore("novel") },
    { try $0.evict("bread") },
    {
      try $0.update("milk") {
        $0["tags.home"] = true
        $0["tags.shop"] = "corner"
      }
    },
    { transaction in
      for number in 1...7 {
        try transaction.upsert(TaskItem(id: TaskID("guest \(number)"), body: "Invite \(number)"))
      }
    },
    { try $0.toggle("guest 3") },
    { try $0.update("novel") { $0.body = String.unpressable(300) } },
    { try $0.upsert(TaskItem(id: "bread", body: "Buy bread")) },
    { try $0.delete("milk") },
  ]

  /// A disk with a ledger of one transaction, with a torn tail behind it if asked for.
  func made(withTail: Bool = false) throws -> (disk: TestDisk, book: [Bookkeeper.Entry]) {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    let book = Bookkeeper()
    try book.transaction(ledger) { try $0.upsert(TaskItem(id: "start", body: "Begin")) }
    if withTail {
      try ledger.upsert(TaskItem(id: "torn", body: "Never acknowledged"))
      try disk.tearLastTransaction()
    }
    return (disk, book.entries)
  }

  /// Runs all transactions and keeps book of them; one that fails is left behind.
  ///
  /// - Returns: the errors.
  @discardableResult
  func run(_ ledger: Ledger, _ book: Bookkeeper) -> [LedgerError] {
    steps.compactMap { step in
      clock.advance(milliseconds: 1000)
      do {
        try book.transaction(ledger, step)
        return nil
      } catch {
        return LedgerError.wrapping(error)
      }
    }
  }
}

extension String {
  /// Letters that zstd cannot shorten by much; the same for the same count.
  static func unpressable(_ count: Int) -> String {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15 &+ UInt64(count)
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-".utf8)
    let bytes = (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return letters[Int(state >> 58)]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension TestDisk {
  /// The name of the file that is appended to.
  var activeFile: String { files.keys.filter { $0.hasSuffix(".active") }.max() ?? "" }

  /// Takes the last bytes of the last transaction away, as if the process that wrote it had died in the middle.
  func tearLastTransaction() throws {
    var bytes = files[activeFile] ?? []
    let end = bytes.lastIndex { $0 != 0 } ?? 0
    for index in end - 40...end { bytes[index] = 0 }
    try overwrite(activeFile, with: bytes)
    try forgetDurableEnd()
  }

  /// Takes out of LOCK up to where the active segment is durable: who crashed before the answer left no word of that.
  func forgetDurableEnd() throws {
    guard let lock = files["LOCK"] else { return }
    try overwrite("LOCK", with: Array(lock.prefix(16)))
  }
}
